// The whole picture without words, on a canvas: the map of a large one, and what one sees from afar.
import { isPart } from "./model.js";
import { operandsOf } from "./model.js";

export function drawOverview(canvas, explorer, places, window, room, frameOfView) {
  const ratio = devicePixelRatio || 1, width = room.clientWidth, height = room.clientHeight;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  const pen = canvas.getContext("2d"), zoom = width / (window.right - window.left), colours = explorer.colours();
  pen.setTransform(zoom * ratio, 0, 0, zoom * ratio, -window.left * zoom * ratio, -window.top * zoom * ratio);
  const { model } = explorer, frame = model.frame(explorer.shown), shown = places.within(window.top - 200, window.bottom + 200);
  const sides = [shown.filter((p) => frame[p] && !model.isDerivative(p)), shown.filter((p) => frame[p] && model.isDerivative(p))];
  sides.forEach((parts, side) => {
    pen.strokeStyle = pen.fillStyle = side ? colours.derivative : colours.value;
    pen.lineWidth = Math.max(1.2, 0.5 / zoom);
    strokeEdges(pen, explorer, places, frame, parts);
    pen.globalAlpha = 1;
    for (const p of parts) fillBox(pen, explorer, places, p, colours, side);
  });
  if (frameOfView) outline(pen, frameOfView, zoom, colours.ink);
}

function strokeEdges(pen, { formulas }, places, frame, parts) {
  pen.beginPath();
  for (const p of parts) {
    for (const a of operandsOf(frame[p])) {
      if (!isPart(a) || !frame[a] || !places.spots[a] || formulas.isFar(a, p)) continue;
      pen.moveTo(...places.spots[a]);
      pen.lineTo(...places.spots[p]);
    }
  }
  pen.globalAlpha = 0.5;
  pen.stroke();
}

function fillBox(pen, explorer, places, p, colours, side) {
  const [x, y] = places.spots[p], isLit = p === explorer.pointed || explorer.matches?.has(p) || explorer.ringed.has(p);
  const width = isLit ? 90 : 64, height = places.height * (isLit ? 1.2 : 0.8);
  pen.fillStyle = isLit ? colours.ink : side ? colours.derivative : colours.value;
  pen.fillRect(x - width / 2, y - height / 2, width, height);
}

function outline(pen, view, zoom, ink) { // what is in view
  pen.strokeStyle = ink;
  pen.lineWidth = 1.5 / zoom;
  pen.strokeRect(view.left, view.top, view.right - view.left, view.bottom - view.top);
}
