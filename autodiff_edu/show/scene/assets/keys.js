// Keys: steps, arrows from part to part, − and + and digits for a number, t ? / f and Esc.
import { nudged } from "./fields.js";

export class Keys {
  constructor(explorer) {
    this.explorer = explorer;
    explorer.element.addEventListener("keydown", (event) => this.press(event));
    explorer.view.picture.nodes.addEventListener("focusin", (event) => this.focused(event));
    explorer.view.picture.nodes.addEventListener(
      "focusout",
      () => explorer.pinned || explorer.point(null),
    );
  }

  focused(event) {
    // by keys: as if one pointed at it
    const node = event.target.closest(".node");
    if (!node?.matches(":focus-visible")) return;
    this.explorer.focus = node.dataset.p;
    this.explorer.point(node.dataset.p);
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { explorer } = this;
    const { target, key } = event;
    const isField = target.tagName === "INPUT";
    const isHurrying = explorer.steps.hurry && !["Tab", "Shift", "ArrowRight", "n"].includes(key);
    if (isHurrying) explorer.steps.end();
    else if (isField) return this.inField(event);
    else if (!this.act(key, target.closest?.(".node")?.dataset.p, target)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  inField(event) {
    if (event.key !== "Escape" && event.key !== "Enter") return event.stopPropagation();
    event.preventDefault();
    event.stopPropagation();
    if (event.target.closest(".search")) return this.explorer.search.key(event.key);
    event.target.blur();
    if (event.key === "Escape") this.escape();
    this.move(this.explorer.focus);
  }

  act(key, p, target) {
    // true if the key means something
    const { explorer } = this;
    const { steps } = explorer;
    if (key === "Escape") return this.escape();
    if (p && this.onPart(key, p)) return true;
    if (explorer.page === "table" && key.startsWith("Arrow") && target.closest?.(".table")) {
      return false;
    }
    const isButton = target.tagName === "BUTTON" && (key === "Enter" || key === " ");
    const [on, back] = [() => steps.step(), () => explorer.go(explorer.k - 1)];
    const acts = {
      ArrowRight: on,
      ArrowLeft: back,
      n: on,
      b: back,
      Home: () => explorer.go(0),
      End: () => explorer.go(explorer.stops),
      " ": () => steps.play(),
      ...explorer.help.acts(),
    };
    if (isButton || !acts[key]) return false;
    acts[key]();
    return true;
  }

  escape() {
    // first what covers the picture, then what was pulled, then what is pinned
    const { explorer } = this;
    if (explorer.page !== "picture") explorer.turn(explorer.page);
    else if (explorer.search.isOpen) explorer.search.close();
    else {
      explorer.release();
      if (explorer.hasMoved) explorer.putBack();
      else explorer.turnTo();
    }
    return true;
  }

  // ---- on a part

  onPart(key, p) {
    const { explorer } = this;
    if (key.startsWith("Arrow")) return this.move(this.neighbour(key, p));
    if (key === "Enter") explorer.pin(explorer.pinned === p ? null : p);
    else if (!explorer.isHandle(p)) return false;
    else if (key === "+" || key === "=" || key === "-") this.nudge(p, key === "-" ? -1 : 1);
    else if (/^[0-9.]$/.test(key)) this.type(p, key);
    else return false;
    return true;
  }

  nudge(p, by) {
    const { explorer } = this;
    explorer.hover = p;
    explorer.pull(p, nudged(explorer.values[p], 10 * by));
    explorer.say(
      `${explorer.model.name(p)} = ${explorer.values[p]}; ${explorer.head.answer.textContent}`,
    );
  }

  type(p, digit) {
    // the first digit opens the field in the card
    const { explorer } = this;
    explorer.pin(p);
    const box = explorer.card.element.querySelector("input");
    if (!box) return;
    box.focus({ preventScroll: true });
    box.value = digit;
    box.dispatchEvent(new Event("input"));
  }

  neighbour(key, p) {
    // up and down along edges, left and right along the row
    const { explorer } = this;
    const { groups, model, view } = explorer;
    const frame = groups.frame(explorer.shown);
    const { spots } = view.places;
    const [x, y] = spots[p];
    if (key === "ArrowLeft" || key === "ArrowRight") {
      const side = key === "ArrowLeft" ? -1 : 1;
      const row = view.places
        .within(y - 1, y + 1)
        .filter((q) => frame[q] && Math.abs(spots[q][1] - y) < 1);
      return row
        .filter((q) => (spots[q][0] - x) * side > 0)
        .sort((q, r) => Math.abs(spots[q][0] - x) - Math.abs(spots[r][0] - x))[0];
    }
    const side = key === "ArrowUp" ? -1 : 1;
    const users = model.users(frame, p).map((q) => groups.seen(q));
    const near = [...groups.operands(frame[p], p), ...users].filter(
      (q) => spots[q] && frame[q],
    );
    const isSame = (q) => model.isDerivative(q) === model.isDerivative(p);
    const ahead = near
      .filter((q) => (spots[q][1] - y) * side > 0)
      .sort((q, r) => isSame(r) - isSame(q));
    return ahead[0];
  }

  move(p) {
    if (!p) return true;
    const { explorer } = this;
    const { view } = explorer;
    explorer.focus = p;
    explorer.pinned = explorer.ways = null;
    view.show(p);
    view.draw();
    view.picture.shapes.get(p)?.focus({ preventScroll: true });
    return true;
  }
}
