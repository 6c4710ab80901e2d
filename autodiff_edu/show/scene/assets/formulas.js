// Formulas in plain text, and what is written in a box: "2·x", "− 2", "cos x₂".
import { brief } from "./elements.js";
import { plain } from "./elements.js";
import { isOperation } from "./frames.js";
import { isPart } from "./frames.js";
import { partsOf } from "./frames.js";
import { inWords } from "./numbers.js";
import { number } from "./numbers.js";
import { revive } from "./numbers.js";

const FAR = 4; // half rows; an edge over more is named in its user, and drawn when pointed at
const DEEPEST = -200; // levels below the last that has a name
const LOOSE = 0.5; // the strength of a comparison
const ATOM = 9; // the strength of what needs no brackets
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

export class Formulas {
  constructor(model) {
    this.model = model;
  }

  symbol(content) {
    const entry = this.model.data.operations?.[content[0]] ?? {};
    const text = plain(content[2]?.label ?? entry.symbol ?? content[0]);
    return isAround(text) ? text.slice(1) : text;
  }

  form(content) {
    const entry = this.model.data.operations?.[content[0]] ?? {};
    if (isAround(content[2]?.label ?? entry.symbol)) return "postfix";
    return entry.form ?? (this.isComparison(content) ? "infix" : undefined);
  }

  isComparison(content) {
    // such as x ≤ 2: a sign without letters between two operands
    return content[1].length === 2 && !/[\p{L}_]/u.test(this.symbol(content));
  }

  strength(content) {
    const { strength } = this.model.data.operations?.[content[0]] ?? {};
    return strength ?? (this.isComparison(content) ? LOOSE : ATOM);
  }

  constant(operand) {
    return plain(operand.text ?? inWords(revive(operand.c)));
  }

  // ---- a formula

  write(p, frame, depth = ATOM, most = 400) {
    // undefined if it has more letters than that
    let letters = 0;
    const leaf = (text, room) => {
      letters += text.length;
      return bracketed(text, room === ATOM);
    };
    const go = (a, room, d) => {
      if (letters > most || d < DEEPEST) return "…";
      if (!isPart(a)) return leaf(this.constant(a), room);
      const content = frame[a];
      const part = this.model.parts[a];
      if (!content || content[0] === "empty") return leaf(plain(part.text ?? "…"));
      if (content[0] === "input") return leaf(this.model.name(a));
      if (content[0] === "const") return leaf(inWords(revive(content[1])), room);
      if (content[0] === "tie") return go(content[1][0], room, d);
      if (content[0] === "D") {
        return part.text ? leaf(plain(part.text)) : `D(${go(content[1][0], 0, d)})`;
      }
      if (d <= 0 && this.model.name(a)) return leaf(this.model.name(a));
      const strength = this.strength(content);
      const text = this.join(content, (b, r) => go(b, r, d - 1));
      letters += 1;
      return strength < room ? `(${text})` : text;
    };
    const text = go(p, 0, depth);
    return text.length > most ? undefined : text;
  }

  join(content, write) {
    // an operation with its operands, each written with the room it leaves
    const symbol = this.symbol(content);
    const form = this.form(content);
    const strength = this.strength(content);
    const [, operands] = content;
    if (form === "prefix") return symbol + write(operands[0], strength + 0.5);
    if (form === "postfix") return write(operands[0], ATOM) + symbol;
    if (form !== "infix") return `${symbol}(${operands.map((a) => write(a, 0)).join(", ")})`;
    const [left, right] = [
      write(operands[0], symbol === "^" ? ATOM : strength),
      write(operands[1], strength + ("−/".includes(symbol) ? 0.5 : 0.1)),
    ];
    return symbol === "^" && right === "2" ? `${left}²` : left + spaced(symbol) + right;
  }

  inNumbers(content, values) {
    // 2 · 5
    const write = (a, room) => {
      const value = isPart(a) ? values[a] : revive(a.c);
      const text = isPart(a) || !a.text ? inWords(value) : plain(a.text);
      return bracketed(text, room) || "…";
    };
    return this.join(content, write).replace(/·|\//g, " $& ").replace(/ {2,}/g, " ");
  }

  // ---- boxes

  isFar(a, p) {
    const [from, to] = [this.model.parts[a], this.model.parts[p]];
    if (from.in !== to.in) return true;
    return Math.abs(to.y - from.y) > FAR || this.model.isMine(a) !== this.model.isMine(p);
  }

  shownName(a) {
    const { to } = this.model.parts[a];
    return this.model.name(a) || (to ? this.model.name(to) : "");
  }
  isNamed(a, p) {
    return this.isFar(a, p) && this.shownName(a) !== "";
  } // in its user, not drawn

  inside(a, p, frame) {
    // of an operand: what is written of it in its user
    if (!isPart(a)) return brief(this.constant(a), 12);
    const part = this.model.parts[a];
    const content = frame[a];
    if (part.x === undefined) {
      return brief(
        content?.[0] === "const" ? number(revive(content[1])) : plain(part.text ?? "…"),
        12,
      );
    }
    // no part of a sum bears the name of the sum
    const name = part.to === p ? this.model.name(a) || "…" : this.shownName(a);
    return this.isNamed(a, p) ? brief(name, 10) : "";
  }

  label(p, frame) {
    const content = frame[p];
    const name = (a) => brief(isPart(a) ? this.model.name(a) : this.constant(a), 10);
    if (content[0] === "input") return brief(this.model.name(p), 12);
    if (content[0] === "group") return this.model.parts[p].group;
    if (content[0] === "const" || content[0] === "empty") return "";
    if (content[0] === "D") return `D ${name(content[1][0])}`;
    if (content[0] === "tie") return `= ${this.inside(content[1][0], p, frame)}`.trim();
    return this.operationLabel(
      content,
      content[1].map((a) => this.inside(a, p, frame)),
    );
  }

  operationLabel(content, texts) {
    const symbol = this.symbol(content);
    const form = this.form(content);
    const [first = "", right = ""] = texts;
    const [a, b] = content[1];
    const left = bracketed(first, a === b || "²^".includes(symbol));
    const around = isAround(content[2]?.label ?? "") ? "·" : "( )";
    if (form === "postfix") return (left || around) + symbol;
    if (left && symbol === "·" && a === b) return `${left}²`;
    if (symbol === "^" && right && !isPart(b)) return (left || "( )") + raised(right);
    if (symbol === "·" && !left && !right) return "×"; // a point alone is too small
    if (form === "infix") return (left + spaced(symbol) + right).trim();
    const inside = texts.filter((text) => text && text !== "…").join(", ");
    return inside && texts.length > 1 ? `${symbol}(${inside})` : `${symbol} ${inside}`.trim();
  }

  operationCount(p, frame) {
    // under a part, each once: what is added to a set comes in its turn
    const under = new Set([p]);
    let count = 0;
    for (const q of under) {
      count += isOperation(frame[q]);
      for (const a of partsOf(frame[q])) under.add(a);
    }
    return count;
  }
}

// Of a label such as ·ᵀ or ·[1]: the point stands for the operand.
const isAround = (text) => text?.length > 1 && text[0] === "·";
const bracketed = (text, isTight) => (isTight && text.startsWith("−") ? `(${text})` : text);
const raised = (text) =>
  /^[-−]?\d+$/.test(text) ? text.replace(/\d/g, (c) => RAISED[c]).replace(/[-−]/, "⁻") : `^${text}`;
const spaced = (symbol) => ("·/^".includes(symbol) ? symbol : ` ${symbol} `);
