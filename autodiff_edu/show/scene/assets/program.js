// The last stop: the graph as the program that runs, and the user's own lines, beside its picture;
// each lights the others.
import { element } from "./elements.js";
import { plain } from "./elements.js";
import { soft } from "./elements.js";

export class Program {
  constructor(explorer) {
    this.explorer = explorer;
  }

  rows() {
    const word = this.explorer.model.isLone ? "result" : "derivative";
    return [
      ...this.list(`The ${word}, as a program`, this.program()),
      soft("Point at a line: it lights its parts. Names are those of the program."),
      ...this.list("Your code", this.yours()),
    ];
  }

  program() {
    // only lines that compute, the head and what is returned
    const { text, lines } = this.explorer.model.data.program;
    const rows = text.split("\n").map((row, n) => [row, lines[n + 1], n]);
    const last = Math.max(0, ...Object.keys(lines).map(Number));
    const end = rows.findIndex(([row, , n]) => n >= last && /^\s*return /.test(row));
    return rows.filter(([row, parts, n]) => parts || n === end || /^\s*def /.test(row));
  }

  yours() {
    // each line with the values that it made, and their derivatives
    const { model } = this.explorer;
    const all = Object.keys(model.frame(model.last));
    return (model.data.lines ?? []).map((line) => [
      line.code,
      all.filter((p) => model.line(p) === line),
    ]);
  }

  list(title, rows) {
    const lines = rows.map(([text, parts = []]) => this.line(text, parts));
    const list = element("pre", { tabindex: 0, "aria-label": title }, ...lines);
    return rows.length ? [element("h2", {}, title), list] : [];
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
