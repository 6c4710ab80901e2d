// The rows of the card about a part's value: how it was computed, its adjoint, the terms of a sum.
import { element } from "./elements.js";
import { isOperation } from "./frames.js";
import { NEEDS } from "./numbers.js";
import { inWords } from "./numbers.js";
import { isArray } from "./numbers.js";
import { shapeText } from "./numbers.js";
import { termsOf } from "./pull.js";

export class Facts {
  constructor(explorer) {
    this.explorer = explorer;
  }

  rows(p, content) {
    const { explorer } = this;
    const { model, values } = explorer;
    const value = values[p];
    const rows = [];
    const add = (text, soft) => rows.push(element("p", { class: soft && "soft" }, text));
    if (p in explorer.cut) add(this.cutOff(p, content));
    else if (value === NEEDS) add("needs Python: this page cannot compute it at other numbers");
    else if (isOperation(content) && value !== undefined) {
      add(`= ${explorer.formulas.inNumbers(content, values)} = ${inWords(value)}`);
    } else if (content[0] === "D") {
      add(value === undefined ? "not taken yet" : `not taken yet; it will be ${inWords(value)}`);
    } else if (content[0] === "tie") {
      const other = explorer.formulas.shownName(content[1][0]);
      const same = other ? `the same node as ${other}, handed on: ` : "";
      add(`${same}= ${inWords(value)}, no operation of its own`);
    } else if (content[0] === "empty") add("nothing yet: no step has come here", true);
    if (isArray(value)) add(`shape ${shapeText(value.shape)}`, true);
    if (model.idle(explorer.shown).includes(p)) add("no longer needed by the answer", true);
    const slope = this.slope(p, content);
    if (slope) add(slope);
    const terms = termsOf(explorer, model.placeOf[p] ?? p);
    if (terms) add(terms);
    const { of } = model.parts[p];
    if (of && model.data.mode !== "reverse" && content[0] !== "empty") {
      const x = model.name(model.data.wrt[0]);
      add(`how far ${model.name(of)} moves with ${x}: to see it, pull ${x}`, true);
    }
    return rows;
  }

  cutOff(p, content) {
    const { explorer } = this;
    const before = explorer.model.values(explorer.shown, explorer.at);
    const was = `${explorer.formulas.inNumbers(content, before)} = ${inWords(before[p])}`;
    return `cut off: was ${was}, is ${inWords(explorer.values[p])}`;
  }

  slope(p, content) {
    // of a value: its adjoint, or its slope
    const { model, at, cut, shown } = this.explorer;
    const place = model.placeOf[p];
    if (model.isDerivative(p) || !place) return undefined;
    const now = model.values(Math.max(shown, model.end), at, cut)[place];
    const value = now ?? model.values(model.end, at, cut)[place]; // no longer computed
    const name = model.name(p);
    if (value === undefined || (model.data.mode !== "reverse" && content[0] === "input")) {
      return undefined;
    }
    if (model.data.mode === "reverse") {
      return `adjoint ∂${model.resultName}/∂${name} = ${inWords(value)}`;
    }
    return `slope d${name}/d${model.name(model.data.wrt[0])} = ${inWords(value)}`;
  }
}
