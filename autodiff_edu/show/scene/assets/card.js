// The docked card: what one points at, in five rows at most; at the end of the track the program.
import { brief } from "./elements.js";
import { button } from "./elements.js";
import { element } from "./elements.js";
import { plain } from "./elements.js";
import { Biography } from "./biography.js";
import { entryFields } from "./fields.js";
import { numberField } from "./fields.js";
import { isOperation } from "./model.js";
import { inWords } from "./numbers.js";
import { isArray } from "./numbers.js";
import { shapeText } from "./numbers.js";
import { Program } from "./program.js";
import { measurement } from "./pull.js";
import { termsOf } from "./pull.js";
import { Ways } from "./ways.js";

const TITLE = 160; // letters of a formula

export class Card {
  constructor(explorer) {
    this.explorer = explorer;
    this.element = element("aside", { "aria-label": "card" });
    this.biography = new Biography(explorer);
    this.program = new Program(explorer);
    this.isMore = false;
  }

  write() {
    const { explorer } = this, p = explorer.pointed, held = p && explorer.model.frame(explorer.shown)[p];
    if (explorer.isProgram && !explorer.pinned) return this.writeProgram(p);
    this.isListing = false;
    const about = held ? p : null, focus = explorer.root.activeElement;
    if (focus?.tagName === "INPUT" && this.element.contains(focus) && this.about === about) return this.refresh();
    if (this.about !== about) this.isMore = false;
    this.about = about;
    this.measure = undefined;
    this.element.replaceChildren(...(held ? this.rows(p, held) : this.atRest()));
  }

  writeProgram(p) { // stays, and lights the line of what one points at
    if (!this.isListing) this.element.replaceChildren(...this.program.rows());
    this.isListing = true;
    this.about = null;
    for (const row of this.element.querySelectorAll("pre span")) row.classList.toggle("lit", row.parts.includes(p));
  }

  refresh() { // somebody types: only what follows from the number is written anew
    const rows = measurement(this.explorer, this.about);
    this.measure?.replaceChildren(...rows);
    if (this.measure) this.measure.hidden = !rows.length;
  }

  atRest() {
    const { explorer } = this;
    const words = explorer.view.places?.hasNumbers === false ? "Point at a node." : "Point at a node. Pull a number sideways.";
    const tools = explorer.help.tools().map(([name, act, key]) => button(name, act, { class: "tool", title: `key ${key}` }));
    return [element("p", { class: "soft" }, words), element("div", { class: "tools" }, ...tools)];
  }

  rows(p, held) {
    const { explorer } = this, isInput = held[0] === "input";
    const rows = [element("h2", {}, this.title(p, held)), ...this.values(p, held)];
    if (p in explorer.cut || (isInput && explorer.hasMoved)) {
      this.measure = element("p", { class: "measure" }, ...measurement(explorer, p));
      this.measure.hidden = !this.measure.childNodes.length;
      rows.push(this.measure);
    }
    rows.push(...this.fields(p, held), ...this.origin(p), this.buttons(p));
    if (explorer.ways) rows.push(explorer.ways.list());
    if (this.isMore) rows.push(...this.biography.rows(p));
    return rows;
  }

  title(p, held) {
    const { model, formulas, values, shown } = this.explorer, name = brief(model.name(p), TITLE);
    if (held[0] === "input") return `${name} = ${inWords(values[p])}`;
    const text = formulas.write(p, model.frame(shown), 1, TITLE) ?? `${formulas.symbol(held)}(…)`;
    return name ? `${name} = ${text}` : text;
  }

  // ---- value, derivative, terms

  values(p, held) {
    const { explorer } = this, { model, values } = explorer, value = values[p], rows = [];
    const add = (text, soft) => rows.push(element("p", { class: soft && "soft" }, text));
    if (p in explorer.cut) add(this.cutOff(p, held));
    else if (isOperation(held) && value !== undefined) add(`= ${explorer.formulas.inNumbers(held, values)} = ${inWords(value)}`);
    else if (held[0] === "D") add(value === undefined ? "not taken yet" : `not taken yet; it will be ${inWords(value)}`);
    else if (held[0] === "tie") add(`= ${inWords(value)}, no operation of its own`);
    else if (held[0] === "empty") add("nothing yet: no step has come here", true);
    if (isArray(value)) add(`shape ${shapeText(value.shape)}`, true);
    if (model.idle(explorer.shown).includes(p)) add("no longer needed by the answer", true);
    const slope = this.slope(p, held);
    if (slope) add(slope);
    const terms = termsOf(explorer, model.placeOf[p] ?? p);
    if (terms) add(terms);
    if (model.isDerivative(p) && model.parts[p].of && model.data.mode !== "reverse" && held[0] !== "empty") {
      const x = model.name(model.data.wrt[0]);
      add(`how far ${model.name(model.parts[p].of)} moves with ${x}: to see it, pull ${x}`, true);
    }
    return rows;
  }

  cutOff(p, held) {
    const { explorer } = this, before = explorer.model.values(explorer.shown, explorer.at);
    return `cut off: was ${explorer.formulas.inNumbers(held, before)} = ${inWords(before[p])}, is ${inWords(explorer.values[p])}`;
  }

  slope(p, held) { // of a value: its adjoint, or its slope
    const { model, at, cut, shown } = this.explorer, place = model.placeOf[p];
    if (model.isDerivative(p) || !place) return undefined;
    const value = model.values(Math.max(shown, model.end), at, cut)[place], name = model.name(p);
    if (value === undefined || (model.data.mode !== "reverse" && held[0] === "input")) return undefined;
    if (model.data.mode === "reverse") return `adjoint ∂${model.data.name}/∂${name} = ${inWords(value)}`;
    return `slope d${name}/d${model.name(model.data.wrt[0])} = ${inWords(value)}`;
  }

  // ---- what one can do

  fields(p, held) {
    const { explorer } = this;
    if (explorer.pinned !== p || explorer.model.isDerivative(p)) return [];
    if (explorer.isHandle(p)) return [numberField(explorer, p)];
    return held[0] === "input" ? entryFields(explorer, p) : [];
  }

  origin(p) { // the line of code, and the rule
    const { model, shown } = this.explorer, line = model.data.lines?.[model.parts[p].line ?? model.parts[model.parts[p].of]?.line];
    const rows = [], k = model.steps.slice(0, shown).findLastIndex((step) => step.set[p]);
    if (line) rows.push(element("p", { class: "soft" }, `${plain(line.at)}: `, element("code", {}, brief(plain(line.code), 120))));
    if (model.isMine(p) && k >= 0) rows.push(element("p", { class: "soft" }, `made by step ${k + 1}: ${plain(model.steps[k].rule)}`));
    return rows;
  }

  buttons(p) {
    const { explorer } = this, isValue = !explorer.model.isDerivative(p), row = element("div", { class: "buttons" });
    if (isValue && p !== explorer.model.y) row.append(button(`Ways to ${brief(explorer.model.data.name, 12)}`, () => this.showWays(p), { "aria-pressed": !!explorer.ways }));
    row.append(button(this.isMore ? "Less" : "More", () => {
      this.isMore = !this.isMore;
      this.explorer.pin(p);
    }));
    if (explorer.hasMoved) row.append(button("Put back", () => explorer.putBack(), { title: "key Esc" }));
    return row;
  }

  showWays(p) {
    const { explorer } = this, ways = explorer.ways ? null : new Ways(explorer, p);
    explorer.pin(p);
    explorer.ways = ways;
    explorer.turnTo();
    if (ways) explorer.say(ways.summary());
  }
}
