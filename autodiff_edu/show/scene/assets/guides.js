// Where one is in a picture that is larger than its view: a small map beside it, and two thumbs.
import { element } from "./elements.js";
import { drawOverview } from "./overview.js";

const MAP = { width: 150, height: 140, least: 56 }; // pixels
const THUMB = 24; // pixels, at least

export class Guides {
  constructor(view) {
    this.view = view;
    this.map = element("canvas", { class: "map", "aria-hidden": "true", hidden: true });
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
    const { explorer, places } = this.view;
    const { width, height } = places.size;
    const scale = Math.min(MAP.width / width, MAP.height / height);
    const room = {
      clientWidth: Math.max(MAP.least, width * scale),
      clientHeight: Math.max(MAP.least, height * scale),
    };
    this.map.scale = [room.clientWidth / width, room.clientHeight / height];
    const whole = { left: 0, top: 0, right: width, bottom: height };
    drawOverview(this.map, explorer, places, whole, room, window);
  }
}

function share(view, scroll, whole) {
  // of a thumb: its length, and where it begins
  const length = Math.max(THUMB, (view * view) / whole);
  return [length, ((view - length) * scroll) / Math.max(1, whole - view)];
}
