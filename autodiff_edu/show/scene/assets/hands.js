// Pointers: hover, pin, pull a number sideways, drag the ground, zoom with Ctrl or two fingers.
import { nudged } from "./fields.js";
import { LEGIBLE } from "./view.js";
import { Zooming } from "./zooming.js";

const WAIT = { over: 200, out: 80 }; // milliseconds until pointing counts
const SLACK = 4; // pixels before a press is a pull

export class Hands {
  constructor(explorer) {
    this.explorer = explorer;
    this.zooming = new Zooming(explorer);
    this.pointer = null; // what a pressed pointer does
    const { scroller, guides } = explorer.view;
    const { map, thumbs } = guides;
    scroller.addEventListener("pointerover", (event) => this.over(event));
    scroller.addEventListener("pointerleave", () => this.later(null));
    scroller.addEventListener("pointerdown", (event) => this.press(event));
    scroller.addEventListener(
      "pointermove",
      (event) => explorer.view.zoom < LEGIBLE && this.over(event),
    );
    map.addEventListener("pointerdown", (event) => this.drag(event, map, () => this.jump(event)));
    thumbs.forEach((thumb, across) =>
      thumb.addEventListener("pointerdown", (event) => this.slide(event, thumb, across)),
    );
  }

  // ---- pointing

  over(event) {
    if (!this.pointer && event.pointerType !== "touch") {
      this.later(this.explorer.view.partAt(event));
    }
  }

  later(p) {
    if (p === this.next) return;
    this.next = p;
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.explorer.point(p), p ? WAIT.over : WAIT.out);
  }

  // ---- pressing

  press(event) {
    if (event.button) return;
    const { explorer } = this;
    const { view } = explorer;
    const p = view.partAt(event);
    explorer.steps.end();
    clearTimeout(this.waiting);
    this.next = undefined;
    const pan = event.pointerType === "touch" ? () => {} : (dx, dy) => view.pan(-dx, -dy);
    if (p && explorer.isHandle(p) && view.zoom >= LEGIBLE) this.pull(event, p);
    else this.drag(event, view.scroller, pan, () => explorer.pin(this.toggled(p)));
    if (p && view.zoom >= LEGIBLE) this.focus(p);
  }

  toggled(p) {
    return this.explorer.pinned === p ? null : p;
  }

  focus(p) {
    // one tab stop: the part that was pressed
    this.explorer.focus = p;
    this.explorer.view.picture.shapes.get(p)?.focus({ preventScroll: true });
  }

  pull(event, p) {
    const { explorer } = this;
    const from = explorer.values[p];
    let hasMoved = false;
    this.follow(
      event,
      explorer.view.scroller,
      (move) => {
        const dx = move.clientX - event.clientX;
        if (!hasMoved && Math.abs(dx) < SLACK) return;
        hasMoved = explorer.isPulling = true;
        explorer.hover = p;
        if (explorer.pinned !== p) explorer.pinned = null;
        explorer.pull(p, nudged(from, Math.round(dx)));
      },
      (isClick) => {
        explorer.isPulling = false;
        if (hasMoved) explorer.pin(p);
        else if (isClick) explorer.pin(this.toggled(p));
      },
    );
  }

  drag(event, target, move, click) {
    // the ground, or the map
    let last = event;
    let hasMoved = false;
    this.follow(
      event,
      target,
      (now) => {
        hasMoved ||= Math.hypot(now.clientX - event.clientX, now.clientY - event.clientY) > SLACK;
        if (hasMoved) move(now.clientX - last.clientX, now.clientY - last.clientY, now);
        last = now;
      },
      (isClick) => isClick && !hasMoved && (click ?? move)(0, 0, event),
    );
  }

  jump() {
    // the view goes where one points on the map
    const { view } = this.explorer;
    const { scroller, guides } = view;
    const { map } = guides;
    const box = map.getBoundingClientRect();
    const [x, y] = [this.at.clientX - box.left, this.at.clientY - box.top];
    const [left, top] = [(x / map.scale[0]) * view.zoom, (y / map.scale[1]) * view.zoom];
    scroller.scrollTo(left - scroller.clientWidth / 2, top - scroller.clientHeight / 2);
  }

  slide(event, thumb, across) {
    const { scroller, paper } = this.explorer.view;
    const side = across ? "Width" : "Height";
    this.drag(
      event,
      thumb,
      (dx, dy) => {
        const pace = paper[`offset${side}`] / scroller[`client${side}`];
        scroller.scrollBy(across ? dx * pace : 0, across ? 0 : dy * pace);
      },
      () => {},
    );
  }

  follow(event, target, move, end) {
    // one pointer, until it is let go
    this.pointer = event.pointerId;
    this.at = event;
    target.setPointerCapture(event.pointerId);
    const moved = (now) => {
      if (now.pointerId !== this.pointer) return;
      this.at = now;
      move(now);
    };
    const stop = (now) => {
      if (now.pointerId !== this.pointer) return;
      for (const [name, act] of acts) target.removeEventListener(name, act);
      this.pointer = null;
      end(now.type === "pointerup"); // else the page scrolls by this finger
    };
    const acts = [
      ["pointermove", moved],
      ["pointerup", stop],
      ["pointercancel", stop],
    ];
    for (const [name, act] of acts) target.addEventListener(name, act);
  }
}
