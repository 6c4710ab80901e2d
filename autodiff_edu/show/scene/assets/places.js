// From columns and half rows to pixels: where boxes stand, how large they are, how edges run.
//
// Places depend on the document and on the room, never on the frame or on the numbers: so no box
// moves, and no box changes its width while somebody pulls.
import { textWidth } from "./elements.js";
import { isArray } from "./numbers.js";
import { shapeText } from "./numbers.js";
import { short } from "./numbers.js";

const [LETTER, SMALL] = [9.4, 8]; // of a number and of an entry of an array, in pixels
const DIGITS = 7; // that a box has room for
const GAP = 14; // between boxes of a row
const [INSIDE, ABOVE] = [6, 20]; // between boxes or names and the frame around them
const EDGE = 16; // of the picture
const SIGN = 28; // between a word and the number beside it: " = "
const SIDES = { beside: 30, below: 12 }; // around words and numbers, in a box
const WIDEST = { beside: 180, below: 168 }; // box
const TALLY = 108; // pixels of "1000 operations"
const ENTRIES = 4; // entries that are shown

export class Places {
  constructor({ model, formulas, groups }, subset) {
    this.model = model;
    this.formulas = formulas;
    this.groups = groups;
    const { at, bends, frames, feet } = subset ? groups.all : groups.now;
    Object.assign(this, { at, bends, frames, feet }, subset && { frames: {}, feet: {} });
    this.placed = Object.keys(at).filter((p) => !subset || subset.has(p));
    this.isWhole = !subset;
    this.hasNumbers = Object.keys(model.start).length > 0;
    this.rest = this.hasNumbers ? model.values(model.last) : {};
    this.measure();
  }

  measure() {
    // the widest word of each part, in any frame
    const { model, formulas } = this;
    this.words = model.widths ??= {};
    if (Object.keys(this.words).length) return;
    const measure = (p, text) =>
      (this.words[p] = Math.max(this.words[p] ?? 0, textWidth(text, 20)));
    model.eachChange((p, frame) => {
      if (model.parts[p].x !== undefined) measure(p, formulas.label(p, frame));
    });
    for (const [p, { group }] of Object.entries(model.parts)) if (group) measure(p, group);
  }

  lay(most, height, spare) {
    const { at, placed } = this;
    const rows = [...new Set(placed.map((p) => at[p][1]))].sort((a, b) => a - b);
    this.index = new Map(rows.map((y, k) => [y, k]));
    this.levels = rows.map(() => []);
    for (const p of placed) this.levels[this.index.get(at[p][1])].push(p);
    for (const level of this.levels) level.sort((p, q) => at[p][0] - at[q][0]);
    this.isBeside = this.extent(this.narrowest(true), true).size <= most;
    this.height = this.isBeside || !this.hasNumbers ? 36 : 50;
    const least = this.narrowest(this.isBeside);
    const span = Math.max(0.1, ...placed.map((p) => at[p][0]));
    const needed = this.extent(least, this.isBeside).size;
    const width = Math.min(most, Math.max(needed, most - spare));
    const room = least + (width - needed) / span;
    this.column = Math.max(least, Math.min(room, this.isBeside ? 190 : 140));
    const { first, size } = this.extent(this.column, this.isBeside);
    const share = (height - this.height - 66) / Math.max(1, rows.length - 1);
    this.row = Math.min(96, Math.max(this.height + 32, share));
    const tall = (rows.length - 1) * this.row;
    this.size = { width: Math.max(width, size), height: Math.max(height, tall + this.height + 66) };
    this.left = (this.size.width - size) / 2 - first;
    this.top = (this.size.height - tall) / 2 + 6;
    this.spots = Object.fromEntries(placed.map((p) => [p, this.spot(at[p])]));
  }

  extent(column, isBeside) {
    // from the left end of the leftmost box to the right end of the last one
    let [first, last] = [0, 0];
    for (const p of this.placed) {
      const half = this.boxWidth(p, this.words[p] ?? 0, isBeside) / 2 + EDGE;
      const x = this.at[p][0] * column;
      first = Math.min(first, x - half);
      last = Math.max(last, x + half);
    }
    for (const [left, right] of Object.values(this.frames)) {
      first = Math.min(first, left * column - EDGE);
      last = Math.max(last, right * column + EDGE);
    }
    return { first, size: last - first };
  }

