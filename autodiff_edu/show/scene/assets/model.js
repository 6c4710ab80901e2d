// The document as a model: what each part holds in a frame, and its value. No picture.
import { plain } from "./elements.js";
import { NEEDS } from "./numbers.js";
import { isKnown } from "./numbers.js";
import { revive } from "./numbers.js";
import { compute } from "./operations.js";
import { rounds } from "./operations.js";

const STRIDE = 64; // every so many steps a frame is stored, those between are made again
const HELD_ALONE = new Set(["input", "const", "empty"]);
const BAR = "\u0304", LINE = "\u0305", DOT = "\u0307";

export const isPart = (operand) => typeof operand === "string";
export const operandsOf = (held) => (!held || HELD_ALONE.has(held[0]) ? [] : held[1]);
export const partsOf = (held) => operandsOf(held).filter(isPart);
export const isOperation = (held) =>
  !!held && !HELD_ALONE.has(held[0]) && held[0] !== "tie" && held[0] !== "D";

export class Model {
  constructor(data) {
    this.data = data;
    this.parts = data.parts;
    this.steps = data.steps;
    this.last = data.steps.length;
    this.end = data.derived ?? 0; // the frame in which the derivative is complete
    this.isLone = data.mode === "lone";
    this.start = this.inputs();
    this.placeOf = {};
    for (const [p, part] of Object.entries(this.parts)) if (part.of) this.placeOf[part.of] = p;
    this.y = this.result();
    this.store();
    this.recent = new Map();
    this.orders = new WeakMap();
    this.readers = new WeakMap();
    this.final = this.finalHeld();
    this.python = data.python ?? {};
  }

  inputs() {
    return Object.fromEntries(Object.entries(this.data.at).map(([p, value]) => [p, revive(value)]));
  }

  result() { // the value that is differentiated: nothing among the values uses it
    const used = new Set(), values = Object.keys(this.parts).filter((p) => this.parts[p].kind === "value");
    for (const p of values) for (const q of partsOf(this.data.first[p])) used.add(q);
    const tops = values.filter((p) => !used.has(p) && this.data.first[p]?.[0] !== "input");
    return tops.find((p) => this.parts[p].name === this.data.name) ?? tops.at(-1) ?? values.at(-1);
  }

  // ---- frames

  store() {
    const frame = { ...this.data.first };
    this.stored = [{ ...frame }];
    this.outs = [this.data.outs];
    this.idles = [[]];
    this.steps.forEach((step, k) => {
      apply(step, frame);
      if ((k + 1) % STRIDE === 0) this.stored.push({ ...frame });
      this.outs.push(step.outs ?? this.outs.at(-1));
      this.idles.push(step.idle ?? []);
    });
  }

  frame(k) { // part → held
    if (!this.recent.has(k)) {
      const at = Math.floor(k / STRIDE), frame = { ...this.stored[at] };
      for (let j = at * STRIDE; j < k; j++) apply(this.steps[j], frame);
      if (this.recent.size > 8) this.recent.delete(this.recent.keys().next().value);
      this.recent.set(k, frame);
    }
    return this.recent.get(k);
  }

  eachChange(act) { // what parts hold at first, and what each step sets; the frame is lent
    const frame = { ...this.data.first };
    for (const p of Object.keys(frame)) act(p, frame);
    for (const step of this.steps) {
      apply(step, frame);
      for (const p of Object.keys(step.set)) if (frame[p]) act(p, frame);
    }
  }

  finalHeld() { // what each part holds last, as text: Python's stored value belongs to that
    const held = { ...this.data.first };
    for (const step of this.steps) Object.assign(held, step.set);
    return held;
  }

