// Search: an operation, a name, a line, a round of a loop: exp, W, line 12, t = 3. Hits stay full,
// the rest pales; or the hits alone are shown, with what they need and what needs them.
import { button } from "./elements.js";
import { element } from "./elements.js";
import { plain } from "./elements.js";
import { partsOf } from "./frames.js";
import { roundsOf } from "./rounds.js";

export class Search {
  constructor(explorer) {
    this.explorer = explorer;
    this.box = element("input", {
      type: "search",
      "aria-label": "search: exp, W, line 12, t = 3",
      placeholder: "exp, W, line 12, t = 3",
    });
    this.result = element("span", { role: "status" });
    const words = "show the hits, their operands and their users alone";
    const state = { title: words, "aria-pressed": "false" };
    this.alone = button("Only these", () => this.show(), state);
    this.element = element(
      "div",
      { class: "search", hidden: true },
      this.box,
      this.result,
      this.alone,
      button("Next", () => this.next()),
      button("Close", () => this.close()),
    );
    this.box.addEventListener("input", () => this.find());
  }

  get isOpen() {
    return !this.element.hidden;
  }

  open() {
    if (this.explorer.page !== "picture") this.explorer.turn(this.explorer.page);
    this.element.hidden = false;
    this.box.focus({ preventScroll: true });
    this.box.select();
    this.find();
  }

  close() {
    this.element.hidden = true;
    this.explorer.matches = null;
    this.showAll();
    this.explorer.turnTo();
    this.explorer.keys.move(this.explorer.focus);
  }

  key(key) {
    if (key === "Escape") this.close();
    else this.next();
  }

  find() {
    const { explorer } = this;
    const words = this.box.value.trim().toLowerCase();
    this.showAll();
    const hits = words ? this.hits(words) : [];
    this.at = -1;
    this.list = hits;
    explorer.release();
    explorer.matches = words ? new Set(hits) : null;
    this.result.textContent = words ? `${hits.length} hits` : "";
    if (hits.length) explorer.view.show(hits[0]);
    explorer.turnTo();
  }

  hits(words) {
    // in reading order
    const { groups, model, shown } = this.explorer;
    const frame = model.frame(shown);
    const [, round] = words.match(/^(?:t|round|step) ?=? ?(\d+)$/) ?? [];
    const rounds = round && roundsOf(model, frame);
    return groups
      .inOrder(frame)
      .filter((p) => rounds ? rounds.get(p) === Number(round) : this.isHit(p, frame[p], words));
  }

  isHit(p, content, words) {
    const { model, formulas } = this.explorer;
    const { of } = model.parts[p];
    if (/^(line|cell) \d/.test(words)) {
      const at = plain(model.line(p)?.at ?? "").toLowerCase();
      const place = `, ${at},`.replace(/:(\d+),/, ", line $1,");
      return place.includes(`, ${words},`); // "cell 3, line 2" or "net.py:12"
    }
    const texts = [
      model.name(p),
      content[0],
      formulas.symbol(content),
      of ? model.name(of) : "",
    ];
    return (
      texts.some((text) => text.toLowerCase() === words) ||
      (words.length > 2 && model.name(p).toLowerCase().includes(words))
    );
  }

  // ---- the hits alone

  show() {
    // or all again
    const { view } = this.explorer;
    if (view.subset) return this.showAll();
    if (!this.list?.length) return;
    view.only(this.withNeighbours(this.list));
    this.alone.setAttribute("aria-pressed", "true");
    this.result.textContent = `${view.places.placed.length} parts`;
    view.show(this.list[0]);
  }

  showAll() {
    const { view } = this.explorer;
    if (!view.subset) return;
    view.only(null);
    this.alone.setAttribute("aria-pressed", "false");
    this.result.textContent = `${this.list.length} hits`;
    view.show(this.list[0]);
  }

  withNeighbours(hits) {
    const { model, shown } = this.explorer;
    const frame = model.frame(shown);
    const near = (p) => [...partsOf(frame[p]), ...model.users(frame, p)];
    return new Set(hits.flatMap((p) => [p, ...near(p)]));
  }

  next() {
    if (!this.list?.length) return;
    this.at = (this.at + 1) % this.list.length;
    const p = this.list[this.at];
    this.explorer.hover = p;
    this.explorer.reveal(p);
    this.explorer.view.show(p);
    this.result.textContent = `${this.at + 1} of ${this.list.length}`;
    this.explorer.turnTo();
  }
}
