// The wheel and two fingers: the page scrolls unless one zooms; pointing is in hands.js.

export class Zooming {
  constructor(explorer) {
    this.explorer = explorer;
    const { scroller } = explorer.view;
    scroller.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    scroller.addEventListener("touchstart", (event) => this.fingers(event), { passive: false });
    scroller.addEventListener("touchmove", (event) => this.fingers(event), { passive: false });
  }

  wheel(event) {
    // plain: the page scrolls, or the picture where the page has nothing to scroll
    const { view, host } = this.explorer;
    const { deltaX, deltaY, clientX, clientY, shiftKey } = event;
    if (event.ctrlKey || event.metaKey) {
      const { left, top } = view.scroller.getBoundingClientRect();
      view.scale(view.zoom * Math.exp(-deltaY / 300), clientX - left, clientY - top);
    } else if (shiftKey) view.pan(deltaY || deltaX, 0);
    else if (!scrollsPage(host)) view.pan(deltaX, deltaY);
    else return;
    event.preventDefault();
  }

  fingers(event) {
    if (event.touches.length !== 2) {
      this.span = undefined;
      return;
    }
    event.preventDefault();
    const [a, b] = event.touches;
    const { view } = this.explorer;
    const box = view.scroller.getBoundingClientRect();
    const now = {
      size: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY),
      x: (a.clientX + b.clientX) / 2,
      y: (a.clientY + b.clientY) / 2,
    };
    if (this.span) {
      view.scale(view.zoom * (now.size / this.span.size), now.x - box.left, now.y - box.top);
      view.pan(this.span.x - now.x, this.span.y - now.y);
    }
    this.span = now;
  }
}

function scrollsPage(host) {
  // does anything around the explorer scroll?
  for (let node = host.parentElement; node; node = node.parentElement) {
    const isRoot = node === document.scrollingElement;
    const canScroll = isRoot || /auto|scroll/.test(getComputedStyle(node).overflowY);
    if (canScroll && node.scrollHeight > node.clientHeight + 1) return true;
  }
  return false;
}
