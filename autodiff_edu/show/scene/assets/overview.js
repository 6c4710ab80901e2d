// The whole picture without words, on a canvas: as a small map, and as one sees it from afar.
import { brief } from "./elements.js";
import { fontOf } from "./elements.js";
import { coloursOf } from "./theme.js";

const NAMES = 14; // pixels

export function drawOverview(canvas, explorer, places, window, room) {
  const ratio = devicePixelRatio || 1;
  const { clientWidth: width, clientHeight: height } = room;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  const pen = canvas.getContext("2d");
  const zoom = width / (window.right - window.left);
  const across = zoom * ratio;
  const down = (height * ratio) / (window.bottom - window.top);
  pen.setTransform(across, 0, 0, down, -window.left * across, -window.top * down);
  const { model } = explorer;
  const frame = explorer.groups.frame(explorer.shown);
  const shown = places.within(window.top - 200, window.bottom + 200).filter((p) => frame[p]);
  const { ink, boxes, words } = coloursOf(explorer);
  [false, true].forEach((side, n) => {
    const parts = shown.filter((p) => model.isDerivative(p) === side);
    pen.strokeStyle = boxes[n];
    pen.lineWidth = Math.max(1.2, 1 / zoom);
    strokeEdges(pen, explorer, places, frame, parts);
    for (const p of parts) fillBox(pen, explorer, places, p, ink, boxes[n]);
    pen.fillStyle = words[n];
    if (places.row * zoom > NAMES * 1.6) nameAll(pen, explorer, places, parts, zoom);
  });
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
  pen.globalAlpha = 1;
}

function fillBox(pen, explorer, places, p, ink, colour) {
  const [x, y] = places.spots[p];
  const isLit = p === explorer.pointed || explorer.matches?.has(p) || explorer.ringed.has(p);
  const width = isLit ? 90 : 64;
  const height = places.height * (isLit ? 1.2 : 0.8);
  pen.fillStyle = isLit ? ink : colour;
  pen.fillRect(x - width / 2, y - height / 2, width, height);
}

function nameAll(pen, { model }, places, parts, zoom) {
  // above the boxes, as large as elsewhere
  pen.font = fontOf(NAMES / zoom);
  pen.textAlign = "center";
  for (const p of parts) {
    const [x, y] = places.spots[p];
    pen.fillText(brief(model.name(p), 6), x, y - places.height * 0.4 - 4 / zoom);
  }
}
