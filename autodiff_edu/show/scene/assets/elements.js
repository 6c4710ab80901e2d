// Elements of HTML and of SVG. Text becomes text nodes only: names, code and values are data.

export const BECOMES = "\u2192"; // an arrow
const SVG = "http://www.w3.org/2000/svg";
const SHAPES = new Set(["svg", "g", "rect", "text", "tspan", "path", "circle"]);

export function element(tag, attributes = {}, ...inside) {
  const node = SHAPES.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) node.setAttribute(name, "");
    else if (value !== undefined && value !== null && value !== false) {
      node.setAttribute(name, value);
    }
  }
  node.append(...inside.filter((part) => part !== undefined && part !== null));
  return node;
}

export function button(words, act, attributes = {}) {
  const node = element("button", { type: "button", ...attributes }, words);
  node.addEventListener("click", act);
  return node;
}

// A page that stands in the place of the picture when one asks for it.
export const region = (name, label = name) =>
  element("div", { class: name, tabindex: 0, role: "region", "aria-label": label, hidden: true });

export const soft = (...inside) => element("p", { class: "soft" }, ...inside);

// Characters that would turn or break the text around them are shown as a mark.
const HIDDEN =
  /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

export function plain(text) {
  return String(text).replace(HIDDEN, "\ufffd");
}

export function brief(text, most) {
  return text.length <= most ? text : text.slice(0, most - 1) + "…";
}

// As the style has it, for a canvas.
export const fontOf = (size) =>
  `${size}px Inter, "Segoe UI", "DejaVu Sans", system-ui, sans-serif`;

let pen;
const widths = new Map();

export function textWidth(text, size) {
  // of letters as the explorer writes them, in pixels
  const key = `${size}:${text}`;
  if (!widths.has(key)) {
    pen ??= document.createElement("canvas").getContext("2d");
    pen.font = fontOf(size);
    if (widths.size > 20000) widths.clear();
    widths.set(key, pen.measureText(text).width);
  }
  return widths.get(key);
}

export function isCalm() {
  // whoever asked for less motion sees none
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
