// Help: every key with what it does, each a button; and the tools that stand in the card at rest.
import { button } from "./elements.js";
import { element } from "./elements.js";
import { region } from "./elements.js";

export class Help {
  constructor(explorer) {
    this.explorer = explorer;
    this.element = region("help");
  }

  tools() {
    // name, act, key, and what it does
    const { explorer } = this;
    const { view } = explorer;
    const { model } = explorer;
    const tools = [
      ["Search", () => explorer.search.open(), "/", "find an operation, a name or a line"],
      ["Table", () => explorer.turn("table"), "t", "all nodes as a table"],
      ["Projector", () => this.project(), "p", "larger, for the last row"],
      ["Help", () => explorer.turn("help"), "?", "every key, and what it does"],
    ];
    if (view.isLarge) tools.splice(2, 0, ["Fit", () => view.fit(), "f", "see the whole picture"]);
    if (explorer.groups.exist) {
      tools.splice(2, 0, ["Groups", () => explorer.open(), "g", "open all groups, or close them"]);
    }
    if (model.last > model.end) {
      const words = "the derivative as it was, and as it is now";
      tools.splice(2, 0, ["Before / after", () => this.compare(), "c", words]);
    }
    return tools;
  }

  acts() {
    // of keys without a part
    const { explorer } = this;
    const { view } = explorer;
    const acts = {
      f: () => view.fit(),
      "+": () => view.scale(view.zoom * 1.25),
      "-": () => view.scale(view.zoom / 1.25),
    };
    for (const [, act, key] of this.tools()) acts[key] = act;
    return acts;
  }

  open() {
    const { model } = this.explorer;
    const tools = this.tools().map(([name, act, key, words]) => [
      key,
      element("span", {}, button(name, act), ` ${words}`),
    ]);
    const steps = [
      ["→ ←", "one step on, one step back; on a node: along its row"],
      ["n b", "one step on, one step back, from anywhere"],
      ["space", "play on, until the answer would change"],
      ["Home End", "to the first stop, to the last"],
    ];
    const rows = [
      ...tools,
      ...(model.last ? steps : []),
      ["↑ ↓", "on a node: to an operand or a user"],
      ["+ −", "on a number: pull it; else zoom"],
      ["0 … 9", "on a number: type it"],
      ["Enter", "pin a node, or let it go"],
      ["Esc", "let go; put back what was pulled"],
      ["Ctrl wheel", "zoom; two fingers zoom, too"],
    ];
    this.element.replaceChildren(
      element("h2", {}, "What one can do"),
      element(
        "dl",
        {},
        ...rows.flatMap(([keys, words]) => [
          element("dt", {}, ...keys.split(" ").flatMap((key) => [element("kbd", {}, key), " "])),
          element("dd", {}, words),
        ]),
      ),
      button("Back to the picture", () => this.explorer.turn("help")),
    );
    this.element.focus({ preventScroll: true });
  }

  project() {
    // larger, for the last row of a lecture hall
    const isLarge = this.explorer.element.classList.toggle("projector");
    this.explorer.say(isLarge ? "larger" : "as before");
    this.explorer.lay();
  }

  compare() {
    // one picture: before at the left of the slider, after at its right
    const { explorer } = this;
    const { view, model } = explorer;
    if (explorer.page !== "picture") explorer.turn(explorer.page);
    if (this.slider) {
      this.slider.remove();
      this.slider = undefined;
      view.split = null;
      return view.draw();
    }
    if (explorer.shown <= model.end || explorer.isProgram) explorer.go(model.last);
    view.split = 0.75;
    const range = element("input", {
      type: "range",
      min: 0,
      max: 1,
      step: 0.005,
      value: view.split,
      "aria-label": "before and after",
    });
    range.addEventListener("input", () => {
      view.split = Number(range.value);
      view.draw();
    });
    this.slider = element("label", { class: "slider" }, "before", range, "after");
    explorer.stage.append(this.slider);
    view.draw();
  }
}
