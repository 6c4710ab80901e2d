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
    const { explorer, frame, places } = this.picture;
    const { formulas, groups, pointed, ways } = explorer;
    for (const p of this.parts(shown)) {
      const operands = operandsOf(frame[p]);
      operands.forEach((inner, i) => {
        const a = isPart(inner) && groups.lift(inner, p);
        if (!a || !places.spots[a] || !frame[a]) return;
        const isTag = formulas.isNamed(a, p);
        if (isTag && (ways || (p !== pointed && a !== pointed))) return;
        const isTwin = operands.filter((b) => b === inner).length > 1;
        const shift = isTwin ? (i ? 9 : -9) : 0;
        edges.set(`${a}>${p}>${shift}`, [a, p, shift, isTag]);
      });
    }
    for (const [key, line] of this.lines) {
      if (edges.has(key)) continue;
      line.remove();
      this.lines.delete(key);
    }
    for (const [key, edge] of edges) this.draw(key, ...edge);
  }

  parts(shown) {
    // those in view, and users of those in view
    const { explorer, frame, places } = this.picture;
    const users = [...shown].flatMap((p) => explorer.model.users(frame, p));
    return [...new Set([...shown, ...users])].filter((p) => places.spots[p]);
  }

  draw(key, a, p, shift, isTag) {
    const { explorer, frame, places, shapes } = this.picture;
    const { model, ways } = explorer;
    const half = (q) => shapes.get(q)?.half ?? places.box(q, 0).width / 2;
    const path = edgePath(places, a, p, shift, frame, half);
    const ends = { "data-a": a, "data-b": p };
    const line = this.lines.get(key) ?? this.group.appendChild(element("path", ends));
    this.lines.set(key, line);
    if (line.path !== path) line.setAttribute("d", (line.path = path));
    const isOwn = model.isDerivative(p) && !(isTag && !model.isDerivative(a));
    line.setAttribute("class", `edge ${isOwn ? "d" : "v"}`); // from a value to the right: blue
    const weight = ways?.weight(a, p);
    line.style.strokeWidth = weight === undefined ? "" : `${weight}px`;
  }
}
