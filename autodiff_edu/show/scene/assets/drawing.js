// A frame as SVG: boxes, words, numbers, edges; only what is in view.
//
// A Picture shows one frame of the explorer's state. It keeps an element for each part in view, and
// touches it only where something about it changed.
import { element } from "./elements.js";
import { isCalm } from "./elements.js";
import { textWidth } from "./elements.js";
import { isOperation } from "./model.js";
import { operandsOf } from "./model.js";
import { isPart } from "./model.js";
import { partsOf } from "./model.js";
import { brief } from "./elements.js";
import { inWords } from "./numbers.js";

const MARGIN = 260; // pixels beyond the view in which things are drawn, too
const LEAVING = 300; // milliseconds that a dead part takes to shrink

export class Picture {
  constructor(explorer) {
    this.explorer = explorer;
    this.edges = element("g");
    this.marks = element("g");
    this.nodes = element("g");
    this.svg = element("svg", { role: "group" }, this.edges, this.marks, this.nodes);
    this.drawn = new Map();
    this.lines = new Map();
    this.dots = [];
  }

  fit(places, zoom) { // after the room has changed: everything is drawn anew
    const { width, height } = places.size;
    for (const [name, value] of Object.entries({ width: width * zoom, height: height * zoom, viewBox: `0 0 ${width} ${height}` })) {
      this.svg.setAttribute(name, value);
    }
    this.places = places;
    this.drawn.clear();
    this.lines.clear();
    this.nodes.replaceChildren();
    this.edges.replaceChildren();
  }

  render(k, values, window, { enter = [], exit = [] } = {}) {
    const { model, formulas } = this.explorer;
    Object.assign(this, { k, values, window, frame: model.frame(k), idle: new Set(model.idle(k)) });
    this.named = new Set(Object.keys(this.frame).filter((p) => !model.isDerivative(p)).map((p) => brief(model.name(p), 10)));
    const near = this.places.within(window.top - MARGIN, window.bottom + MARGIN);
    const shown = new Set(near.filter((p) => this.frame[p] && this.isNear(p)));
    for (const p of [this.explorer.focus, this.explorer.pinned]) if (p && this.frame[p] && this.places.spots[p]) shown.add(p);
    for (const [p, node] of this.drawn) if (!shown.has(p)) this.remove(p, node, exit.includes(p));
    for (const p of shown) this.draw(p, formulas.label(p, this.frame), enter.includes(p));
    this.connect(shown);
    this.mark();
    this.light();
  }

  isNear(p) {
    const [x] = this.places.spots[p];
    return x > this.window.left - MARGIN && x < this.window.right + MARGIN;
  }

  remove(p, node, isDead) {
    this.drawn.delete(p);
    if (!isDead) return node.remove();
    node.classList.add("exit");
    setTimeout(() => node.remove(), isCalm() ? 1 : LEAVING);
  }

  // ---- boxes

  draw(p, word, isNew) {
    const { explorer, frame } = this, held = frame[p], number = held[0] === "empty" ? "" : this.places.number(this.values[p]);
    const node = this.drawn.get(p) ?? this.make(p), shape = `${word}|${held[0]}`, isHandle = explorer.isHandle(p);
    const kind = isOperation(held) ? "operation" : held[0], isDerivative = explorer.model.isDerivative(p);
    node.setAttribute("class", ["node", isDerivative ? "d" : "v", kind, isHandle && "handle", this.idle.has(p) && "idle",
      isNew && "enter", explorer.ringed.has(p) && "ring"].filter(Boolean).join(" "));
    node.setAttribute("tabindex", explorer.focus === p ? 0 : -1);
    if (node.shape !== shape) this.fill(node, p, word, held[0]);
    if (node.shape !== shape || node.number !== number) this.write(node, p, number);
    node.shape = shape;
    const say = [explorer.model.name(p), word, inWords(this.values[p])].filter(Boolean).join(" ");
    node.setAttribute("aria-label", say || (isDerivative ? "a derivative, not computed yet" : "a value"));
  }

  make(p) {
    const node = element("g", { role: "button", "data-p": p });
    this.drawn.set(p, node);
    return this.nodes.appendChild(node);
  }

  fill(node, p, word, kind) { // the box with its word and its name
    const box = this.places.box(p, textWidth(word, 20)), { model } = this.explorer, [x, y] = this.places.spots[p];
    const name = brief(model.name(p), 14), slot = this.places.slot(p), isBeside = this.places.isBeside && slot && word;
    const tight = isBeside ? box.width - slot - 24 : box.width - 6;
    node.half = box.width / 2;
    node.isBeside = isBeside;
    node.replaceChildren(element("rect", { ...box, rx: this.places.height === 36 ? 18 : 13 }));
    if (word) {
      const place = { class: "op", x, y: isBeside || !slot ? y + 7 : y - 3 };
      node.append(element("text", place, ...this.pieces(clip(word, tight), kind)));
    }
    node.append(element("text", { class: "num", x, y: isBeside || !word ? y + 6 : y + 18 }));
    if (name && kind === "empty") node.append(element("text", { class: "name", x, y: y + 5, "text-anchor": "middle" }, name));
    else if (name && kind !== "input") node.append(element("text", { class: "name", x: box.x + 4, y: box.y - 3 }, name));
  }

