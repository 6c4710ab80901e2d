// How edges run: straight where boxes stand, bent between them.

export function edgePath(places, a, p, shift, frame, half) {
  // half: part → half the width of its box
  const [x1, y1] = places.spots[a];
  const [x2, y2] = places.spots[p];
  if (Math.abs(y1 - y2) < 1) return besidePath(places, a, p, frame, half);
  const s = Math.sign(y2 - y1);
  const edge = places.height / 2;
  const { bends } = places;
  const points = bends[`${a}>${p}`] ?? [...(bends[`${p}>${a}`] ?? [])].reverse();
  let [x, y] = [x1 + shift, s > 0 ? places.end(a) : y1 - edge];
  let path = `M${x},${y}`;
  const line = (v) => {
    if (v) path += `V${(y = v)}`;
  };
  const curve = (u, v) => {
    path += `C${x},${(y + v) / 2} ${u},${(y + v) / 2} ${u},${v}`;
    [x, y] = [u, v];
  };
  if (s > 0) line(places.foot(a));
  const here = points.filter(([, row]) => places.isWhole || places.index.has(row));
  for (const [u, v] of here.map((point) => places.spot(point))) {
    // straight between boxes, else bent
    curve(u, v - s * (edge + 3));
    line(v + s * (edge + 3));
  }
  curve(x2 + shift, s > 0 ? y2 - edge : (places.foot(p) ?? places.end(p)));
  if (s < 0) line(places.end(p));
  return path;
}

function besidePath(places, a, p, frame, half) {
  // within a row: from side to side, or below what stands between
  const [x1, y] = places.spots[a];
  const [x2] = places.spots[p];
  const s = Math.sign(x2 - x1);
  const low = y + places.height / 2;
  const level = places.levels[places.index.get(places.at[a][1])];
  const isFree = !level.some(
    (q) => frame[q] && (places.spots[q][0] - x1) * s > 1 && (x2 - places.spots[q][0]) * s > 1,
  );
  if (isFree) return `M${x1 + s * half(a)},${y}H${x2 - s * half(p)}`;
  return `M${x1},${low}C${x1 + s * 30},${low + 20} ${x2 - s * 30},${low + 20} ${x2},${low}`;
}