  order(frame) { // operands before their users, without recursion
    if (!this.orders.has(frame)) {
      const order = [], state = new Map();
      for (const root of Object.keys(frame)) {
        const stack = [root];
        while (stack.length) {
          const p = stack.at(-1);
          if (state.get(p) !== 1) {
            if (state.has(p)) { stack.pop(); continue; }
            state.set(p, 1);
            for (const q of partsOf(frame[p])) if (frame[q] && !state.has(q)) stack.push(q);
          } else {
            stack.pop();
            state.set(p, 2);
            order.push(p);
          }
        }
      }
      this.orders.set(frame, order);
    }
    return this.orders.get(frame);
  }

  users(frame, p) {
    if (!this.readers.has(frame)) {
      const users = new Map();
      for (const q of Object.keys(frame)) {
        for (const a of new Set(partsOf(frame[q]))) users.set(a, [...(users.get(a) ?? []), q]);
      }
      this.readers.set(frame, users);
    }
    return this.readers.get(frame).get(p) ?? [];
  }

  idle(k) { return this.idles[k]; }
  isDerivative(p) { return this.parts[p].kind !== "value"; }
  isMine(p) { return this.isLone || this.isDerivative(p); }

  operations(k) { // of the derivative, that the answer needs
    const frame = this.frame(k), idle = new Set(this.idle(k));
    return Object.keys(frame).filter((p) => this.isMine(p) && isOperation(frame[p]) && !idle.has(p)).length;
  }

  // ---- values

  values(k, at = this.start, cut = {}) { // part → value; D(v) has the value that it will get
    const frame = this.frame(k), found = {}, moved = new Set();
    const later = k < this.end ? this.values(this.end, at, cut) : found;
    for (const p of this.order(frame)) {
      const held = frame[p];
      if (p in cut) {
        found[p] = cut[p];
        moved.add(p);
      } else {
        if (held[0] === "input" ? at[p] !== this.start[p] : partsOf(held).some((q) => moved.has(q))) moved.add(p);
        found[p] = held[0] === "D" ? later[p] : this.value(p, held, at, found, moved.has(p));
      }
    }
    return found;
  }

  value(p, held, at, found, hasMoved) {
    if (held[0] === "input") return at[p];
    if (held[0] === "const") return revive(held[1]);
    if (held[0] === "empty") return undefined;
    const operands = held[1].map((a) => (isPart(a) ? found[a] : revive(a.c)));
    if (held[0] === "tie") return operands[0];
    if (operands.every(isKnown)) {
      const value = attempt(held[0], operands, held[2]?.static);
      if (value !== undefined) return rounds(this.parts[p].type, value);
    } else if (operands.some((a) => a === undefined)) return undefined;
    return hasMoved ? NEEDS : this.storedValue(p, held);
  }

  storedValue(p, held) {
    const isSame = JSON.stringify(held) === JSON.stringify(this.final[p]);
    return isSame && p in this.python ? revive(this.python[p]) : NEEDS;
  }

  answer(k, at, cut) {
    const values = this.values(Math.max(k, this.end), at, cut);
    return this.outs[Math.max(k, this.end)].map((p) => values[p]);
  }

  // ---- names

  name(p) {
    const part = this.parts[p];
    if (part.name) return plain(part.name);
    return part.of ? this.derived(plain(this.parts[part.of].name ?? "")) : "";
  }

  derived(name) { // v′, v̇ or v̄: one mark over the whole name, without its index
    if (this.data.mode === "symbolic") return `${name}′`;
    const [, head, tail] = name.match(/^(.*?)([₀-₉0-9]*)$/s), letters = [...head];
    const mark = this.data.mode === "forward" ? DOT : letters.length > 1 ? LINE : BAR;
    return (mark === DOT ? head + mark : letters.map((letter) => letter + mark).join("")) + tail;
  }
}

function apply(step, frame) {
  Object.assign(frame, step.set);
  for (const p of step.drop) delete frame[p];
}

function attempt(name, operands, parameters) { // an operand that does not fit is Python's to explain
  try {
    return compute(name, operands, parameters);
  } catch {
    return undefined;
  }
}