  narrowest(isBeside) {
    // the column at which no boxes of a row meet, and no edge passes through one
    const half = (p) => this.boxWidth(p, this.words[p] ?? 0, isBeside) / 2;
    const lanes = this.levels.map(() => []);
    for (const [x, y] of Object.values(this.bends).flat()) {
      lanes[this.index.get(y)]?.push([x, 0]);
    }
    let column = 56;
    this.levels.forEach((level, k) => {
      const row = [...level.map((p) => [this.at[p][0], half(p)]), ...lanes[k]].sort(
        ([x], [u]) => x - u,
      );
      for (let n = 1; n < row.length; n++) {
        const [[x, left], [u, right]] = row.slice(n - 1, n + 1);
        const apart = left + right + (left && right ? GAP : 8);
        if (u - x > 0.05 && (left || right)) column = Math.max(column, apart / (u - x));
      }
    });
    return column;
  }

  spot([x, y]) {
    return [
      this.left + x * this.column,
      this.top + (this.index.get(y) ?? this.between(y)) * this.row,
    ];
  }

  between(y) {
    // a half row without parts
    return [...this.index.keys()].filter((row) => row < y).length - 0.5;
  }

  // ---- boxes

  slot(p) {
    // the width that numbers get
    const value = this.rest[p];
    if (this.groups.is(p)) return TALLY;
    if (!this.hasNumbers || !isArray(value)) return this.hasNumbers ? DIGITS * LETTER : 0;
    const count = value.data?.length ?? ENTRIES + 1;
    const entries = (lettersOf(count) + 1) * count + 1; // [1 2]
    return SMALL * (count > ENTRIES ? shapeText(value.shape).length : entries);
  }

  boxWidth(p, word, isBeside = this.isBeside) {
    const numbers = this.slot(p);
    const way = isBeside ? "beside" : "below";
    const beside = word + numbers + (word && numbers ? SIGN : 0);
    const inner = isBeside ? beside : Math.max(word, numbers);
    const widest = this.groups.is(p) ? Infinity : WIDEST[way];
    return Math.min(widest, Math.max(46, inner + SIDES[way]));
  }

  box(p, word) {
    // of a frame: wide enough for its word, at most as wide as its column
    const [x, y] = this.spots[p];
    const width = this.boxWidth(p, word);
    return { x: x - width / 2, y: y - this.height / 2, width, height: this.height };
  }

  end(p) {
    // the lower end of a box, or of the frame of an open group
    const bottom = this.frames[p] ? this.spot([0, this.frames[p][3]]) : this.spots[p];
    return bottom[1] + this.height / 2 + (this.frames[p] ? INSIDE : 0);
  }

  foot(p) {
    // below what is open beside a box: edges go straight down to it
    return this.feet[p] && this.spot([0, this.feet[p]])[1] + this.height / 2 + INSIDE;
  }

  frame(p) {
    // around what is in an open group
    const [left, right, top] = this.frames[p];
    const [x, y] = this.spot([left, top]);
    const width = (right - left) * this.column;
    const first = y - this.height / 2 - ABOVE;
    return { x, y: first, width, height: this.end(p) - first, rx: 13 };
  }

  number(value) {
    // as a box writes it
    if (value === undefined) return "";
    if (value.needs) return "Python?";
    if (!isArray(value)) return short(value, DIGITS);
    if (!value.data || value.data.length > ENTRIES) return shapeText(value.shape);
    const letters = lettersOf(value.data.length);
    return `[${Array.from(value.data, (entry) => short(entry, letters)).join(" ")}]`;
  }

  within(top, bottom) {
    // the parts whose rows stand between two heights
    const first = Math.max(0, Math.floor((top - this.top) / this.row));
    const last = Math.min(this.levels.length - 1, Math.ceil((bottom - this.top) / this.row));
    return first > last ? [] : this.levels.slice(first, last + 1).flat();
  }

  under(x, y) {
    // the part under a point, if any
    const level = this.levels[Math.round((y - this.top) / this.row)] ?? [];
    return level.find(
      (p) =>
        Math.abs(this.spots[p][0] - x) < this.boxWidth(p, this.words[p]) / 2 &&
        Math.abs(this.spots[p][1] - y) < this.height / 2,
    );
  }
}

// Of an entry: the more there are, the fewer letters has each.
const lettersOf = (count) => (count > 2 ? 4 : 6);
