// Where one is in a picture that is larger than its view: a small map and two thumbs.
import { element } from "./elements.js";
import { drawOverview } from "./overview.js";

const MAP = { width: 150, height: 140, least: 56 }; // pixels

export class Guides {
  constructor(view) {
    this.view = view;
    this.map = element("canvas", { class: "map", "aria-hidden": "true" });
    const thumb = (name) => element("div", { class: `thumb ${name}`, "aria-hidden": "true" });
    this.thumbs = [thumb("down"), thumb("across")];
  }

  draw(window) {
    const { width, height } = this.view.places.size;
    const { clientWidth, clientHeight, scrollLeft, scrollTop } = this.view.scroller;
    const isTall = height * this.view.zoom > clientHeight + 1;
    const isWide = width * this.view.zoom > clientWidth + 1;
    this.map.hidden = !(this.view.isLarge && (isTall || isWide));
    if (!this.map.hidden) {
      const scale = Math.min(MAP.width / width, MAP.height / height);
      const whole = { left: 0, top: 0, right: width, bottom: height };
      const room = {
        clientWidth: Math.max(MAP.least, width * scale),
        clientHeight: Math.max(MAP.least, height * scale),
      };
      this.map.scale = [room.clientWidth / width, room.clientHeight / height];
      drawOverview(this.map, this.view.explorer, this.view.places, whole, room, window);
    }
    const [down, across] = this.thumbs;
    const part = (view, whole) => Math.max(24, (view * view) / whole);
    down.hidden = !isTall;
    across.hidden = !isWide;
    const run = (view, scroll, whole) =>
      ((view - part(view, whole)) * scroll) / Math.max(1, whole - view);
    Object.assign(down.style, {
      height: `${part(clientHeight, height * this.view.zoom)}px`,
      top: `${run(clientHeight, scrollTop, height * this.view.zoom)}px`,
    });
    Object.assign(across.style, {
      width: `${part(clientWidth, width * this.view.zoom)}px`,
      left: `${run(clientWidth, scrollLeft, width * this.view.zoom)}px`,
    });
  }
}
