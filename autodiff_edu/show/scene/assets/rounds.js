// The rounds of a loop that was written out: a line whose operations come again in the same order.
import { partsOf } from "./frames.js";

export function roundsOf(model, frame) {
  // part → round, counted from 1
  const rounds = new Map();
  for (const parts of linesOf(model).values()) {
    const length = period(parts.map((p) => model.data.first[p][0]));
    if (length === parts.length) continue; // once
    parts.forEach((p, k) => rounds.set(p, Math.floor(k / length) + 1));
  }
  for (const p of Object.keys(frame)) {
    const { of } = model.parts[p];
    if (rounds.has(of)) rounds.set(p, rounds.get(of));
  }
  for (const p of Object.keys(frame)) {
    // what stands beside a place belongs to its round
    if (rounds.has(p)) continue;
    const near = partsOf(frame[p]).find((a) => model.parts[a].of && rounds.has(a));
    if (near !== undefined) rounds.set(p, rounds.get(near));
  }
  return rounds;
}

function linesOf(model) {
  // line → the operations among the values, as they were written
  const lines = new Map();
  for (const p of Object.keys(model.parts)) {
    const { line, kind } = model.parts[p];
    if (kind !== "value" || line === undefined || !model.data.first[p]) continue;
    if (!lines.has(line)) lines.set(line, []);
    lines.get(line).push(p);
  }
  return lines;
}

function period(operations) {
  // the shortest beginning of which the rest is a repetition
  const { length } = operations;
  for (let n = 1; n < length; n++) {
    if (length % n === 0 && operations.every((name, k) => name === operations[k % n])) return n;
  }
  return length;
}
