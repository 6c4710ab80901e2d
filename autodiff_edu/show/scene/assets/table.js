// The nodes as a table: Baydin's. For screen readers, phones, print, and for who prefers rows.
import { brief } from "./elements.js";
import { button } from "./elements.js";
import { element } from "./elements.js";
import { plain } from "./elements.js";
import { region } from "./elements.js";
import { soft } from "./elements.js";
import { operandsOf } from "./frames.js";
import { isPart } from "./frames.js";
import { inWords } from "./numbers.js";

const ROWS = 400; // rows at once

export class Table {
  constructor(explorer) {
    this.explorer = explorer;
    this.element = region("table", "table of nodes");
  }

  open() {
    this.write();
    this.element.focus({ preventScroll: true });
    this.explorer.say("table of nodes");
  }

  write() {
    const { model, shown, at, cut, values } = this.explorer;
    const frame = model.frame(shown);
    const end = model.values(Math.max(shown, model.end), at, cut);
    const reverse = model.data.mode === "reverse";
    const slope = model.isLone ? [] : [reverse ? "adjoint" : "slope"];
    const isSmall = this.explorer.isNarrow;
    const more = isSmall ? [] : ["operands", "rule", "line"];
    const titles = ["name", "formula", "value", ...slope, ...more];
    const parts = this.parts(frame);
    const rows = parts.slice(0, ROWS).map((p) => {
      const place = model.placeOf[p];
      const cells = [this.formula(p, frame), inWords(values[p])];
      if (slope.length) cells.push(place && end[place] !== undefined ? inWords(end[place]) : "");
      if (!isSmall) cells.push(this.operands(frame[p], frame), this.rule(p), this.line(p));
      const name = button(this.name(p), () => this.choose(p));
      return element(
        "tr",
        { class: model.isDerivative(p) ? "d" : "v" },
        element("th", { scope: "row" }, name),
        ...cells.map((text, k) =>
          element("td", { class: k && k <= 1 + slope.length && "number" }, text),
        ),
      );
    });
    const head = element(
      "tr",
      {},
      ...titles.map((title) => element("th", { scope: "col" }, title)),
    );
    const rest =
      parts.length > ROWS
        ? soft(`… and ${parts.length - ROWS} more; search finds them.`)
        : "";
    this.element.replaceChildren(
      element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows)),
      rest,
    );
  }

  parts(frame) {
    // in reading order: the values, then what the derivative holds
    const { groups, model } = this.explorer;
    const all = groups.inOrder(frame).filter((p) => frame[p][0] !== "empty");
    const sides = [false, true].map((side) => all.filter((p) => model.isDerivative(p) === side));
    return sides.flat();
  }

  choose(p) {
    // back in the picture, at this part
    this.explorer.turn("table");
    this.explorer.reveal(p);
    this.explorer.pin(p);
    this.explorer.keys.move(p);
    this.explorer.pin(p);
  }

  name(p) {
    const { model } = this.explorer;
    const { kind, to } = model.parts[p];
    return brief(model.name(p) || (to ? `${kind} of ${model.name(to)}` : kind), 24);
  }

  formula(p, frame) {
    return frame[p][0] === "input"
      ? "input"
      : (this.explorer.formulas.write(p, frame, 1, 60) ?? "…");
  }

  operands(content, frame) {
    const { formulas, model } = this.explorer;
    const text = (a) => model.name(a) || formulas.write(a, frame, 1, 24) || "…";
    return operandsOf(content)
      .map((a) => (isPart(a) ? text(a) : formulas.constant(a)))
      .join(", ");
  }

  rule(p) {
    const { model, shown } = this.explorer;
    return plain(model.steps[model.maker(p, shown) - 1]?.rule ?? "");
  }

  line(p) {
    return plain(this.explorer.model.line(p)?.at ?? "");
  }
}
