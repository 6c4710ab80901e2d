// Behind "More": the life of a part: the line that wrote it, its value, what each step did to it
// and to its derivative, and its line of the program.
import { brief } from "./elements.js";
import { button } from "./elements.js";
import { element } from "./elements.js";
import { plain } from "./elements.js";
import { inWords } from "./numbers.js";

const STORY = 12; // steps that are listed

export class Biography {
  constructor(explorer) {
    this.explorer = explorer;
  }

  rows(p) {
    const { model } = this.explorer;
    const place = model.placeOf[p];
    const steps = [...this.steps(p, ""), ...(place ? this.steps(place, this.slope()) : [])];
    steps.sort(([k], [n]) => k - n);
    const items = [
      ...this.birth(p),
      ...steps.slice(0, STORY).map(([k, words]) => this.row(k, words)),
    ];
    if (steps.length > STORY) items.push(element("li", {}, `… and ${steps.length - STORY} more`));
    if (!steps.length) items.push(element("li", {}, "no step touches it"));
    const lines = [p, place].filter(Boolean).flatMap((q) => this.program(q));
    return [element("ul", { class: "biography" }, ...items, ...lines)];
  }

  slope() {
    return this.explorer.model.slopes()[0].replace(/s$/, "");
  }

  birth(p) {
    // the user's line, and the value
    const { model, values } = this.explorer;
    const line = model.line(p);
    if (model.isDerivative(p)) return [];
    const rows = model.data.first[p]?.[0] === "input" ? ["an input"] : [];
    if (line) rows.push(`written at ${plain(line.at)}: ${brief(plain(line.code), 120)}`);
    if (values[p] !== undefined) rows.push(`value ${inWords(values[p])}`);
    return rows.map((text) => element("li", {}, text));
  }

  steps(p, whose) {
    // what happens to it, and why that is allowed
    const all = [];
    this.explorer.model.steps.forEach((step, k) => {
      if (step.part !== p && !step.set[p] && !step.drop.includes(p)) return;
      const verb = step.drop.includes(p) ? "goes" : step.part === p ? "changes" : "follows";
      const reason = step.reason && step.part === p ? ` (${plain(step.reason)})` : "";
      all.push([k + 1, `${whose} ${verb}: ${plain(step.rule)}${reason}`]);
    });
    return all;
  }

  row(k, words) {
    const go = () => this.explorer.go(k);
    return element("li", {}, button(`step ${k}`, go), ` ${words.trim()}`);
  }

  program(p) {
    const { program } = this.explorer.model.data;
    const line = Object.keys(program?.lines ?? {}).find((n) => program.lines[n].includes(p));
    if (!line) return [];
    const code = element("code", {}, plain(program.text.split("\n")[line - 1].trim()));
    return [element("li", {}, `program, line ${line}: `, code)];
  }
}
