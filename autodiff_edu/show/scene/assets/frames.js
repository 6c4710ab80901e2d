// What each part holds, frame by frame: frame k is frame k − 1 with what step k sets and drops.
const STORED = 16; // frames, evenly spread; those between are made again
const NO_OPERATION = new Set(["tie", "D", "group"]);
const WITHOUT_OPERANDS = new Set(["input", "const", "empty"]);

export const isPart = (operand) => typeof operand === "string";
export const operandsOf = (content) =>
  !content || WITHOUT_OPERANDS.has(content[0]) ? [] : content[1];
export const partsOf = (content) => operandsOf(content).filter(isPart);
export const isOperation = (content) =>
  !!content && !WITHOUT_OPERANDS.has(content[0]) && !NO_OPERATION.has(content[0]);

export class Frames {
  constructor(data) {
    this.data = data;
    this.steps = data.steps;
    this.last = data.steps.length;
    this.recent = new Map();
    this.orders = new WeakMap();
    this.readers = new WeakMap();
    this.store();
  }

  store() {
    const frame = { ...this.data.first };
    this.stride = Math.max(64, Math.ceil(this.last / STORED));
    this.checkpoints = [{ ...frame }];
    this.outs = [this.data.outs];
    this.idles = [[]];
    this.steps.forEach((step, k) => {
      apply(step, frame);
      if ((k + 1) % this.stride === 0) this.checkpoints.push({ ...frame });
      this.outs.push(step.outs ?? this.outs.at(-1));
      this.idles.push(step.idle ?? []);
    });
  }

  frame(k) {
    // part → content
    if (!this.recent.has(k)) {
      const at = Math.floor(k / this.stride);
      const frame = { ...this.checkpoints[at] };
      for (let j = at * this.stride; j < k; j++) apply(this.steps[j], frame);
      if (this.recent.size > 8) this.recent.delete(this.recent.keys().next().value);
      this.recent.set(k, frame);
    }
    return this.recent.get(k);
  }

  eachChange(act) {
    // what parts hold at first, and what each step sets; the frame is lent
    const frame = { ...this.data.first };
    for (const p of Object.keys(frame)) act(p, frame);
    for (const step of this.steps) {
      apply(step, frame);
      for (const p of Object.keys(step.set)) if (frame[p]) act(p, frame);
    }
  }

  order(frame) {
    // operands before their users, without recursion
    if (!this.orders.has(frame)) {
      const order = [];
      const state = new Map();
      for (const root of Object.keys(frame)) {
        const stack = [root];
        while (stack.length) {
          const p = stack.at(-1);
          if (state.get(p) !== 1) {
            if (state.has(p)) {
              stack.pop();
              continue;
            }
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
        for (const a of new Set(partsOf(frame[q]))) {
          if (!users.has(a)) users.set(a, []);
          users.get(a).push(q);
        }
      }
      this.readers.set(frame, users);
    }
    return this.readers.get(frame).get(p) ?? [];
  }
}

function apply(step, frame) {
  Object.assign(frame, step.set);
  for (const p of step.drop) delete frame[p];
}
