// The head: the formulas, and at its right end the answer, which keeps its place and its size.
import { BECOMES } from "./elements.js";
import { brief } from "./elements.js";
import { element } from "./elements.js";
import { plain } from "./elements.js";
import { textWidth } from "./elements.js";
import { inWords } from "./numbers.js";
import { isArray } from "./numbers.js";
import { isKnown } from "./numbers.js";
import { number } from "./numbers.js";
import { same } from "./numbers.js";
import { shapeText } from "./numbers.js";

const LINE_LENGTH = 90; // letters of a formula
const ROUNDING = "the numbers on the way are rounded in another way.";
const ANSWERS = 3; // numbers in the answer

export class Head {
  constructor(explorer) {
    this.explorer = explorer;
    this.formulas = element("div", { class: "formulas" });
    this.answer = element("output");
    this.verdict = element("p");
    this.right = element("div", { class: "answer" }, this.answer, this.verdict);
    this.element = element("header", {}, this.formulas, this.right);
  }

  write() {
    const { explorer } = this;
    const { model, shown: k } = explorer;
    const cut = model.isLone ? explorer.cut : {}; // a derivative is that of the whole formula
    this.final = model.answer(k, explorer.at, cut);
    this.prior = k > model.end ? model.answer(k - 1, explorer.at, cut) : this.final;
    this.isBroken = this.prior.some((value, i) => !same(value, this.final[i]));
    this.writeAnswer();
    const pairs = model.outs[k].map((p, i) => [this.name(i), p]);
    const lines = model.isLone
      ? [this.line("v", pairs)]
      : [this.line("v", [[model.resultName, model.y]]), this.slopeLine(k, pairs)];
    this.formulas.replaceChildren(...lines);
    this.right.classList.toggle("broken", this.isBroken);
    this.verdict.replaceChildren(this.judge());
  }

  // ---- formulas

  slopeLine(k, pairs) {
    const { model } = this.explorer;
    const isOpen = k < model.end && model.data.mode !== "symbolic";
    if (!isOpen) return this.line("d", pairs);
    return element("div", {}, element("i", { class: "d" }, namesOf(pairs, ANSWERS)), " = …");
  }

  line(side, pairs) {
    // all formulas, or how many operations there are
    const { formulas, model, shown } = this.explorer;
    const frame = model.frame(shown);
    const texts = pairs.map(([, p]) => formulas.write(p, frame, 99, LINE_LENGTH));
    const name = (text) => element("i", { class: side }, brief(text, 40));
    const whole = element(
      "div",
      {},
      ...pairs.flatMap(([word], i) => [i ? ",   " : "", name(word), ` = ${texts[i]}`]),
    );
    if (!texts.includes(undefined) && this.fits(whole.textContent)) return whole;
    const count =
      side === "d" ? model.operations(shown) : formulas.operationCount(pairs[0][1], frame);
    const rest = `${count} operation${count === 1 ? "" : "s"}`;
    const word = [ANSWERS, 1]
      .map((most) => namesOf(pairs, most))
      .find((text) => this.fits(`${text}: ${rest}`));
    return element("div", {}, ...(word ? [name(word), ": "] : []), rest);
  }

  fits(text) {
    const { clientWidth } = this.formulas;
    return !clientWidth || textWidth(text, this.explorer.isNarrow ? 20 : 22) <= clientWidth;
  }

  name(i) {
    // of a result: y′ of one input, else ∂y/∂x₁
    const { model } = this.explorer;
    const y = model.resultName;
    const many = Object.keys(model.data.at).length > 1 || model.data.wrt.length > 1;
    if (model.isLone) {
      return this.final.length > 1 ? model.name(model.outs[this.explorer.shown][i]) : y;
    }
    if (i >= model.data.wrt.length) return plain(model.parts[model.data.outs[i]]?.text ?? y);
    return many ? `∂${y}/∂${model.name(model.data.wrt[i] ?? model.data.wrt[0])}` : `${y}′`;
  }

  // ---- the answer

  writeAnswer() {
    const { explorer } = this;
    const { model } = explorer;
    const { length } = this.final;
    const isAbout = (p) => [p, model.placeOf[p]].includes(explorer.pointed);
    const one = [Math.max(0, model.data.wrt.findIndex(isAbout))];
    const write = (shown) =>
      this.answer.replaceChildren(
        ...shown.map((i) =>
          element("span", {}, brief(this.name(i), 16) + this.point() + this.value(i)),
        ),
        shown.length < length ? element("small", {}, `and ${length - 1} more`) : "",
      );
    write(length > ANSWERS ? one : [...this.final.keys()]);
    if (this.answer.scrollWidth > this.answer.clientWidth) write(one);
    this.answer.hidden = !this.final.some((value) => value !== undefined);
  }

  point() {
    // (3), if there is one input
    const inputs = Object.keys(this.explorer.model.data.at);
    const value = this.explorer.at[inputs[0]];
    return inputs.length === 1 && typeof value === "number" ? `(${number(value)})` : "";
  }

  value(i) {
    const [before, after] = [this.prior[i], this.final[i]];
    const text = (value) =>
      isArray(value) && this.final.length > 1 ? shapeText(value.shape) : inWords(value);
    const sign = text(after)[0] === "(" ? ": shape " : " = "; // a shape is no value
    const change = this.isBroken && !same(before, after) ? `${text(before)} ${BECOMES} ` : "";
    return sign + change + text(after);
  }

  judge() {
    // one sentence under the answer
    const { explorer } = this;
    const { model, shown: k } = explorer;
    const step = model.steps[k - 1];
    if (this.isBroken) {
      const why = this.isFinite() ? ROUNDING : step.note || "overflow came out another way.";
      return `“${plain(step.rule)}” changed it here: ${plain(why)}`;
    }
    const [cut] = Object.keys(explorer.cut);
    if (cut && !model.isLone) {
      return `of the whole formula; ${brief(model.name(cut), 12) || "a number"} is cut off from it`;
    }
    if (k && k < model.end && model.data.mode === "reverse") return this.soFar();
    if (this.final.every(isKnown) && (k > model.end || (k && model.data.mode === "symbolic"))) {
      return "the same after every step";
    }
    const inputs = Object.keys(model.data.at);
    if (!inputs.length) return "";
    const list = inputs
      .slice(0, 4)
      .map((p) => `${brief(model.name(p), 12)} = ${inWords(explorer.at[p], (v) => number(v, 3))}`);
    return inputs.length > 1 ? `at ${list.join(", ")}${inputs.length > 4 ? ", …" : ""}` : "";
  }

  isFinite() {
    // are all numbers finite, before the step and after it?
    const numbers = [...this.prior, ...this.final].flatMap((value) =>
      isArray(value) ? Array.from(value.data ?? []) : [value],
    );
    return numbers.every(Number.isFinite);
  }

  soFar() {
    const { model, shown, values } = this.explorer;
    const texts = model.outs[shown]
      .slice(0, ANSWERS)
      .map((p) => `${model.name(p)} = ${values[p] === undefined ? "–" : inWords(values[p])}`);
    return `so far: ${texts.join(",  ")}`;
  }
}

function namesOf(pairs, most) {
  // the names, or the first one where there are more
  const names = pairs.map(([name]) => name);
  return names.length > most ? `${names[0]} and ${names.length - 1} more` : names.join(", ");
}
