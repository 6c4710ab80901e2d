// Values as they come from the document and as a reader wants them: 7, 1.716, −0.2837, 1.2e6.
//
// A value is a number, an array {shape, data} whose data may be missing, NEEDS where only Python
// could tell, or undefined where nothing is known.

export const NEEDS = Object.freeze({ needs: "Python" });
const SPECIAL = { nan: NaN, inf: Infinity, "-inf": -Infinity };

export function revive(value) {
  if (typeof value === "string") return SPECIAL[value];
  if (typeof value === "boolean") return Number(value);
  if (value === null || typeof value !== "object") return value ?? undefined;
  const data = value.data && Float64Array.from(value.data, revive);
  return value.shape.length || !data ? { shape: value.shape, data } : data[0];
}

export const isArray = (value) => value?.shape !== undefined;
export const isKnown = (value) => typeof value === "number" || value?.data !== undefined;

export function number(value, digits = 4) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  const isFar = size >= 1e5 || (size > 0 && size < 1e-4);
  const text = isFar ? power(value, digits) : String(Number(value.toPrecision(digits)));
  return text.replace(/-/g, "−");
}

function power(value, digits) {
  // 1.20e+6 is written 1.2e6
  const [head, tail] = value.toExponential(Math.max(0, Math.min(2, digits - 1))).split("e");
  return `${Number(head)}e${Number(tail)}`;
}

export function short(value, most = 7) {
  // at most so many letters
  for (let digits = 4; digits > 1; digits--) {
    const text = number(value, digits);
    if (text.length <= most) return text;
  }
  return number(value, 1);
}

export function shapeText(shape) {
  return `(${shape.join(", ")}${shape.length === 1 ? "," : ""})`;
}

export function inWords(value, one = number) {
  // of a number or an array, on one line
  if (value === undefined) return "";
  if (value === NEEDS) return "needs Python";
  if (!isArray(value)) return one(value);
  const count = value.data?.length;
  if (count === undefined || count > 4) return shapeText(value.shape);
  return nested(
    value.shape,
    Array.from(value.data, (entry) => one(entry, 3)),
  );
}

function nested(shape, texts) {
  // [1, 2], [3, 4] in brackets
  if (!shape.length) return texts[0];
  const [length, ...rest] = shape;
  const size = length ? texts.length / length : 0;
  const rows = [];
  for (let k = 0; k < length; k++) rows.push(nested(rest, texts.slice(k * size, (k + 1) * size)));
  return `[${rows.join(", ")}]`;
}

const near = (a, b) =>
  Object.is(a, b) || Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));

export function same(a, b) {
  // up to rounding; where one of them is not known, nothing differs
  if (!isKnown(a) || !isKnown(b)) return true;
  if (!isArray(a) || !isArray(b)) return !isArray(a) && !isArray(b) && (a === b || near(a, b));
  return a.data.length === b.data.length && a.data.every((entry, k) => same(entry, b.data[k]));
}
