// Pointers: hover, pin, pull a number sideways, drag the ground, zoom with Ctrl or two fingers.
import { unitOf } from "./fields.js";

const WAIT = { over: 200, out: 80 }; // milliseconds until pointing counts
const SLACK = 4; // pixels before a press is a pull

export class Hands {
  constructor(explorer) {
    this.explorer = explorer;
    this.held = null; // what a pressed pointer does
    const { scroller, map, thumbs } = explorer.view;
    scroller.addEventListener("pointerover", (event) => this.over(event));
    scroller.addEventListener("pointerleave", () => this.later(null));
    scroller.addEventListener("pointerdown", (event) => this.press(event));
    scroller.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    scroller.addEventListener("touchstart", (event) => this.fingers(event), { passive: false });
    scroller.addEventListener("touchmove", (event) => this.fingers(event), { passive: false });
    scroller.addEventListener("pointermove", (event) => explorer.view.zoom < 0.7 && this.over(event));
    map.addEventListener("pointerdown", (event) => this.drag(event, map, () => this.jump(event)));
    thumbs.forEach((thumb, across) => thumb.addEventListener("pointerdown", (event) => this.slide(event, thumb, across)));
  }

  // ---- pointing

  over(event) {
    if (!this.held && event.pointerType !== "touch") this.later(this.explorer.view.partAt(event));
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
    const { explorer } = this, { view } = explorer, p = view.partAt(event);
    explorer.steps.end();
    clearTimeout(this.waiting);
    this.next = undefined;
    if (p && explorer.isHandle(p) && view.zoom >= 0.7) this.pull(event, p);
    else if (event.pointerType !== "touch") this.drag(event, view.scroller, (dx, dy) => view.pan(-dx, -dy), () => explorer.pin(this.toggled(p)));
    else view.scroller.addEventListener("pointerup", () => explorer.pin(this.toggled(p)), { once: true });
    if (p && view.zoom >= 0.7) this.focus(p);
  }

  toggled(p) { return this.explorer.pinned === p ? null : p; }

  focus(p) { // one tab stop: the part that was pressed
    this.explorer.focus = p;
    this.explorer.view.picture.drawn.get(p)?.focus({ preventScroll: true });
  }

  pull(event, p) {
    const { explorer } = this, from = explorer.values[p], unit = unitOf(Number.isFinite(from) ? from : 0);
    let hasMoved = false;
    this.follow(event, explorer.view.scroller, (move) => {
      const dx = move.clientX - event.clientX;
      if (!hasMoved && Math.abs(dx) < SLACK) return;
      hasMoved = explorer.isPulling = true;
      explorer.hover = p;
      if (explorer.pinned !== p) explorer.pinned = null;
      explorer.pull(p, Number(((Number.isFinite(from) ? from : 0) + Math.round(dx) * unit).toPrecision(10)));
    }, () => {
      explorer.isPulling = false;
      if (hasMoved) explorer.turnTo();
      else explorer.pin(this.toggled(p));
    });
  }

  drag(event, target, move, click) { // the ground, or the map
    let last = event, hasMoved = false;
    this.follow(event, target, (now) => {
      hasMoved ||= Math.hypot(now.clientX - event.clientX, now.clientY - event.clientY) > SLACK;
      if (hasMoved) move(now.clientX - last.clientX, now.clientY - last.clientY, now);
      last = now;
    }, () => !hasMoved && (click ?? move)(0, 0, event));
  }

  jump() { // the view goes where one points on the map
    const { view } = this.explorer, { map, scroller } = view;
    const box = map.getBoundingClientRect(), [x, y] = [this.at.clientX - box.left, this.at.clientY - box.top];
    scroller.scrollTo(x / map.scale * view.zoom - scroller.clientWidth / 2, y / map.scale * view.zoom - scroller.clientHeight / 2);
  }

  slide(event, thumb, across) {
    const { scroller, paper } = this.explorer.view, side = across ? "Width" : "Height";
    this.drag(event, thumb, (dx, dy) => {
      const pace = paper[`offset${side}`] / scroller[`client${side}`];
      scroller.scrollBy(across ? dx * pace : 0, across ? 0 : dy * pace);
    }, () => {});
  }

  follow(event, target, move, end) { // one pointer, until it is let go
    this.held = event.pointerId;
    this.at = event;
    target.setPointerCapture(event.pointerId);
    const moved = (now) => {
      if (now.pointerId !== this.held) return;
      this.at = now;
      move(now);
    };
    const stop = (now) => {
      if (now.pointerId !== this.held) return;
      for (const [name, act] of [["pointermove", moved], ["pointerup", stop], ["pointercancel", stop]]) target.removeEventListener(name, act);
      this.held = null;
      end();
    };
    for (const [name, act] of [["pointermove", moved], ["pointerup", stop], ["pointercancel", stop]]) target.addEventListener(name, act);
  }

  // ---- zoom

  wheel(event) { // plain: the page scrolls, or the picture where the page has nothing to scroll
    const { view } = this.explorer;
    if (event.ctrlKey || event.metaKey) {
      const box = view.scroller.getBoundingClientRect();
      view.scale(view.zoom * Math.exp(-event.deltaY / 300), event.clientX - box.left, event.clientY - box.top);
    } else if (event.shiftKey || !scrollsPage(this.explorer.host)) {
      view.pan(event.shiftKey ? event.deltaY || event.deltaX : event.deltaX, event.shiftKey ? 0 : event.deltaY);
    } else return;
    event.preventDefault();
  }

  fingers(event) {
    if (event.touches.length !== 2) {
      this.span = undefined;
      return;
    }
    event.preventDefault();
    const [a, b] = event.touches, { view } = this.explorer, box = view.scroller.getBoundingClientRect();
    const now = { size: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY), x: (a.clientX + b.clientX) / 2, y: (a.clientY + b.clientY) / 2 };
    if (this.span) {
      view.scale(view.zoom * (now.size / this.span.size), now.x - box.left, now.y - box.top);
      view.pan(this.span.x - now.x, this.span.y - now.y);
    }
    this.span = now;
  }
}

function scrollsPage(host) { // does anything around the explorer scroll?
  for (let node = host.parentElement; node; node = node.parentElement) {
    const isRoot = node === document.scrollingElement, way = getComputedStyle(node).overflowY;
    if (node.scrollHeight > node.clientHeight + 1 && (isRoot || way === "auto" || way === "scroll")) return true;
  }
  return false;
}
