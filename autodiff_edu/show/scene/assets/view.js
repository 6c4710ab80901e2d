// The room of the picture: its size, zoom and scrolling, and the part of it that is in view.
import { element } from "./elements.js";
import { isCalm } from "./elements.js";
import { Picture } from "./drawing.js";
import { Guides } from "./guides.js";
import { drawOverview } from "./overview.js";
import { Places } from "./places.js";

export const LEGIBLE = 0.7; // below this zoom boxes are drawn without words, on a canvas
const ZOOMS = { least: 0.02, most: 3 };
const MANY = 60; // parts, from which on there is a map of the whole

export class View {
  constructor(explorer) {
    this.explorer = explorer;
    this.zoom = 1;
    this.picture = new Picture(explorer);
    this.before = new Picture(explorer); // what the slider shows at its left
    this.before.svg.classList.add("before");
    this.before.svg.setAttribute("aria-hidden", "true");
    this.subset = null; // the parts that alone are shown
    this.split = null; // where the slider stands, from 0 to 1
    this.canvas = element("canvas", { class: "overview", "aria-hidden": "true" });
    this.guides = new Guides(this);
    this.paper = element("div", { class: "paper" }, this.picture.svg, this.before.svg);
    this.scroller = element("div", { class: "scroller" }, this.paper);
    const inside = [this.scroller, this.canvas, ...this.guides.thumbs];
    this.element = element("div", { class: "view" }, ...inside);
    this.scroller.addEventListener("scroll", () => this.later());
  }

  // ---- room

  lay(...room) {
    // width and height, and how much of the width the program takes where the picture lets it
    const [width, height] = room;
    if (!width || !height || `${room}` === `${this.room}`) return;
    this.room = room;
    this.places ??= new Places(this.explorer, this.subset);
    this.places.lay(...room);
    this.isLarge = this.places.placed.length > MANY;
    this.rescale();
  }

  only(parts) {
    // these parts, nearer together; or all of them again
    const { room } = this;
    this.subset = parts;
    this.places = this.room = undefined;
    this.lay(...room);
  }

  regroup(p) {
    // other groups are open; what one points at keeps its place on the screen
    if (!this.places) return;
    const { scroller, zoom } = this;
    const screen = () => {
      const [x, y] = this.places.spots[p] ?? [0, 0];
      return [x * zoom + this.shift() - scroller.scrollLeft, y * zoom - scroller.scrollTop];
    };
    const before = screen();
    this.only(this.subset);
    const after = screen();
    if (this.places.spots[p]) scroller.scrollBy(after[0] - before[0], after[1] - before[1]);
    this.draw();
  }

  rescale() {
    const { activeElement } = this.explorer.root;
    const p = activeElement?.dataset.p; // its element is made anew
    if (p) activeElement.blur(); // now, not while elements are removed
    for (const picture of [this.picture, this.before]) picture.fit(this.places, this.zoom);
    this.explorer.element.style.setProperty("--spare", `${this.spare()}px`);
    this.explorer.update();
    this.picture.shapes.get(p)?.focus({ preventScroll: true });
  }

  window() {
    // what is in view, in the picture's own pixels
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.scroller;
    const shift = this.shift();
    return {
      left: (scrollLeft - shift) / this.zoom,
      right: (scrollLeft - shift + clientWidth) / this.zoom,
      top: scrollTop / this.zoom,
      bottom: (scrollTop + clientHeight) / this.zoom,
    };
  }

  shift() {
    // a picture that is narrower than the view stands in its middle
    const width = this.scroller.clientWidth - (this.explorer.isProgram ? 0 : this.spare());
    return Math.max(0, (width - this.places.size.width * this.zoom) / 2);
  }

  spare() {
    // pixels at the right that are free until the program stands there
    const [width, , most] = this.room;
    return Math.max(0, Math.min(most, width - this.places.size.width * this.zoom));
  }

  // ---- drawing

  later() {
    // at most once a frame
    this.waiting ??= requestAnimationFrame(() => {
      this.waiting = undefined;
      this.draw();
    });
  }

  draw(change) {
    if (!this.places) return;
    const { explorer } = this;
    const window = this.window();
    const isFar = this.zoom < LEGIBLE;
    this.element.classList.toggle("far", isFar);
    if (isFar) drawOverview(this.canvas, explorer, this.places, window, this.scroller);
    else this.picture.render(explorer.shown, explorer.values, window, change);
    const isSplit = this.split !== null && !isFar;
    this.before.svg.style.display = isSplit ? "" : "none";
    if (isSplit) this.drawBefore(window);
    this.clip(isSplit);
    this.guides.draw(window);
  }

  drawBefore(window) {
    const { model, at, cut } = this.explorer;
    this.before.render(model.end, model.values(model.end, at, cut), window);
    for (const node of this.before.nodes.children) node.setAttribute("tabindex", -1);
  }

  clip(isSplit) {
    const { left, right } = this.window();
    const x = isSplit ? (left + (right - left) * this.split) * this.zoom : 0;
    this.before.svg.style.clipPath = isSplit
      ? `inset(0 ${Math.max(0, this.places.size.width * this.zoom - x)}px 0 0)`
      : "";
    this.picture.svg.style.clipPath = isSplit ? `inset(0 0 0 ${Math.max(0, x)}px)` : "";
  }

  // ---- moving about

  scale(zoom, x = this.scroller.clientWidth / 2, y = this.scroller.clientHeight / 2) {
    // about a point of the view
    const { left, top } = this.window();
    const old = this.zoom;
    this.zoom = Math.min(ZOOMS.most, Math.max(ZOOMS.least, zoom));
    const place = [left + x / old, top + y / old];
    this.rescale();
    this.scroller.scrollLeft = place[0] * this.zoom - x;
    this.scroller.scrollTop = place[1] * this.zoom - y;
    this.draw();
  }

  fit() {
    // the whole picture, or its own size where that is what one sees
    const { width, height } = this.places.size;
    const { clientWidth, clientHeight } = this.scroller;
    const whole = Math.min(1, clientWidth / width, clientHeight / height);
    this.scale(this.zoom === whole ? 1 : whole);
  }

  pan(dx, dy) {
    this.scroller.scrollBy(dx, dy);
  }

  show(p) {
    // scroll a part into view
    const spot = this.places?.spots[this.explorer.groups.seen(p)];
    const { scroller } = this;
    if (!spot) return;
    const x = spot[0] * this.zoom + this.shift();
    const y = spot[1] * this.zoom;
    const left = nearest(x, scroller.scrollLeft, scroller.clientWidth, 110);
    const { scrollTop, clientHeight } = scroller;
    const isSeen = y > scrollTop + 60 && y < scrollTop + clientHeight - 60;
    const top = isSeen ? scrollTop : y - clientHeight / 2;
    scroller.scrollTo({ left, top, behavior: isCalm() ? "instant" : "smooth" });
  }

  partAt(event) {
    // under the pointer
    const p = event.target.closest?.(".node")?.dataset.p;
    if (p || this.zoom >= LEGIBLE) return p ?? null;
    const box = this.scroller.getBoundingClientRect();
    const { left, top } = this.window();
    const x = left + (event.clientX - box.left) / this.zoom;
    return this.places.under(x, top + (event.clientY - box.top) / this.zoom) ?? null;
  }
}

function nearest(at, from, size, edge) {
  // the scrolling that brings a point into view
  return Math.max(at + edge - size, Math.min(at - edge, from));
}
