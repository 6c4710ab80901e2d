// The whole picture without words, on a canvas: as a small map, and as one sees it from afar.
import { brief } from "./elements.js";
import { coloursOf } from "./theme.js";

const NAMES = 14; // pixels

export function drawOverview(canvas, explorer, places, window, room) {
  const ratio = devicePixelRatio || 1;
  const width = room.clientWidth;
  const height = room.clientHeight;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  const pen = canvas.getContext("2d");
  const colours = coloursOf(explorer);
  const across = (width * ratio) / (window.right - window.left);
  const zoom = width / (window.right - window.left);
  const down = (height * ratio) / (window.bottom - window.top);
  pen.setTransform(across, 0, 0, down, -window.left * across, -window.top * down);
  const { model } = explorer;
  const frame = explorer.groups.frame(explorer.shown);
  const shown = places.within(window.top - 200, window.bottom + 200);
  const sides = [
    shown.filter((p) => frame[p] && !model.isDerivative(p)),
    shown.filter((p) => frame[p] && model.isDerivative(p)),
  ];
  sides.forEach((parts, side) => {
    pen.strokeStyle = pen.fillStyle = side ? colours.derivative : colours.value;
    pen.lineWidth = Math.max(1.2, 1 / zoom);
    strokeEdges(pen, explorer, places, frame, parts);
    pen.globalAlpha = 1;
    for (const p of parts) fillBox(pen, explorer, places, p, colours, side);
  });
  if (places.row * zoom > NAMES * 1.6) nameAll(pen, explorer, places, shown, zoom);
}

function strokeEdges(pen, { formulas, groups }, places, frame, parts) {
  pen.beginPath();
  for (const p of parts) {
    for (const a of groups.operands(frame[p], p)) {
      if (!frame[a] || !places.spots[a] || formulas.isFar(a, p)) continue;
      pen.moveTo(...places.spots[a]);
      pen.lineTo(...places.spots[p]);
    }
  }
  pen.globalAlpha = 0.5;
  pen.stroke();
}

function fillBox(pen, explorer, places, p, colours, side) {
  const [x, y] = places.spots[p];
  const isLit = p === explorer.pointed || explorer.matches?.has(p) || explorer.ringed.has(p);
  const width = isLit ? 90 : 64;
  const height = places.height * (isLit ? 1.2 : 0.8);
  pen.fillStyle = isLit ? colours.ink : side ? colours.derivative : colours.value;
  pen.fillRect(x - width / 2, y - height / 2, width, height);
}

function nameAll(pen, explorer, places, parts, zoom) {
  // above the boxes, as large as elsewhere
  const { model } = explorer;
  const frame = explorer.groups.frame(explorer.shown);
  const { valueText, derivativeText } = coloursOf(explorer);
  pen.font = `${NAMES / zoom}px Inter, "Segoe UI", "DejaVu Sans", system-ui, sans-serif`;
  pen.textAlign = "center";
  for (const p of parts) {
    const [x, y] = places.spots[p];
    const name = brief(model.name(p), 6);
    pen.fillStyle = model.isDerivative(p) ? derivativeText : valueText;
    if (frame[p] && name) pen.fillText(name, x, y - places.height * 0.4 - 4 / zoom);
  }
}
