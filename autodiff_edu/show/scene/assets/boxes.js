// The box of a part: its word, its number and its name. What did not change is not touched.
import { brief } from "./elements.js";
import { element } from "./elements.js";
import { textWidth } from "./elements.js";
import { isOperation } from "./frames.js";

const EQUALS = 12; // pixels of the sign between a word and its number
const SPACE = 8; // on each side of the sign

export class Boxes {
  constructor(picture) {
    this.picture = picture;
  }

  draw(p, word, isNew) {
    const { explorer, frame } = this.picture;
    const content = frame[p];
    const { places, values } = this.picture;
    const isGroup = content[0] === "group";
    const hasNumber = content[0] !== "empty" && (places.hasNumbers || !word);
    const value = hasNumber ? places.number(values[p]) : "";
    const number = isGroup ? explorer.groups.words(content) : value;
    const node = this.picture.shapes.get(p) ?? this.make(p);
    const shape = `${word}|${content[0]}`;
    const isHandle = explorer.isHandle(p);
    const kind = isOperation(content) ? "operation" : content[0];
    const isDerivative = explorer.model.isDerivative(p);
    const kinds = [
      isDerivative ? "d" : "v",
      kind,
      isHandle && "handle",
      this.picture.idle.has(p) && "idle",
      isNew && "enter",
      places.frames[p] && "open",
      explorer.ringed.has(p) && "ring",
    ];
    node.setAttribute("class", ["node", ...kinds.filter(Boolean)].join(" "));
    node.setAttribute("tabindex", explorer.focus === p ? 0 : -1);
    if (isGroup) node.setAttribute("aria-expanded", !!places.frames[p]);
    if (node.shape !== shape) this.fill(node, p, word, content[0]);
    if (node.shape !== shape || node.number !== number) this.write(node, p, number);
    node.shape = shape;
  }

  make(p) {
    const node = element("g", { role: "button", "data-p": p });
    this.picture.shapes.set(p, node);
    return this.picture.nodes.appendChild(node);
  }

  fill(node, p, word, kind) {
    // the box with its name and its word, which are also what a screen reader says
    const box = this.picture.places.box(p, textWidth(word, 20));
    const { model } = this.picture.explorer;
    const [x, y] = this.picture.places.spots[p];
    const name = brief(model.name(p), 14);
    const slot = this.picture.places.slot(p);
    const isBeside = this.picture.places.isBeside && slot && word;
    const tight = isBeside ? box.width - slot - 24 : box.width - 6;
    node.half = box.width / 2;
    node.isBeside = isBeside;
    node.replaceChildren(
      element("rect", { ...box, rx: this.picture.places.height === 36 ? 18 : 13 }),
    );
    const text = (kind, at, ...pieces) =>
      node.append(element("text", { class: kind, ...at }, ...pieces), " ");
    if (name && kind === "empty") text("name", { x, y: y + 5 }, name);
    else if (name && kind !== "input") text("name", { x: box.x + 4, y: box.y - 3 }, name);
    const height = isBeside || !slot ? y + 7 : y - 3;
    if (word) text("op", { x, y: height }, ...this.pieces(clip(word, tight), kind));
    if (isBeside) text("equals", { y: y + 6 });
    const low = isBeside || !word ? y + 6 : y + 18;
    text("num", { x, y: low });
    node.append(element("path", { class: "grip" }), element("path", { class: "arrows" }));
    node.arrows = arrows(box, y);
    node.low = low + 4;
  }

  pieces(word, kind) {
    // names of values are blue in their users
    if (kind === "input") return [word];
    return word
      .split(/([ ·/²,^])/)
      .map((text) =>
        this.picture.named.has(text) ? element("tspan", { class: "ref" }, text) : text,
      );
  }

  write(node, p, number) {
    // bold where a pull has changed it
    const text = node.querySelector(".num");
    const { hasMoved, groups } = this.picture.explorer;
    const rest = hasMoved && !groups.is(p)
      ? this.picture.places.number(this.picture.explorer.rest[p])
      : number;
    text.classList.toggle("small", number.length > 8);
    text.classList.toggle("moved", number !== rest);
    text.textContent = number;
    node.number = number;
    const x = node.isBeside ? this.centre(node, p, number) : this.picture.places.spots[p][0];
    this.grip(node, p, x, textWidth(number, number.length > 8 ? 14 : 16) / 2);
  }

  grip(node, p, x, half) {
    // a dotted line under a number that can be pulled, and arrows beside its box
    const isHandle = this.picture.explorer.isHandle(p) && half;
    const line = `M${x - half} ${node.low}H${x + half}`;
    node.querySelector(".grip").setAttribute("d", isHandle ? line : "");
    node.querySelector(".arrows").setAttribute("d", isHandle ? node.arrows : "");
  }

  centre(node, p, number) {
    // the word, a sign and its number as one; where the number stands
    const words = node.querySelector(".op");
    const [x] = this.picture.places.spots[p];
    const wide = [textWidth(words.textContent, 20), number ? textWidth(number, 16) : 0];
    const isGroup = this.picture.explorer.groups.is(p);
    const sign = number && !isGroup && words.textContent !== "=" ? "=" : "";
    const gap = sign ? EQUALS + 2 * SPACE : number ? SPACE : 0;
    const at = x + (wide[0] + gap) / 2;
    words.setAttribute("x", x - (wide[1] + gap) / 2);
    node.querySelector(".equals").setAttribute("x", at - wide[1] / 2 - gap / 2);
    node.querySelector(".equals").textContent = sign;
    node.querySelector(".num").setAttribute("x", at);
    return at;
  }
}

function arrows(box, y) {
  // one at each side of a box
  const [left, right] = [box.x - 1, box.x + box.width + 1];
  return `M${left - 5} ${y}l5 -5v10zM${right + 5} ${y}l-5 -5v10z`;
}

function clip(word, width) {
  // as many letters as there is room for
  let text = word;
  while (text.length > 2 && textWidth(text, 20) > width) text = brief(text, text.length - 1);
  return text;
}
