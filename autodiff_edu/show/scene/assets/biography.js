// Behind "More": what happened to a part, step by step, and its line of the program.
import { button } from "./elements.js";
import { element } from "./elements.js";
import { plain } from "./elements.js";

const STORY = 12; // steps that are listed

export class Biography {
  constructor(explorer) {
    this.explorer = explorer;
  }

  rows(p) {
    const { model } = this.explorer;
    const steps = [];
    model.steps.forEach((step, k) => {
      if (step.part === p || step.set[p] || step.drop.includes(p)) steps.push([k + 1, step]);
    });
    const items = steps.slice(0, STORY).map(([k, step]) => {
      const verb = step.drop.includes(p) ? "goes" : step.part === p ? "changes" : "follows";
      return element(
        "li",
        {},
        button(`step ${k}`, () => this.explorer.go(k)),
        ` ${verb}: ${plain(step.rule)}`,
      );
    });
    if (steps.length > STORY) items.push(element("li", {}, `… and ${steps.length - STORY} more`));
    const list = items.length
      ? element("ul", { class: "biography" }, ...items)
      : element("p", { class: "soft" }, "No step touches it.");
    return [list, ...this.program(p)];
  }

  program(p) {
    const { program } = this.explorer.model.data;
    const line = Object.keys(program?.lines ?? {}).find((n) => program.lines[n].includes(p));
    if (!line) return [];
    return [
      element(
        "p",
        { class: "soft" },
        `program, line ${line}: `,
        element("code", {}, plain(program.text.split("\n")[line - 1].trim())),
      ),
    ];
  }
}