  pieces(word, kind) { // names of values are blue in their users
    if (kind === "input") return [word];
    return word.split(/([ ·/²,^])/).map((text) => (this.named.has(text) ? element("tspan", { class: "ref" }, text) : text));
  }

  write(node, p, number) { // digits that a pull has changed are bold
    const text = node.querySelector(".num"), rest = this.explorer.hasMoved ? this.places.number(this.explorer.rest[p]) : number;
    let same = 0;
    while (same < number.length && number[same] === rest[same]) same++;
    text.classList.toggle("small", number.length > 8);
    text.replaceChildren(number.slice(0, same));
    if (same < number.length) text.append(element("tspan", { class: "moved" }, number.slice(same)));
    node.number = number;
    if (node.isBeside) this.centre(node, p, number);
  }

  centre(node, p, number) { // the word and its number, as one
    const words = node.querySelector(".op"), [x] = this.places.spots[p];
    const wide = [textWidth(words.textContent, 20), number ? textWidth(number, 16) : 0], gap = number ? 10 : 0;
    words.setAttribute("x", x - (wide[1] + gap) / 2);
    node.querySelector(".num").setAttribute("x", x + (wide[0] + gap) / 2);
  }

  // ---- edges

  connect(shown) {
    const wanted = new Map();
    for (const p of this.frameParts(shown)) {
      const operands = operandsOf(this.frame[p]);
      operands.forEach((a, i) => {
        if (!isPart(a) || !this.places.spots[a] || !this.frame[a]) return;
        const isTag = this.explorer.formulas.isNamed(a, p), pointed = this.explorer.pointed;
        if (isTag && p !== pointed && a !== pointed) return;
        const isTwin = operands.filter((b) => b === a).length > 1, shift = isTwin ? (i ? 9 : -9) : 0;
        wanted.set(`${a}>${p}>${shift}`, [a, p, shift, isTag]);
      });
    }
    for (const [key, line] of this.lines) if (!wanted.has(key)) { line.remove(); this.lines.delete(key); }
    for (const [key, edge] of wanted) this.edge(key, ...edge);
  }

  frameParts(shown) { // those in view, and users of those in view
    const { model } = this.explorer, all = new Set(shown);
    for (const p of shown) for (const user of model.users(this.frame, p)) all.add(user);
    return all;
  }

  edge(key, a, p, shift, isTag) {
    const half = (q) => this.drawn.get(q)?.half ?? this.places.box(q, 0).width / 2;
    const path = this.places.path(a, p, shift, this.frame, half);
    const line = this.lines.get(key) ?? this.edges.appendChild(element("path", { "data-a": a, "data-b": p }));
    this.lines.set(key, line);
    if (line.path !== path) line.setAttribute("d", line.path = path);
    const side = !this.explorer.model.isDerivative(p) ? "v" : isTag && !this.explorer.model.isDerivative(a) ? "cross" : "d";
    line.setAttribute("class", `edge ${side}`);
    const weight = this.explorer.ways?.weight(a, p);
    line.style.strokeWidth = weight === undefined ? "" : `${weight}px`;
  }

  mark() { // grey dots of dead parts, strokes that cut
    const marks = this.dots.filter((p) => this.places.spots[p]).map((p) =>
      element("circle", { class: "dot", cx: this.places.spots[p][0], cy: this.places.spots[p][1], r: 4 }));
    for (const p of Object.keys(this.explorer.cut)) {
      const [x, y] = this.places.spots[p] ?? [], top = y - this.places.height / 2;
      for (const dx of x === undefined ? [] : [-9, 9]) {
        marks.push(element("line", { class: "cut", x1: x + dx - 7, y1: top - 5, x2: x + dx + 7, y2: top - 14 }));
      }
    }
    this.marks.replaceChildren(...marks);
  }

  light() { // what one points at, with its operands and users; or the ways to y
    const { pointed, ways, matches, model } = this.explorer, p = this.frame[pointed] ? pointed : null;
    const near = ways?.parts ?? (p ? new Set([p, ...partsOf(this.frame[p]), ...model.users(this.frame, p)]) : matches);
    const isShowing = this.explorer.hasMoved && !ways && near !== matches; // a pull: all that moves is seen
    this.svg.classList.toggle("dim", !!near && !isShowing);
    for (const [q, node] of this.drawn) node.classList.toggle("lit", !!near?.has(q));
    for (const line of this.lines.values()) {
      const { a, b } = line.dataset, isLit = ways ? ways.weight(a, b) !== undefined : p && (a === p || b === p);
      line.classList.toggle("lit", !!isLit);
    }
  }
}

function clip(word, width) { // as many letters as there is room for
  let text = word;
  while (text.length > 2 && textWidth(text, 20) > width) text = brief(text, text.length - 1);
  return text;
}
