// The document as a model: what each part holds in a frame, and its value. No picture.
import { brief } from "./elements.js";
import { plain } from "./elements.js";
import { rounds } from "./dtypes.js";
import { Frames } from "./frames.js";
import { isOperation } from "./frames.js";
import { isPart } from "./frames.js";
import { partsOf } from "./frames.js";
import { NEEDS } from "./numbers.js";
import { isKnown } from "./numbers.js";
import { revive } from "./numbers.js";
import { same } from "./numbers.js";
import { compute } from "./operations.js";

const BAR = "\u0304";
const LINE = "\u0305";
const DOT = "\u0307";

export class Model extends Frames {
  constructor(data) {
    super(data);
    this.parts = data.parts;
    this.end = data.derived ?? 0; // the frame in which the derivative is complete
    this.isLone = data.mode === "lone";
    this.start = this.inputs();
    this.placeOf = {};
    for (const [p, part] of Object.entries(this.parts)) if (part.of) this.placeOf[part.of] = p;
    this.y = this.result();
    this.resultName = brief(plain(data.name ?? "y"), 24);
  }

  inputs() {
    return Object.fromEntries(Object.entries(this.data.at).map(([p, value]) => [p, revive(value)]));
  }

  result() {
    // the value that is differentiated: nothing among the values uses it
    const operands = new Set();
    const values = Object.keys(this.parts).filter((p) => this.parts[p].kind === "value");
    for (const p of values) for (const q of partsOf(this.data.first[p])) operands.add(q);
    const tops = values.filter((p) => !operands.has(p) && isOperation(this.data.first[p]));
    return tops.find((p) => this.parts[p].name === this.data.name) ?? tops.at(-1) ?? values.at(-1);
  }

  idle(k) {
    return this.idles[k];
  }
  isDerivative(p) {
    return this.parts[p].kind !== "value";
  }
  isMine(p) {
    return this.isLone || this.isDerivative(p);
  }

  operations(k) {
    // that the derivative needs, those of values among them: a copy of a value is one more
    const frame = this.frame(k);
    const idle = new Set(this.idle(k));
    const needed = new Set(Object.keys(frame).filter((p) => this.isMine(p) && !idle.has(p)));
    for (const p of needed) for (const a of partsOf(frame[p])) if (frame[a]) needed.add(a);
    return [...needed].filter((p) => isOperation(frame[p])).length;
  }

  // ---- values

  values(k, at = this.start, cut = {}) {
    // part → value; D(v) has the value that it will get
    const frame = this.frame(k);
    const values = {};
    const moved = new Set();
    const later = k < this.end ? this.values(this.end, at, cut) : values;
    for (const p of this.order(frame)) {
      const content = frame[p];
      if (p in cut) {
        values[p] = cut[p];
        moved.add(p);
      } else {
        if (
          content[0] === "input"
            ? at[p] !== this.start[p]
            : partsOf(content).some((q) => moved.has(q))
        ) {
          moved.add(p);
        }
        values[p] =
          content[0] === "D" ? later[p] : this.value(k, p, at, values, moved.has(p));
      }
    }
    return values;
  }

  value(k, p, at, values, hasMoved) {
    const content = this.frame(k)[p];
    if (content[0] === "input") return at[p];
    if (content[0] === "const") return revive(content[1]);
    if (content[0] === "empty") return undefined;
    const operands = content[1].map((a) => (isPart(a) ? values[a] : revive(a.c)));
    if (content[0] === "tie") return operands[0];
    if (operands.every(isKnown)) {
      const value = attempt(content[0], operands, content[2]?.static, this.parts[p].type);
      if (value !== undefined) return value;
    }
    if (!hasMoved) return this.fromPython(k, p);
    return operands.includes(undefined) ? undefined : NEEDS;
  }

  fromPython(k, p) {
    // the last value of a part, or the one that it has in this frame
    const other = this.data.other?.findLast(([from, q]) => q === p && from <= k);
    return revive(other ? other[2] : this.data.python?.[p]);
  }

  answer(k, at, cut) {
    const values = this.values(Math.max(k, this.end), at, cut);
    return this.outs[Math.max(k, this.end)].map((p) => values[p]);
  }

  isBroken(k, at = this.start, cut = {}) {
    // does this step change the answer?
    if (k <= this.end || k > this.last) return false;
    const before = this.answer(k - 1, at, cut);
    const after = this.answer(k, at, cut);
    return after.some((value, i) => !same(before[i], value));
  }

  line(p) {
    // of the user's code, that made a part or the value to which it belongs
    const part = this.parts[p];
    return this.data.lines?.[part.line ?? this.parts[part.of ?? part.to]?.line];
  }

  maker(p, k) {
    // the number of the step that made what a part holds in a frame, or 0
    return this.steps.slice(0, k).findLastIndex((step) => step.set[p]) + 1;
  }

  // ---- names

  slopes() {
    // what stands at the right, and what it tells
    const y = this.resultName;
    const x = this.data.wrt.length ? this.name(this.data.wrt[0]) : "x";
    return {
      reverse: ["adjoints", `v${BAR} = ∂${y}/∂v: how far ${y} moves for each unit of v.`],
      symbolic: ["derivatives", `v′ = dv/d${x}: how far v moves for each unit of ${x}.`],
      forward: ["tangents", `v${DOT} = dv/d${x}: how far v moves for each unit of ${x}.`],
      lone: [],
    }[this.data.mode];
  }

  name(p) {
    const part = this.parts[p];
    if (part.name) return plain(part.name);
    return part.of ? this.derived(plain(this.parts[part.of].name ?? "")) : "";
  }

  derived(name) {
    // v′, v̇ or v̄: one mark over the whole name, without its index
    if (this.data.mode === "symbolic") return `${name}′`;
    const [, head, tail] = name.match(/^(.*?)([₀-₉0-9]*)$/s);
    const letters = [...head];
    const mark = this.data.mode === "forward" ? DOT : letters.length > 1 ? LINE : BAR;
    return (mark === DOT ? head + mark : letters.map((letter) => letter + mark).join("")) + tail;
  }
}

function attempt(name, operands, parameters, type) {
  // an operand that does not fit is Python's to explain
  try {
    const value = compute(name, operands, parameters);
    return value === undefined ? undefined : rounds(type, value);
  } catch {
    return undefined;
  }
}
