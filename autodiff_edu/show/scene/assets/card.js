// The docked card: what one points at, in five rows at most; at the end of the track the program.
import { brief } from "./elements.js";
import { button } from "./elements.js";
import { element } from "./elements.js";
import { plain } from "./elements.js";
import { soft } from "./elements.js";
import { Biography } from "./biography.js";
import { Facts } from "./facts.js";
import { entryFields } from "./fields.js";
import { numberField } from "./fields.js";
import { inWords } from "./numbers.js";
import { Misses } from "./misses.js";
import { Program } from "./program.js";
import { measurement } from "./pull.js";
import { Ways } from "./ways.js";

const TITLE = 160; // letters of a formula

export class Card {
  constructor(explorer) {
    this.explorer = explorer;
    this.element = element("aside", { "aria-label": "card" });
    this.biography = new Biography(explorer);
    this.program = new Program(explorer);
    this.facts = new Facts(explorer);
    this.misses = new Misses(explorer);
    this.isMore = this.isAsking = false;
  }

  write() {
    const { explorer } = this;
    const p = explorer.pointed;
    const content = p && explorer.groups.frame(explorer.shown)[p];
    if (explorer.isProgram && !explorer.pinned) return this.writeProgram(p);
    this.isListing = false;
    const about = content ? p : null;
    const focus = explorer.root.activeElement;
    if (focus?.tagName === "INPUT" && this.element.contains(focus) && this.about === about) {
      return this.refresh();
    }
    if (this.about !== about) this.isMore = this.isAsking = false;
    this.about = about;
    this.measure = undefined;
    const button = this.element.contains(focus) ? focus.dataset.name : undefined;
    this.element.replaceChildren(...(content ? this.rows(p, content) : this.atRest()));
    if (button) this.element.querySelector(`[data-name="${button}"]`)?.focus(); // it is a new one
  }

  writeProgram(p) {
    // stays, and lights the line of what one points at
    if (!this.isListing) this.element.replaceChildren(...this.program.rows());
    this.isListing = true;
    this.about = null;
    for (const row of this.element.querySelectorAll("pre span")) {
      row.classList.toggle("lit", row.parts.includes(p));
    }
  }

  refresh() {
    // somebody types: only what follows from the number is written anew
    const rows = measurement(this.explorer, this.about);
    this.measure?.replaceChildren(...rows);
    if (this.measure) this.measure.hidden = !rows.length;
  }

  atRest() {
    const { explorer } = this;
    const hasNumbers = explorer.view.places?.hasNumbers !== false;
    const [side, sign] = explorer.model.slopes();
    const tools = explorer.help
      .tools()
      .map(([name, act, key, words]) =>
        button(name, act, { class: "tool", title: `${words} (key ${key})` }),
      );
    const lines = [
      "Point at a node: its card is here. Click: it stays.",
      hasNumbers && "A dotted line marks a number that you can pull sideways.",
      side && `Left: the values. Right: the ${side}. ${sign}`,
    ];
    return [
      ...lines.filter(Boolean).map((text) => soft(text)),
      element("div", { class: "tools" }, ...tools),
    ];
  }

  rows(p, content) {
    const { explorer } = this;
    if (content[0] === "group") return explorer.groups.rows(p, content);
    const isInput = content[0] === "input";
    const rows = [element("h2", {}, this.title(p, content)), ...this.facts.rows(p, content)];
    if (p in explorer.cut || isInput) {
      this.measure = element("p", { class: "measure" }, ...measurement(explorer, p));
      this.measure.hidden = !this.measure.childNodes.length;
      rows.push(this.measure);
    }
    rows.push(...this.fields(p, content), ...this.origin(p), this.buttons(p, content));
    if (this.isAsking && this.misses.canAsk(p, content)) rows.push(...this.misses.rows(p));
    if (explorer.ways) rows.push(explorer.ways.list());
    if (this.isMore) rows.push(...this.biography.rows(p));
    return rows;
  }

  title(p, content) {
    const { model, formulas, values, shown } = this.explorer;
    const name = brief(model.name(p), TITLE);
    if (content[0] === "input") return `${name} = ${inWords(values[p])}`;
    const text =
      formulas.write(p, model.frame(shown), 1, TITLE) ?? `${formulas.symbol(content)}(…)`;
    return name ? `${name} = ${text}` : text;
  }

  // ---- what one can do

  fields(p, content) {
    const { explorer } = this;
    if (explorer.pinned !== p || explorer.model.isDerivative(p)) return [];
    if (explorer.isHandle(p)) return [numberField(explorer, p)];
    return content[0] === "input" ? entryFields(explorer, p) : [];
  }

  origin(p) {
    // the line of code, and the rule
    const { model, shown } = this.explorer;
    const line = model.line(p);
    const k = model.isMine(p) && model.maker(p, shown);
    return [
      line?.at && soft(`${plain(line.at)}: `, element("code", {}, brief(plain(line.code), 120))),
      k && soft(`made by step ${k}: ${plain(model.steps[k - 1].rule)}`),
    ].filter(Boolean);
  }

  buttons(p, content) {
    const { explorer } = this;
    const { model, ways } = explorer;
    const name = (word, isOn) => ({ "data-name": word, "aria-pressed": isOn });
    const toY = `Ways to ${brief(model.resultName, 12)}`;
    const isBelow = !model.isDerivative(p) && p !== model.y;
    const all = [
      isBelow && button(toY, () => this.showWays(p), name("ways", `${!!ways}`)),
      button(this.isMore ? "Less" : "More", () => this.showMore(p), name("more")),
      this.misses.canAsk(p, content) &&
        button("Why not shorter?", () => this.ask(p), name("why", `${this.isAsking}`)),
      explorer.hasMoved && button("Put back", () => explorer.putBack(), { title: "key Esc" }),
    ];
    return element("div", { class: "buttons" }, ...all.filter(Boolean));
  }

  showMore(p) {
    this.isMore = !this.isMore;
    this.explorer.pin(p);
  }

  ask(p) {
    this.isAsking = !this.isAsking;
    this.explorer.pin(p);
  }

  showWays(p) {
    const { explorer } = this;
    const ways = explorer.ways ? null : new Ways(explorer, p);
    explorer.pin(p);
    explorer.ways = ways;
    explorer.turnTo();
    if (ways) explorer.say(ways.summary());
  }
}
