// A frame as SVG: boxes, words, numbers, edges; only what is in view.
//
// A Picture shows one frame of the explorer's state. It keeps an element for each part in view, and
// touches it only where something about it changed.
import { Boxes } from "./boxes.js";
import { Edges } from "./edges.js";
import { element } from "./elements.js";
import { isCalm } from "./elements.js";
import { brief } from "./elements.js";
import { textWidth } from "./elements.js";

const MARGIN = 260; // pixels beyond the view in which things are drawn, too
const LEAVING = 300; // milliseconds that a dead part takes to shrink

export class Picture {
  constructor(explorer) {
    this.explorer = explorer;
    this.boxes = new Boxes(this);
    this.lines = new Edges(this);
    this.marks = element("g");
    this.frames = element("g");
    this.titles = element("g", { class: "titles" });
    this.nodes = element("g");
    const words = { role: "group", "aria-label": "values left, their derivative right" };
    const layers = [this.frames, this.titles, this.lines.group, this.marks, this.nodes];
    this.svg = element("svg", words, ...layers);
    this.shapes = new Map();
    this.dots = [];
  }

  fit(places, zoom) {
    // after the room has changed: everything is drawn anew
    const { width, height } = places.size;
    for (const [name, value] of Object.entries({
      width: width * zoom,
      height: height * zoom,
      viewBox: `0 0 ${width} ${height}`,
    })) {
      this.svg.setAttribute(name, value);
    }
    this.places = places;
    this.titles.replaceChildren(...this.headings());
    this.frames.replaceChildren(
      ...Object.keys(places.frames).map((g) =>
        element("rect", { class: "frame", ...places.frame(g) }),
      ),
    );
    this.shapes.clear();
    this.lines.clear();
    this.nodes.replaceChildren();
  }

  headings() {
    // above the two sides: what stands there
    const { model } = this.explorer;
    const [word, meaning] = model.slopes();
    if (!word) return [];
    const heading = (text, side, isOwn) => {
      const xs = this.places.placed.filter(isOwn).map((p) => this.places.spots[p][0]);
      const half = textWidth(text, 14) / 2 + 8;
      const [least, most] = [half, Math.max(half, this.places.size.width - half)];
      const x = Math.max(least, Math.min(most, (Math.min(...xs) + Math.max(...xs)) / 2));
      return element("text", { class: side, x, y: 17 }, text);
    };
    const isDerivative = (p) => model.isDerivative(p);
    const own = this.places.placed.filter(isDerivative);
    return own.length && own.length < this.places.placed.length
      ? [
          heading("values", "v", (p) => !isDerivative(p)),
          heading(`${word} ${meaning.split(":")[0]}`, "d", isDerivative),
        ]
      : [];
  }

  get named() {
    // the names of values, which are blue in their users
    if (this.namesOf !== this.frame) {
      const { model } = this.explorer;
      const values = Object.keys(this.frame).filter((p) => !model.isDerivative(p));
      this.names = new Set(values.map((p) => brief(model.name(p), 10)));
      this.namesOf = this.frame;
    }
    return this.names;
  }

  render(k, values, window, { enter = [], exit = [] } = {}) {
    const { model, formulas, groups } = this.explorer;
    const frame = groups.frame(k);
    Object.assign(this, { k, values, window, frame, idle: new Set(model.idle(k)) });
    const near = this.places.within(window.top - MARGIN, window.bottom + MARGIN);
    const shown = new Set(near.filter((p) => this.frame[p] && this.isNear(p)));
    for (const p of [this.explorer.focus, this.explorer.pinned]) {
      if (p && this.frame[p] && this.places.spots[p]) shown.add(p);
    }
    for (const [p, node] of this.shapes) if (!shown.has(p)) this.remove(p, node, exit.includes(p));
    for (const p of shown) this.boxes.draw(p, formulas.label(p, this.frame), enter.includes(p));
    this.lines.connect(shown);
    this.mark();
    this.light();
  }

  isNear(p) {
    const [x] = this.places.spots[p];
    return x > this.window.left - MARGIN && x < this.window.right + MARGIN;
  }

  remove(p, node, isDead) {
    this.shapes.delete(p);
    if (!isDead) return node.remove();
    node.classList.add("exit");
    setTimeout(() => node.remove(), isCalm() ? 1 : LEAVING);
  }

  mark() {
    // grey dots of dead parts, strokes that cut
    const { spots, height } = this.places;
    const at = (parts) => parts.filter((p) => spots[p]).map((p) => spots[p]);
    const dots = at(this.dots).map(([cx, cy]) => element("circle", { class: "dot", cx, cy, r: 4 }));
    const cuts = at(Object.keys(this.explorer.cut)).flatMap(([x, y]) =>
      [x - 16, x + 2].map((left) =>
        element("path", { class: "cut", d: `M${left} ${y - height / 2 - 5}l14 -9` }),
      ),
    );
    this.marks.replaceChildren(...dots, ...cuts);
  }

  light() {
    // what one points at, with its operands and users; or the ways to y
    const { pointed, ways, matches, groups } = this.explorer;
    const p = this.frame[pointed] ? pointed : null;
    const lines = [...this.lines.lines.values()];
    const ends = ({ dataset: { a, b } }) => (a === p || b === p ? [a, b] : []);
    const parts = ways?.parts ?? (p ? [p, ...lines.flatMap(ends)] : matches);
    const near = parts && new Set([...parts].flatMap((q) => [q, groups.seen(q)]));
    const isShowing = this.explorer.hasMoved && !ways && parts !== matches; // a pull
    this.svg.classList.toggle("dim", !!near && !isShowing);
    for (const [q, node] of this.shapes) node.classList.toggle("lit", !!near?.has(q));
    for (const line of lines) {
      const { a, b } = line.dataset;
      const isLit = ways ? ways.weight(a, b) !== undefined : p && (a === p || b === p);
      line.classList.toggle("lit", !!isLit);
    }
  }
}
