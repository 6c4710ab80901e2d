// Where one is in a picture that is larger than its view: a small map beside it, and two thumbs.
import { element } from "./elements.js";
import { drawOverview } from "./overview.js";
import { coloursOf } from "./theme.js";

const MAP = { width: 150, height: 140, least: 56 }; // pixels
const THUMB = 24; // pixels, at least

export class Guides {
  constructor(view) {
    this.view = view;
    this.map = element("canvas", { class: "map", "aria-hidden": "true", hidden: true });
    this.parts = element("canvas"); // the map without the outline of the view
    const thumb = (name) => element("div", { class: `thumb ${name}`, "aria-hidden": "true" });
    this.thumbs = [thumb("down"), thumb("across")];
  }

  draw(window) {
    const { zoom, places, scroller, isLarge } = this.view;
    const [width, height] = [places.size.width * zoom, places.size.height * zoom];
    const [down, across] = this.thumbs;
    down.hidden = height <= scroller.clientHeight + 1;
    across.hidden = width <= scroller.clientWidth + 1;
    this.map.hidden = !isLarge || (down.hidden && across.hidden);
    this.view.explorer.element?.classList.toggle("mapped", !this.map.hidden);
    if (!this.map.hidden) this.drawMap(window);
    const [tall, top] = share(scroller.clientHeight, scroller.scrollTop, height);
    Object.assign(down.style, { height: `${tall}px`, top: `${top}px` });
    const [wide, left] = share(scroller.clientWidth, scroller.scrollLeft, width);
    Object.assign(across.style, { width: `${wide}px`, left: `${left}px` });
  }

  drawMap(window) {
    // the parts only where they changed; the outline of the view, always
    const { explorer, places } = this.view;
    const { width, height } = places.size;
    const scale = Math.min(MAP.width / width, MAP.height / height);
    const room = {
      clientWidth: Math.max(MAP.least, width * scale),
      clientHeight: Math.max(MAP.least, height * scale),
    };
    this.map.scale = [room.clientWidth / width, room.clientHeight / height];
    const { ink } = coloursOf(explorer);
    const { shown, pointed, matches, groups, ringed } = explorer;
    const state = [shown, pointed, matches?.size, ink, width, height];
    const key = [...state, ...groups.open, ...ringed].join();
    if (this.key !== key) {
      this.key = key;
      const whole = { left: 0, top: 0, right: width, bottom: height };
      drawOverview(this.parts, explorer, places, whole, room);
      Object.assign(this.map.style, {
        width: this.parts.style.width,
        height: this.parts.style.height,
      });
    }
    this.outline(window, ink);
  }

  outline({ left, right, top, bottom }, ink) {
    Object.assign(this.map, { width: this.parts.width, height: this.parts.height });
    const pen = this.map.getContext("2d");
    pen.drawImage(this.parts, 0, 0);
    const ratio = devicePixelRatio || 1;
    const [across, down] = this.map.scale.map((size) => size * ratio);
    pen.strokeStyle = ink;
    pen.lineWidth = 1.5 * ratio;
    pen.strokeRect(left * across, top * down, (right - left) * across, (bottom - top) * down);
  }
}

function share(view, scroll, whole) {
  // of a thumb: its length, and where it begins
  const length = Math.max(THUMB, (view * view) / whole);
  return [length, ((view - length) * scroll) / Math.max(1, whole - view)];
}
