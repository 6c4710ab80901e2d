// Why a node was not made shorter: the rules that came nearest, as Python answers for each part.
import { element } from "./elements.js";
import { plain } from "./elements.js";
import { soft } from "./elements.js";
import { isOperation } from "./frames.js";

const TOO_LARGE = "Too large for this page. Ask Python: stage.why_not(node=…).";

export class Misses {
  constructor(explorer) {
    this.explorer = explorer;
  }

  canAsk(p, content) {
    // of an operation in the last frame
    const { model, shown } = this.explorer;
    const { why_not: answers } = model.data;
    const isSimplified = model.last > model.end || answers !== undefined;
    if (!isSimplified || shown < model.last || !isOperation(content)) return false;
    return answers ? p in answers : model.isMine(p);
  }

  rows(p) {
    const answers = this.explorer.model.data.why_not?.[p];
    if (!answers) return [soft(TOO_LARGE)];
    const items = answers.map(([rule, ...lines]) =>
      element("li", {}, element("b", {}, plain(rule)), ": ", lines.map(plain).join(" ")),
    );
    return [
      soft("The rules that came nearest, and what was against them:"),
      element("ul", { class: "biography" }, ...items),
    ];
  }
}
