// The foot: buttons, what the step does, and one track: build | derive | simplify | program.
import { BECOMES } from "./elements.js";
import { button } from "./elements.js";
import { element } from "./elements.js";
import { plain } from "./elements.js";

const named = (words, key) => ({ "aria-label": words, title: `${words} (key ${key})` });
const MARKS = 60; // stops, from which on a group is one bar

export class Track {
  constructor(explorer) {
    this.explorer = explorer;
    const { model } = explorer;
    const words = model.last ? "Press ▶, or pull a number." : "Pull a number.";
    this.hint = Object.keys(model.start).length ? words : model.last ? "Press ▶." : "";
    this.back = button("◀", () => explorer.go(explorer.k - 1), named("one step back", "b"));
    this.next = button("▶", () => explorer.steps.step(), named("one step on", "n"));
    const help = named("every key, and what it does", "?");
    this.helpButton = button("?", () => explorer.turn("help"), help);
    this.rule = element("b");
    this.equation = element("span", { class: "equation" });
    this.count = element("span", { class: "count" });
    this.stops = element("div", {
      class: "stops",
      role: "slider",
      tabindex: 0,
      "aria-label": "steps",
      "aria-valuemin": 0,
      "aria-valuemax": explorer.stops,
    });
    const line = element("div", { class: "words" }, this.rule, this.equation, this.count);
    this.element = element(
      "footer",
      {},
      this.back,
      this.next,
      element("div", { class: "track" }, line, this.stops),
      this.helpButton,
    );
  }

  groups() {
    const { model, stops } = this.explorer;
    const { end, last } = model;
    return [
      ["build", 0, 0],
      ["derive", 1, end],
      ["simplify", end + 1, last],
      ["program", last + 1, stops],
    ].filter(([, first, final]) => first <= final);
  }

  fill() {
    // a mark for each stop, or a bar where there are many
    const { explorer } = this;
    this.marks = new Map();
    this.bars = [];
    this.stops.replaceChildren(
      ...this.groups().map(([name, first, final]) => {
        const length = final - first + 1;
        const most = explorer.isNarrow ? 5 : MARKS; // on a phone a finger finds each mark
        const isBar = explorer.stops > most && length > 2;
        const group = element("div", { class: "group" }, element("em", {}, name));
        group.style.flex = `${isBar ? 30 : length} 1 auto`;
        group.style.maxWidth = isBar ? "none" : `${length * 40 + 90}px`;
        if (isBar) group.append(this.bar(first, final));
        else for (let k = first; k <= final; k++) group.append(this.mark(k, name));
        return group;
      }),
    );
  }

  mark(k, name) {
    const mark = element("i", {
      class: "mark",
      title: plain(this.explorer.model.steps[k - 1]?.rule ?? name),
    });
    mark.addEventListener("click", () => this.explorer.go(k));
    mark.classList.toggle("broken", this.isBreak(k));
    this.marks.set(k, mark);
    return mark;
  }

  bar(first, final) {
    const filling = element("i");
    const bar = element("div", { class: "bar" }, filling);
    const share = (k) => (k - first + 1) / (final - first + 1);
    for (let k = first; k <= final; k++) {
      if (!this.isBreak(k)) continue;
      const stop = element("i", { class: "break" });
      stop.style.left = `${100 * share(k)}%`;
      bar.append(stop);
    }
    bar.addEventListener("pointerdown", (event) => {
      const move = ({ clientX }) => {
        const box = bar.getBoundingClientRect();
        const part = Math.max(0, Math.min(1, (clientX - box.left) / box.width));
        this.explorer.go(first + Math.round(part * (final - first)));
      };
      move(event);
      this.explorer.hands.follow(event, bar, move, () => {});
    });
    this.bars.push([filling, (k) => `${100 * Math.max(0, Math.min(1, share(k)))}%`]);
    return bar;
  }

  isBreak(k) {
    // does the answer change in this step? Python's answers tell where there are many
    const { model, stops } = this.explorer;
    if (k <= model.end || k > model.last) return false;
    if (stops <= MARKS) return model.isBroken(k);
    const [before, after] = [k - 1, k].map((at) => JSON.stringify(model.data.answers?.[at]));
    return before !== after && model.isBroken(k);
  }

  // ---- words

  words() {
    // of the stop, for a screen reader
    const { k, model, isProgram } = this.explorer;
    const step = model.steps[k - 1];
    if (isProgram) return "program";
    if (!step) return "build";
    const count = `${model.operations(k)} operations`;
    return `step ${k} of ${model.last}: ${plain(step.rule)}: ${plain(step.eq)}; ${count}`;
  }

  write() {
    const { k, stops, model, isProgram, steps } = this.explorer;
    const step = model.steps[k - 1];
    this.rule.textContent = step ? plain(step.rule) : isProgram ? "program" : "";
    this.equation.textContent = step
      ? this.equationText(step)
      : isProgram
        ? "the same graph, as Python"
        : this.hint;
    if (k) this.hint = "";
    if (!steps.isCounting) this.writeCount(k);
    for (const [at, mark] of this.marks) {
      mark.classList.toggle("done", at < k);
      mark.classList.toggle("now", at === k);
    }
    for (const [filling, share] of this.bars) filling.style.width = share(k);
    this.back.disabled = k === 0;
    this.next.disabled = k === stops;
    this.stops.setAttribute("aria-valuenow", k);
    this.stops.setAttribute("aria-valuetext", this.words());
  }

  equationText(step) {
    const [now, all] = step.seen ?? [1, 1];
    return plain(step.eq) + (all > 1 ? `   (use ${now} of ${all})` : "");
  }

  writeCount(k) {
    // once a step
    const { model } = this.explorer;
    const shown = Math.min(k, model.last);
    const now = model.operations(shown);
    const before = k && k <= model.last ? model.operations(shown - 1) : now;
    const isOpen = !now && k < model.end; // nothing is derived yet
    const same = isOpen ? "no operation yet" : `operations ${now}`;
    this.count.textContent =
      before === now ? same : `operations ${before} ${BECOMES} ${now}`;
  }
}
