// The explorer's page, in a shadow root: head, picture, card, foot; and who listens to what.
import { Card } from "./card.js";
import { element } from "./elements.js";
import { Hands } from "./hands.js";
import { Head } from "./head.js";
import { Help } from "./help.js";
import { Keys } from "./keys.js";
import { Search } from "./search.js";
import { Steps } from "./steps.js";
import { Table } from "./table.js";
import { followTheme } from "./theme.js";
import { Track } from "./track.js";
import { View } from "./view.js";

export function assemble(explorer, style) {
  explorer.host.setAttribute("data-lm-suppress-shortcuts", "true"); // JupyterLab: keys are ours
  explorer.root = explorer.host.shadowRoot ?? explorer.host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  explorer.root.adoptedStyleSheets = [sheet];
  explorer.head = new Head(explorer);
  explorer.view = new View(explorer);
  explorer.card = new Card(explorer);
  explorer.steps = new Steps(explorer);
  explorer.track = new Track(explorer);
  explorer.table = new Table(explorer);
  explorer.help = new Help(explorer);
  explorer.search = new Search(explorer);
  explorer.status = element("div", { class: "status", role: "status" });
  explorer.stage = element(
    "div",
    { class: "stage" },
    explorer.view.element,
    explorer.table.element,
    explorer.help.element,
  );
  const title = explorer.model.data.title ?? explorer.model.data.name;
  explorer.element = element(
    "section",
    { class: "explorer", "aria-label": `Explorer: ${title}` },
    explorer.head.element,
    explorer.stage,
    explorer.card.element,
    explorer.view.guides.map,
    explorer.search.element,
    explorer.track.element,
    explorer.status,
  );
  explorer.root.replaceChildren(explorer.element);
  explorer.hands = new Hands(explorer);
  explorer.keys = new Keys(explorer);
  followTheme(explorer);
  explorer.watch = new ResizeObserver(() => explorer.lay());
  explorer.watch.observe(explorer.element);
  explorer.lay();
}
