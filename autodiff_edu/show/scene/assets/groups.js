// Groups: rounds of a loop, calls and lines are boxes that open in place. Which are open, and what
// they hold. A group of values and that of their derivatives open together.
import { element } from "./elements.js";
import { soft } from "./elements.js";
import { isOperation } from "./frames.js";
import { partsOf } from "./frames.js";
import { Opening } from "./opening.js";

export class Groups {
  constructor(model) {
    this.model = model;
    this.open = new Set(); // groups of values
    this.twins = new Map(); // group of values → that of their derivatives
    this.members = new Map([["", []]]); // those around others come first
    this.lines = new Map([["", []]]); // group → the bends of the edges in it
    const { parts, data } = model;
    for (const [p, { group, of }] of Object.entries(parts)) {
      if (group === undefined) continue;
      if (of) this.twins.set(of, p);
      else this.members.set(p, []) && this.lines.set(p, []);
    }
    for (const p of Object.keys(parts)) {
      if (parts[p].x !== undefined) this.members.get(this.value(parts[p].in ?? "")).push(p);
    }
    for (const [edge, line] of Object.entries(data.bends ?? {})) {
      this.lines.get(this.value(parts[edge.split(">")[0]].in ?? "")).push([edge, line]);
    }
    this.frames = new WeakMap();
    this.place();
  }

  get exist() {
    return this.members.size > 1;
  }
  get all() {
    // where everything stands if all are open
    return (this.everything ??= new Opening(this, new Set(this.members.keys())));
  }

  place() {
    this.now = new Opening(this, this.open);
  }

  toggle(p) {
    const g = this.value(p);
    if (!this.open.delete(g)) this.open.add(g);
    this.place();
  }

  toggleAll() {
    this.open = new Set(this.open.size ? [] : this.members.keys());
    this.place();
  }

  reveal(p) {
    // true if a group had to be opened
    const closed = this.around(p)
      .map((g) => this.value(g))
      .filter((g) => !this.open.has(g));
    for (const g of closed) this.open.add(g);
    if (closed.length) this.place();
    return closed.length > 0;
  }

  // ---- who is in which

  is(p) {
    return this.model.parts[p]?.group !== undefined;
  }
  value(g) {
    return this.twins.has(g) || !g ? g : (this.model.parts[g].of ?? g);
  }
  side(p) {
    return !this.model.isLone && this.model.isDerivative(p) ? 1 : 0;
  }

  around(p) {
    // the group in which a part stands, the one around it, and so on
    const chain = [];
    for (let g = this.model.parts[p]?.in; g; g = this.model.parts[g].in) chain.push(g);
    return chain;
  }

  inOrder(frame) {
    // the parts as one reads them, row by row
    const { at } = this.all;
    return Object.keys(frame)
      .filter((p) => at[p])
      .sort((p, q) => at[p][1] - at[q][1] || at[p][0] - at[q][0]);
  }

  seen(p) {
    // the part, or the closed group in which it is
    return this.around(p).findLast((g) => !this.open.has(this.value(g))) ?? p;
  }

  lift(a, p) {
    // what stands beside p, and is a or has it inside
    const within = this.model.parts[p].in;
    return [a, ...this.around(a)].find((q) => this.model.parts[q].in === within);
  }

  operands(content, p) {
    // of a part: the parts and groups beside it
    return partsOf(content)
      .map((a) => this.lift(a, p))
      .filter(Boolean);
  }

  // ---- what they hold

  frame(k) {
    // part or group → content
    const frame = this.model.frame(k);
    if (!this.exist) return frame;
    if (!this.frames.has(frame)) this.frames.set(frame, { ...frame, ...this.contents(frame) });
    return this.frames.get(frame);
  }

  contents(frame) {
    // of each group what its members need of others, one way, and how many operations it has
    const contents = {};
    for (const [p, content] of Object.entries(frame)) {
      for (const g of this.around(p)) {
        contents[g] ??= ["group", new Set(), { count: 0 }];
        if (isOperation(content)) contents[g][2].count++;
        for (const a of this.operands(content, g)) {
          if (a !== g && !contents[a]?.[1].has?.(g)) contents[g][1].add(a);
        }
      }
    }
    for (const content of Object.values(contents)) content[1] = [...content[1]];
    return contents;
  }

  words([, , { count }]) {
    return `${count} operation${count === 1 ? "" : "s"}`;
  }

  rows(p, content) {
    // of the card: its label, what it makes, and what a click does
    const name = this.model.name(p);
    const act = this.open.has(this.value(p)) ? "close" : "open";
    return [
      element("h2", {}, this.model.parts[p].group),
      element("p", {}, this.words(content) + (name && `, of them ${name} used elsewhere`)),
      soft(`Click, or press Enter: the group ${act}s.`),
    ];
  }
}
