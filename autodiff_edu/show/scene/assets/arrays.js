// Small arrays, {shape, data} with the entries row by row, as NumPy computes with them.
//
// A number is an array without axes. Each function returns a number where no axis remains.

export const shapeOf = (x) => (typeof x === "number" ? [] : x.shape);
export const entries = (x) => (typeof x === "number" ? [x] : x.data);
const product = (lengths) => lengths.reduce((a, b) => a * b, 1);

export function array(shape, data) {
  return shape.length ? { shape, data: Float64Array.from(data) } : data[0];
}

export function strides(shape) {
  const steps = new Array(shape.length);
  for (let k = shape.length - 1, size = 1; k >= 0; size *= shape[k--]) steps[k] = size;
  return steps;
}

export function commonShape(shapes) {
  const ndim = Math.max(0, ...shapes.map((shape) => shape.length));
  const common = new Array(ndim).fill(1);
  for (const shape of shapes) {
    shape.forEach((length, k) => {
      const axis = ndim - shape.length + k;
      if (length !== 1 && common[axis] !== 1 && common[axis] !== length) {
        throw new Error("shapes differ");
      }
      if (length !== 1) common[axis] = length;
    });
  }
  return common;
}

export function walk(shape, act) {
  // each index of a shape, in order
  const index = new Array(shape.length).fill(0);
  const size = product(shape);
  for (let n = 0; n < size; n++) {
    act(index, n);
    for (let k = shape.length - 1; k >= 0 && ++index[k] === shape[k]; k--) index[k] = 0;
  }
}

export function pick(x, shape, place) {
  // an array whose entry at an index is x's at place(index)
  const from = entries(x);
  const steps = strides(shapeOf(x));
  const data = new Float64Array(product(shape));
  walk(shape, (index, n) => {
    data[n] = from[place(index).reduce((sum, i, k) => sum + i * steps[k], 0)];
  });
  return array(shape, data);
}

export function broadcast(x, shape) {
  const own = shapeOf(x);
  const extra = shape.length - own.length;
  commonShape([own, shape]);
  return pick(x, shape, (index) => own.map((length, k) => (length === 1 ? 0 : index[extra + k])));
}

export function elementwise(rule, ...operands) {
  if (operands.every((x) => typeof x === "number")) return rule(...operands);
  const shape = commonShape(operands.map(shapeOf));
  const rows = operands.map((x) => entries(broadcast(x, shape)));
  return array(
    shape,
    Float64Array.from({ length: product(shape) }, (_, n) => rule(...rows.map((row) => row[n]))),
  );
}

export function reduce(rule, x, axes, keepdims) {
  // rule: the entries along the axes → a number
  const own = shapeOf(x);
  const lines = new Map();
  const shape = own.map((n, k) => (axes.includes(k) ? 1 : n));
  const steps = strides(shape);
  const data = entries(x);
  const out = new Float64Array(product(shape));
  walk(own, (index, n) => {
    const place = index.reduce((sum, i, k) => sum + (axes.includes(k) ? 0 : i * steps[k]), 0);
    if (!lines.has(place)) lines.set(place, []);
    lines.get(place).push(data[n]);
  });
  for (let n = 0; n < out.length; n++) out[n] = rule(lines.get(n) ?? []);
  return array(keepdims ? shape : shape.filter((_, k) => !axes.includes(k)), out);
}

export function reshape(x, shape) {
  const data = entries(x);
  const rest = product(shape.filter((n) => n !== -1));
  const lengths = shape.map((n) => (n === -1 ? data.length / rest : n));
  if (product(lengths) !== data.length) throw new Error("numbers of entries differ");
  return array(lengths, data);
}

export function transpose(x, axes) {
  const own = shapeOf(x);
  return pick(
    x,
    axes.map((k) => own[k]),
    (index) => {
      const place = [];
      axes.forEach((k, n) => (place[k] = index[n]));
      return place;
    },
  );
}

export function expand(x, axes) {
  const lengths = [...shapeOf(x)];
  for (const k of axes) lengths.splice(k, 0, 1);
  return array(lengths, entries(x));
}

export function squeeze(x, axes) {
  return array(
    shapeOf(x).filter((_, k) => !axes.includes(k)),
    entries(x),
  );
}

export function matmul(a, b) {
  const isRow = shapeOf(a).length === 1;
  const isColumn = shapeOf(b).length === 1;
  const left = isRow ? expand(a, [0]) : a;
  const right = isColumn ? expand(b, [1]) : b;
  const [m, n] = left.shape.slice(-2);
  const k = right.shape.at(-1);
  if (right.shape.at(-2) !== n) throw new Error("inner lengths differ");
  const stack = commonShape([left.shape.slice(0, -2), right.shape.slice(0, -2)]);
  const A = entries(broadcast(left, [...stack, m, n]));
  const B = entries(broadcast(right, [...stack, n, k]));
  const count = product(stack);
  const out = new Float64Array(count * m * k);
  for (let s = 0; s < count; s++) {
    for (let i = 0; i < m; i++) {
      for (let j = 0; j < k; j++) {
        let sum = 0;
        for (let l = 0; l < n; l++) sum += A[(s * m + i) * n + l] * B[(s * n + l) * k + j];
        out[(s * m + i) * k + j] = sum;
      }
    }
  }
  return array([...stack, ...(isRow ? [] : [m]), ...(isColumn ? [] : [k])], out);
}

export function concatenate(parts, axis) {
  const shape = [...parts[0].shape];
  const size = product(shape.slice(axis + 1));
  shape[axis] = parts.reduce((sum, part) => sum + part.shape[axis], 0);
  const data = [];
  for (let row = 0; row < product(shape.slice(0, axis)); row++) {
    for (const part of parts) {
      const block = part.shape[axis] * size;
      data.push(...part.data.slice(row * block, (row + 1) * block));
    }
  }
  return array(shape, data);
}

export function cumulate(x, axis) {
  // sums so far
  const data = Float64Array.from(entries(x));
  const step = strides(shapeOf(x))[axis];
  walk(shapeOf(x), (index, n) => {
    if (index[axis]) data[n] += data[n - step];
  });
  return array(shapeOf(x), data);
}
