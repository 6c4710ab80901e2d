// A derivative that one can step through, point at and pull: the state, and who shows it.
//
// mount(host, data, style) fills a shadow root of the host. All state is in the Explorer, so several
// of them on a page do not know of each other.
import { Card } from "./card.js";
import { element } from "./elements.js";
import { Formulas } from "./formulas.js";
import { Hands } from "./hands.js";
import { Head } from "./head.js";
import { Help } from "./help.js";
import { Keys } from "./keys.js";
import { Model } from "./model.js";
import { same } from "./numbers.js";
import { Search } from "./search.js";
import { Steps } from "./steps.js";
import { Table } from "./table.js";
import { Track } from "./track.js";
import { View } from "./view.js";

const NARROW = 700; // pixels, below which the card is a sheet under the picture
const CARD = 280;

export function mount(host, data, style = "") {
  return new Explorer(host, data, style);
}

export class Explorer {
  constructor(host, data, style) {
    this.host = host;
    this.model = new Model(data);
    this.formulas = new Formulas(this.model);
    this.k = 0; // the stop of the track: a frame, or behind the last one the program
    this.stops = this.model.last + (data.program ? 1 : 0);
    this.at = this.model.start;
    this.cut = {}; // part → the value to which an inner number was pulled
    this.pinned = this.hover = this.focus = null;
    this.ringed = new Set();
    this.matches = this.ways = null;
    this.isPulling = false;
    this.page = "picture";
    this.build(style);
    this.update();
  }

  get shown() { return Math.min(this.k, this.model.last); }
  get isProgram() { return this.k > this.model.last; }
  get pointed() { return this.pinned ?? this.hover; }
  get hasMoved() { return this.at !== this.model.start || Object.keys(this.cut).length > 0; }

  // ---- the page

  build(style) {
    this.host.setAttribute("data-lm-suppress-shortcuts", "true"); // JupyterLab leaves the keys to us
    this.root = this.host.shadowRoot ?? this.host.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    this.root.adoptedStyleSheets = [sheet];
    this.head = new Head(this);
    this.view = new View(this);
    this.card = new Card(this);
    this.steps = new Steps(this);
    this.track = new Track(this);
    this.table = new Table(this);
    this.help = new Help(this);
    this.search = new Search(this);
    this.status = element("div", { class: "status", role: "status" });
    this.stage = element("div", { class: "stage" }, this.view.element, this.table.element, this.help.element, this.search.element);
    const title = this.model.data.title ?? this.model.data.name;
    this.element = element("section", { class: "explorer", "aria-label": `Explorer: ${title}` },
      this.head.element, this.stage, this.card.element, this.track.element, this.status);
    this.root.replaceChildren(this.element);
    this.hands = new Hands(this);
    this.keys = new Keys(this);
    this.followTheme();
    this.watch = new ResizeObserver(() => this.lay());
    this.watch.observe(this.element);
    this.lay();
  }

  followTheme() { // dark where the page is: JupyterLab, the book, else as the system is
    const { documentElement: page, body } = this.host.ownerDocument, system = matchMedia("(prefers-color-scheme: dark)");
    const look = () => {
      const theme = body?.dataset.jpThemeLight ?? page.dataset.theme ?? body?.dataset.theme;
      const isDark = theme === undefined || theme === "auto" ? system.matches : theme === "false" || theme === "dark";
      this.element.classList.toggle("dark", isDark);
      this.palette = undefined;
    };
    look();
    const changed = () => { look(); this.view.draw(); };
    system.addEventListener("change", changed);
    const watch = new MutationObserver(changed);
    for (const node of [page, body].filter(Boolean)) {
      watch.observe(node, { attributes: true, attributeFilter: ["data-theme", "data-jp-theme-light"] });
    }
  }

  colours() { // of the canvas, as the style has them
    const style = getComputedStyle(this.element), read = (name) => style.getPropertyValue(name).trim();
    this.palette ??= { ink: read("--ink"), value: read("--value"), derivative: read("--deriv") };
    return this.palette;
  }

  lay() {
    const width = this.element.clientWidth;
    this.isNarrow = width < NARROW;
    this.element.classList.toggle("narrow", this.isNarrow);
    this.view.lay(this.isNarrow ? width : width - CARD, this.stage.clientHeight);
  }

  // ---- what everybody calls

  update(change) { // after a step or a pull: everything follows in the same frame
    this.values = this.model.values(this.shown, this.at, this.cut);
    this.rest = this.hasMoved ? this.model.values(this.shown) : this.values;
    if (this.ways) this.ways.measure();
    this.focus ??= this.view.places?.levels[0]?.find((p) => this.model.frame(this.shown)[p]) ?? null;
    this.element.classList.toggle("program", this.isProgram);
    this.view.draw(change);
    this.track.write();
    this.rewrite();
  }

  turnTo() { // what one points at has changed
    this.view.draw();
    this.rewrite();
  }

  rewrite() {
    this.head.write();
    this.card.write();
    if (this.page === "table") this.table.write();
  }

  go(k) { // to a stop, at once
    this.steps.end();
    this.k = Math.max(0, Math.min(this.stops, k));
    this.release();
    this.view.picture.dots = [];
    this.update();
    this.view.show(this.model.steps[this.k - 1]?.part);
    this.say(this.track.words());
  }

  release() { // nothing is pinned or pointed at
    this.pinned = this.hover = this.ways = this.matches = null;
  }

  pin(p) {
    this.ways = null;
    this.pinned = p;
    if (p) this.focus = p;
    this.turnTo();
  }

  point(p) {
    if (this.hover === p) return;
    this.hover = p;
    if (!this.pinned) this.turnTo();
  }

  isHandle(p) { // a number that can be pulled
    const held = this.model.frame(this.shown)[p];
    return !!held && !this.model.isDerivative(p) && held[0] !== "const" && typeof this.values[p] === "number";
  }

  pull(p, value) {
    if (this.model.data.first[p]?.[0] === "input") this.at = { ...this.at, [p]: value };
    else this.cut = { [p]: value };
    this.track.hint = "";
    this.update();
  }

  putBack() {
    this.at = this.model.start;
    this.cut = {};
    this.update();
  }

  turn(page) { // the picture, the table or the help
    this.page = this.page === page ? "picture" : page;
    for (const [name, shown] of [["picture", this.view], ["table", this.table], ["help", this.help]]) {
      shown.element.hidden = this.page !== name;
    }
    if (this.page !== "picture") this[this.page].open();
    else this.view.draw();
  }

  isBroken(k, at = this.at, cut = this.cut) { // does this step change the answer?
    if (k <= this.model.end || k > this.model.last) return false;
    const before = this.model.answer(k - 1, at, cut), after = this.model.answer(k, at, cut);
    return after.some((value, i) => !same(before[i], value));
  }

  say(text) { this.status.textContent = text; }
}
