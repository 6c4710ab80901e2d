// The ways from a value to the result, each edge as thick as what it carries to the derivative.
//
// An edge u → w on a way from x to y carries ∂u/∂x · ∂w/∂u · ∂y/∂w. The slopes are measured: each
// operation is computed at two points near its operand, so this needs no rule.
import { element } from "./elements.js";
import { isOperation } from "./frames.js";
import { partsOf } from "./frames.js";
import { number } from "./numbers.js";

const STEP = 1e-5; // relative distance of the two points
const THIN = 1.6;
const THICK = 9; // pixels
const LISTED = 5; // ways that are listed

export class Ways {
  constructor(explorer, from) {
    this.explorer = explorer;
    this.from = from;
    this.measure();
  }

  measure() {
    const { model, shown, values } = this.explorer;
    const frame = model.frame(shown);
    const order = model.order(frame).filter((p) => !model.isDerivative(p));
    const edges = [];
    const reach = new Map([[this.from, 1]]);
    const count = new Map([[this.from, 1]]); // ∂v/∂from, number of ways
    for (const p of order) {
      for (const a of p === this.from ? [] : new Set(partsOf(frame[p]))) {
        if (!reach.has(a) || !isOperation(frame[p])) continue;
        const slope = this.slope(p, a, values);
        edges.push({ a, p, slope });
        reach.set(p, (reach.get(p) ?? 0) + reach.get(a) * slope);
        count.set(p, (count.get(p) ?? 0) + count.get(a));
      }
    }
    const adjoint = new Map([[model.y, 1]]);
    this.edges = new Map();
    for (const { a, p, slope } of edges.reverse()) {
      if (!adjoint.has(p)) continue;
      adjoint.set(a, (adjoint.get(a) ?? 0) + slope * adjoint.get(p));
      this.edges.set(`${a}>${p}`, reach.get(a) * slope * adjoint.get(p));
    }
    this.number = this.edges.size ? count.get(model.y) : 0;
    this.parts = new Set([this.from, ...[...this.edges.keys()].flatMap((key) => key.split(">"))]);
    this.total = adjoint.get(this.from) ?? 0;
    this.most = Math.max(...[...this.edges.values()].map(Math.abs).filter(Number.isFinite), 0);
  }

  slope(p, a, values) {
    // ∂p/∂a of one operation; nan where they are no numbers
    const { model, shown } = this.explorer;
    const x = values[a];
    const h = STEP * Math.max(1, Math.abs(x));
    if (typeof x !== "number" || typeof values[p] !== "number") return NaN;
    const at = (moved) => model.value(shown, p, {}, { ...values, [a]: moved }, true);
    return (at(x + h) - at(x - h)) / (2 * h);
  }

  weight(a, p) {
    // in pixels; undefined where no way passes
    const carried = this.edges.get(`${a}>${p}`);
    if (carried === undefined) return undefined;
    return Number.isFinite(carried) && this.most
      ? THIN + (THICK - THIN) * (Math.abs(carried) / this.most)
      : THIN + 1;
  }

  summary() {
    const { model } = this.explorer;
    const y = model.resultName;
    const name = model.name(this.from);
    if (!this.number) return `No way leads from ${name} to ${y}.`;
    return `${this.number} way${this.number === 1 ? "" : "s"} from ${name} to ${y}`;
  }

  share(carried) {
    const part = carried / this.total;
    return Number.isFinite(part) ? ` (${number(100 * part, 2)} %)` : "";
  }

  list() {
    // by the first step of a way: what it carries, and the sum
    const { model } = this.explorer;
    const first = [...this.edges].filter(([key]) => key.startsWith(`${this.from}>`)).reverse();
    const size = ([, carried]) => (Number.isFinite(carried) ? Math.abs(carried) : Infinity);
    first.sort((one, other) => size(other) - size(one) || 0); // the largest first
    const lines = first.slice(0, LISTED).map(([key, carried]) => {
      const name = model.name(key.split(">")[1]);
      const share = first.length > 1 ? this.share(carried) : "";
      return element("li", {}, `through ${name}: ${carriedText(carried)}${share}`);
    });
    if (first.length > LISTED) lines.push(element("li", {}, `… and ${first.length - LISTED} more`));
    if (first.length > 1 && Number.isFinite(this.total)) {
      lines.push(element("li", {}, `together ${carriedText(this.total)}`));
    }
    return element(
      "div",
      { class: "ways" },
      element("p", {}, this.summary()),
      element("ul", {}, ...lines),
    );
  }
}

const carriedText = (carried) =>
  Number.isFinite(carried) ? number(Number(carried.toPrecision(7))) : "no single number";
