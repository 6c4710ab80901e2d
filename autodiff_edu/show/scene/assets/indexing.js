// x[key] of numbers, slices [start, stop, step] and new axes (null), and zeros with x at a key.
import { array } from "./arrays.js";
import { entries } from "./arrays.js";
import { pick } from "./arrays.js";
import { shapeOf } from "./arrays.js";
import { strides } from "./arrays.js";
import { walk } from "./arrays.js";

export function index(x, key) {
  const { shape, place } = selection(shapeOf(x), key);
  return pick(x, shape, place);
}

export function embed(x, key, whole) {
  const { shape, place } = selection(whole, key);
  const steps = strides(whole);
  const from = entries(x);
  const data = new Float64Array(whole.reduce((a, b) => a * b, 1));
  walk(shape, (at, n) => {
    data[place(at).reduce((sum, i, k) => sum + i * steps[k], 0)] = from[n];
  });
  return array(whole, data);
}

function selection(shape, key) {
  // the shape of the part, and where each of its entries stands in the whole
  const axes = []; // of the whole: an entry, or the places along an axis of the part
  const lengths = [];
  for (const item of key) {
    const length = shape[axes.length];
    if (item === null) lengths.push(1);
    else if (typeof item === "number") axes.push(item < 0 ? item + length : item);
    else {
      const places = sliced(item, length);
      axes.push({ axis: lengths.length, places });
      lengths.push(places.length);
    }
  }
  const place = (at) => axes.map((a) => (typeof a === "number" ? a : a.places[at[a.axis]]));
  return { shape: lengths, place };
}

function sliced([start, stop, step], length) {
  // the places that Python's slice names
  const by = step ?? 1;
  const bound = (n, low, high) => Math.max(low, Math.min(high, n < 0 ? n + length : n));
  const [low, high] = by > 0 ? [0, length] : [-1, length - 1];
  const first = start === null ? (by > 0 ? 0 : length - 1) : bound(start, low, high);
  const last = stop === null ? (by > 0 ? length : -1) : bound(stop, low, high);
  const places = [];
  for (let k = first; by > 0 ? k < last : k > last; k += by) places.push(k);
  return places;
}
