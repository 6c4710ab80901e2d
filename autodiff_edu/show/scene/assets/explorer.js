// A derivative that one can step through, point at and pull: the state, and who shows it.
//
// mount(host, data) fills a shadow root of the host. All state is in the Explorer, so several of
// them on a page do not know of each other. Python joins the modules, with STYLE in front of them.
import { assemble } from "./assemble.js";
import { element } from "./elements.js";
import { Formulas } from "./formulas.js";
import { Groups } from "./groups.js";
import { Model } from "./model.js";

const NARROW = 700; // pixels, below which the card is a sheet under the picture
const CARD = 280;
const PROGRAM = 140; // that the card of the program is wider

export function mount(host, data) {
  // what stood in the host is shown again if anything fails
  try {
    const explorer = new Explorer(host, data, STYLE);
    host.removeAttribute("title"); // else it would follow the pointer everywhere
    const sheet = host.closest(".autodiff-card"); // of the picture: white, and turned on dark pages
    if (sheet) sheet.style.cssText = "display: block; filter: none";
    explorer.lay();
    host.autodiffExplorer = explorer; // for whoever looks into it
    return explorer;
  } catch (error) {
    host.shadowRoot?.replaceChildren(element("slot"));
    throw error;
  }
}

export class Explorer {
  constructor(host, data, style) {
    this.host = host;
    this.model = new Model(data);
    this.formulas = new Formulas(this.model);
    this.groups = new Groups(this.model);
    this.k = 0; // the stop of the track: a frame, or behind the last one the program
    this.stops = this.model.last + (data.program ? 1 : 0);
    this.at = this.model.start;
    this.cut = {}; // part → the value to which an inner number was pulled
    this.pinned = this.hover = this.focus = null;
    this.ringed = new Set();
    this.matches = this.ways = null;
    this.isPulling = false;
    this.page = "picture";
    assemble(this, style);
    this.update();
  }

  get shown() {
    return Math.min(this.k, this.model.last);
  }
  get isProgram() {
    return this.k > this.model.last;
  }
  get pointed() {
    return this.pinned ?? this.hover;
  }
  get hasMoved() {
    return this.at !== this.model.start || Object.keys(this.cut).length > 0;
  }

  lay() {
    const width = this.element.clientWidth;
    const was = this.isNarrow;
    this.isNarrow = width < NARROW;
    this.element.classList.toggle("narrow", this.isNarrow);
    if (this.isNarrow !== was) this.track.fill();
    const room = this.isNarrow ? width : width - CARD;
    const spare = this.isNarrow || this.groups.exist || !this.model.data.program ? 0 : PROGRAM;
    this.view.lay(room, this.stage.clientHeight, spare);
    if (!this.values) return;
    this.track.write();
    this.head.write();
  }

  // ---- what everybody calls

  update(change) {
    // after a step or a pull: everything follows in the same frame
    this.values = this.model.values(this.shown, this.at, this.cut);
    this.rest = this.hasMoved ? this.model.values(this.shown) : this.values;
    if (this.ways) this.ways.measure();
    const frame = this.groups.frame(this.shown);
    if (!frame[this.focus]) this.focus = this.view.places?.placed.find((p) => frame[p]) ?? null;
    this.element.classList.toggle("program", this.isProgram);
    this.view.draw(change);
    this.track.write();
    this.rewrite();
  }

  turnTo() {
    // what one points at has changed
    this.view.draw();
    this.rewrite();
  }

  rewrite() {
    this.head.write();
    this.card.write();
    if (this.page === "table") this.table.write();
  }

  go(k) {
    // to a stop, at once
    this.steps.end();
    this.k = Math.max(0, Math.min(this.stops, k));
    this.release();
    this.ringed.clear();
    this.view.picture.dots = [];
    this.update();
    this.view.show(this.model.steps[this.k - 1]?.part);
    this.say(this.track.words());
  }

  release() {
    // nothing is pinned or pointed at
    this.pinned = this.hover = this.ways = this.matches = null;
  }

  pin(p) {
    if (this.groups.is(p)) return this.open(p);
    this.ways = null;
    this.pinned = p;
    if (p) this.focus = p;
    this.turnTo();
  }

  open(p) {
    // a group, or close it; all if none is given
    if (p) this.groups.toggle(p);
    else this.groups.toggleAll();
    this.view.regroup(p);
  }

  reveal(p) {
    // open the groups around a part
    if (this.groups.reveal(p)) this.view.regroup(p);
  }

  point(p) {
    if (this.hover === p) return;
    this.hover = p;
    if (!this.pinned) this.turnTo();
  }

  isHandle(p) {
    // a number that can be pulled
    const content = this.model.frame(this.shown)[p];
    return (
      !!content &&
      !this.model.isDerivative(p) &&
      content[0] !== "const" &&
      typeof this.values[p] === "number"
    );
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

  turn(page) {
    // the picture, the table or the help
    const hadFocus = this.root.activeElement !== null;
    this.page = this.page === page ? "picture" : page;
    for (const [name, shown] of [
      ["picture", this.view],
      ["table", this.table],
      ["help", this.help],
    ]) {
      shown.element.hidden = this.page !== name;
    }
    if (this.page !== "picture") this[this.page].open();
    else this.view.draw();
    if (this.page === "picture" && hadFocus) this.keys.move(this.focus);
  }

  say(text) {
    this.status.textContent = text;
  }
}
