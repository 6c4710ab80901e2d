// The last stop: the graph as the program that runs, beside its picture; each lights the other.
import { element } from "./elements.js";
import { plain } from "./elements.js";
import { soft } from "./elements.js";

export class Program {
  constructor(explorer) {
    this.explorer = explorer;
  }

  rows() {
    // only lines that compute, the head and what is returned
    const { isLone } = this.explorer.model;
    const { text, lines } = this.explorer.model.data.program;
    const pre = element("pre", { tabindex: 0, "aria-label": "program" });
    const rows = text.split("\n");
    const last = Math.max(0, ...Object.keys(lines).map(Number));
    const end = rows.findIndex((row, n) => n >= last && /^\s*return /.test(row));
    rows.forEach((row, n) => {
      if (lines[n + 1] || n === end || /^\s*def /.test(row)) {
        pre.append(this.line(row, lines[n + 1] ?? []));
      }
    });
    return [
      element("h2", {}, `The ${isLone ? "result" : "derivative"}, as a program`),
      pre,
      soft("Point at a line: it lights what it computes."),
      soft("The program has names of its own."),
    ];
  }

  line(text, parts) {
    const { explorer } = this;
    const row = element("span", {}, plain(text.replace(/^ {8}/, "    ")));
    const light = (isLit) => {
      row.classList.toggle("lit", isLit);
      explorer.matches = isLit && parts.length ? new Set(parts) : null;
      explorer.view.draw();
    };
    row.addEventListener("pointerenter", () => light(true));
    row.addEventListener("pointerleave", () => light(false));
    row.parts = parts;
    return row;
  }
}
