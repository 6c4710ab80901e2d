// A step in three phases: look (a ring on what the rule takes), change, count. Any key ends it.
import { element } from "./elements.js";
import { isCalm } from "./elements.js";
import { plain } from "./elements.js";
import { isPart } from "./frames.js";
import { partsOf } from "./frames.js";

const LOOK = 650;
const CHANGE = 450;
const COUNT = 350; // milliseconds
const LETTERS = "abcdefgh";

export class Steps {
  constructor(explorer) {
    this.explorer = explorer;
    this.hurry = null; // ends the step that runs
    this.running = null; // a promise of its end
    this.isCounting = false;
    this.isPlaying = false;
  }

  end() {
    // at once
    this.isPlaying = false;
    this.hurry?.();
  }

  async step() {
    // one that still runs is ended first
    while (this.hurry) {
      this.hurry();
      await this.running;
    }
    const { explorer } = this;
    if (explorer.k >= explorer.model.last) return explorer.go(explorer.k + 1);
    this.running = this.run();
    await this.running;
  }

  async run() {
    const { explorer } = this;
    const { model } = explorer;
    explorer.release();
    const k = explorer.k + 1;
    const step = model.steps[k - 1];
    const run = { isOver: isCalm(), wake: () => {} };
    this.hurry = () => {
      run.isOver = true;
      run.wake();
    };
    const pause = (time) =>
      run.isOver ||
      new Promise((wake) => {
        run.wake = wake;
        setTimeout(wake, time);
      });
    this.look(k, step);
    await pause(LOOK);
    this.change(k, step);
    await pause(CHANGE);
    this.isCounting = false;
    explorer.track.writeCount(k);
    await pause(COUNT);
    this.hurry = null;
    explorer.say(explorer.track.words());
  }

  look(k, step) {
    // the rule and its equation, a ring and letters on what it takes
    const { explorer } = this;
    const { model, track, view } = explorer;
    const before = model.frame(k - 1);
    this.isCounting = true;
    track.count.textContent = `operations ${model.operations(k - 1)}`;
    track.rule.textContent = plain(step.rule);
    track.equation.textContent = track.equationText(step);
    const operands =
      step.stage === "simplify"
        ? partsOf(before[step.part])
        : [step.at, model.placeOf[step.at], model.parts[step.part].of];
    this.ring([step.part, ...operands].filter((p) => p && before[p]));
    view.show(step.part);
    view.picture.dots = [];
    view.draw();
    for (const [letter, p] of Object.entries(this.letters(step))) this.label(p, letter);
  }

  ring(parts) {
    const { explorer } = this;
    explorer.ringed = new Set(parts.map((p) => explorer.groups.seen(p)));
  }

  letters(step) {
    // those of the equation, at what they stand for
    if (step.stage === "simplify") return step.bind ?? {};
    const { model } = this.explorer;
    const value = step.at ?? model.parts[step.part].of;
    const operands = [...new Set(model.data.first[value]?.[1] ?? [])];
    const pairs =
      model.data.first[value]?.[0] === "input" ? [] : operands.map((p, n) => [LETTERS[n], p]);
    return Object.fromEntries(pairs.filter(([, p]) => isPart(p)));
  }

  label(p, letter) {
    const { shapes, places } = this.explorer.view.picture;
    const node = shapes.get(p);
    if (!node) return;
    const [x, y] = places.spots[p];
    node.append(element("text", { class: "letter", x: x + node.half + 5, y: y + 7 }, letter));
    node.shape = null;
  }

  change(k, step) {
    const { explorer } = this;
    const { model, view } = explorer;
    const before = model.frame(k - 1);
    explorer.k = k;
    this.ring([step.part, ...Object.keys(step.set)]);
    view.picture.dots = step.drop.filter((p) => before[p]);
    explorer.update({ enter: Object.keys(step.set).filter((p) => !before[p]), exit: step.drop });
  }

  async play() {
    // on to the end, or to a step that changes the answer
    const { explorer } = this;
    if (this.hurry) return this.end();
    this.isPlaying = true;
    while (this.isPlaying && explorer.k < explorer.model.last) {
      await this.step();
      if (explorer.model.isBroken(explorer.k, explorer.at, explorer.cut)) break;
    }
    this.isPlaying = false;
  }
}
