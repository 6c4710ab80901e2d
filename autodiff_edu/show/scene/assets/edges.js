// The edges of a frame, from the parts in view to their users; each keeps its element.
import { element } from "./elements.js";
import { isPart } from "./frames.js";
import { operandsOf } from "./frames.js";
import { edgePath } from "./paths.js";

export class Edges {
  constructor(picture) {
    this.picture = picture;
    this.group = element("g");
    this.lines = new Map();
  }

  clear() {
    this.lines.clear();
    this.group.replaceChildren();
  }

  connect(shown) {
    const edges = new Map();
    const { groups } = this.picture.explorer;
    for (const p of this.frameParts(shown)) {
      const operands = operandsOf(this.picture.frame[p]);
      operands.forEach((inner, i) => {
        const a = isPart(inner) && groups.lift(inner, p);
        if (!a || !this.picture.places.spots[a] || !this.picture.frame[a]) return;
        const isTag = this.picture.explorer.formulas.isNamed(a, p);
        const { pointed, ways } = this.picture.explorer;
        if (isTag && (ways || (p !== pointed && a !== pointed))) return;
        const isTwin = operands.filter((b) => b === inner).length > 1;
        const shift = isTwin ? (i ? 9 : -9) : 0;
        edges.set(`${a}>${p}>${shift}`, [a, p, shift, isTag]);
      });
    }
    for (const [key, line] of this.lines) {
      if (!edges.has(key)) {
        line.remove();
        this.lines.delete(key);
      }
    }
    for (const [key, edge] of edges) this.edge(key, ...edge);
  }

  frameParts(shown) {
    // those in view, and users of those in view
    const { model } = this.picture.explorer;
    const all = new Set(shown);
    for (const p of shown) for (const user of model.users(this.picture.frame, p)) all.add(user);
    return [...all].filter((p) => this.picture.places.spots[p]);
  }

  edge(key, a, p, shift, isTag) {
    const half = (q) => this.picture.shapes.get(q)?.half ?? this.picture.places.box(q, 0).width / 2;
    const path = edgePath(this.picture.places, a, p, shift, this.picture.frame, half);
    const line =
      this.lines.get(key) ?? this.group.appendChild(element("path", { "data-a": a, "data-b": p }));
    this.lines.set(key, line);
    if (line.path !== path) line.setAttribute("d", (line.path = path));
    const side = !this.picture.explorer.model.isDerivative(p)
      ? "v"
      : isTag && !this.picture.explorer.model.isDerivative(a)
        ? "cross"
        : "d";
    line.setAttribute("class", `edge ${side}`);
    const weight = this.picture.explorer.ways?.weight(a, p);
    line.style.strokeWidth = weight === undefined ? "" : `${weight}px`;
  }
}
