// The operations as programs on numbers and small arrays; any other operation needs Python.
//
// A rule of one entry applies to each. Other operations read their parameters from `static`.
import { array } from "./arrays.js";
import { broadcast } from "./arrays.js";
import { concatenate } from "./arrays.js";
import { elementwise } from "./arrays.js";
import { expand } from "./arrays.js";
import { matmul } from "./arrays.js";
import { reduce } from "./arrays.js";
import { reshape } from "./arrays.js";
import { shapeOf } from "./arrays.js";
import { squeeze } from "./arrays.js";
import { cumulate } from "./arrays.js";
import { transpose } from "./arrays.js";
import { cast } from "./dtypes.js";
import { embed } from "./indexing.js";
import { index } from "./indexing.js";

const sigmoid = (x) => {
  const e = Math.exp(Math.min(x, 40));
  return e / (1 + e);
};
const bell = (x) => {
  const e = Math.exp(-Math.abs(x));
  return e / ((1 + e) * (1 + e));
};
const softplus = (x) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)));
const sinc = (x) => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));
const even = (x) => (Math.abs(x % 1) === 0.5 ? 2 * Math.round(x / 2) : Math.round(x));
const remainder = (a, b) => {
  const r = a % b;
  return r !== 0 && r < 0 !== b < 0 ? r + b : r;
};
const logaddexp = (a, b) =>
  a === b ? a + Math.LN2 : Math.max(a, b) + Math.log1p(Math.exp(-Math.abs(a - b)));

function powerOf(a, b) {
  // as IEEE 754 has it: 1 to any power is 1
  if (a === 1 || b === 0 || (a === -1 && Math.abs(b) === Infinity)) return 1;
  return b === 2 ? a * a : a ** b;
}

const EACH = {
  add: (a, b) => a + b,
  subtract: (a, b) => a - b,
  multiply: (a, b) => a * b,
  divide: (a, b) => a / b,
  power: powerOf,
  negative: (a) => -a,
  square: (a) => a * a,
  reciprocal: (a) => 1 / a,
  sqrt: Math.sqrt,
  cbrt: Math.cbrt,
  abs: Math.abs,
  sign: Math.sign,
  exp: Math.exp,
  expm1: Math.expm1,
  exp2: (a) => 2 ** a,
  log: Math.log,
  log1p: Math.log1p,
  log2: Math.log2,
  log10: Math.log10,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  arcsin: Math.asin,
  arccos: Math.acos,
  arctan: Math.atan,
  arctan2: Math.atan2,
  hypot: Math.hypot,
  sinh: Math.sinh,
  cosh: Math.cosh,
  tanh: Math.tanh,
  arcsinh: Math.asinh,
  arccosh: Math.acosh,
  arctanh: Math.atanh,
  tanh_slope: (a) => (1 / Math.cosh(a)) ** 2,
  sigmoid,
  sigmoid_slope: bell,
  softplus,
  sinc,
  logaddexp,
  logit: (a) => Math.log(a / (1 - a)),
  xlogy: (a, b) => (a === 0 && b === b ? 0 : a * Math.log(b)),
  maximum: Math.max,
  minimum: Math.min,
  clip: (a, low, high) => Math.min(Math.max(a, low), high),
  less: (a, b) => +(a < b),
  less_equal: (a, b) => +(a <= b),
  greater: (a, b) => +(a > b),
  greater_equal: (a, b) => +(a >= b),
  equal: (a, b) => +(a === b),
  not_equal: (a, b) => +(a !== b),
  logical_not: (a) => +!a,
  logical_and: (a, b) => +(a && b ? 1 : 0),
  logical_or: (a, b) => +(a || b ? 1 : 0),
  where: (c, a, b) => (c ? a : b),
  floor: Math.floor,
  ceil: Math.ceil,
  trunc: Math.trunc,
  rint: even,
  floor_divide: (a, b) => Math.floor(a / b),
  remainder,
  fmod: (a, b) => a % b,
  copysign: (a, b) => (b < 0 || Object.is(b, -0) ? -Math.abs(a) : Math.abs(a)),
  heaviside: (a, b) => (a === 0 ? b : a < 0 ? 0 : a > 0 ? 1 : NaN),
  isnan: (a) => +Number.isNaN(a),
  isfinite: (a) => +Number.isFinite(a),
  isinf: (a) => +(Math.abs(a) === Infinity),
  deg2rad: (a) => a * (Math.PI / 180),
  rad2deg: (a) => a * (180 / Math.PI),
  disconnected_grad: (a) => a,
  zero_grad: (a) => a,
  undefined_grad: (a) => a,
  common_length: (a) => a,
};

const total = (line) => line.reduce((a, b) => a + b, 0);
const top = (line) => line.reduce((a, b) => Math.max(a, b), -Infinity);
const logTotal = (line) => {
  const most = top(line);
  const shift = Number.isFinite(most) ? most : 0;
  return shift + Math.log(total(line.map((a) => Math.exp(a - shift))));
};
const ALONG = {
  // the entries along axes → a number
  sum: total,
  mean: (line) => total(line) / line.length,
  max: top,
  min: (line) => line.reduce((a, b) => Math.min(a, b), Infinity),
  logsumexp: logTotal,
  product: (line) => line.reduce((a, b) => a * b, 1),
  all: (line) => +line.every(Boolean),
  any: (line) => +line.some(Boolean),
  norm2: (line) => Math.hypot(...line),
};

const listed = (axes, ndim) =>
  (axes === null || axes === undefined ? [...Array(ndim).keys()] : [axes].flat()).map((k) =>
    k < 0 ? k + ndim : k,
  );
const filled = (shape, lengths) => {
  // null stands for a length that is an operand
  const rest = [...lengths];
  return [shape].flat().map((n) => (n === null ? rest.shift() : n));
};
const softmax =
  (log) =>
  ([x], { axis }) => {
    const axes = listed(axis, shapeOf(x).length);
    const rule = log ? (a, b) => a - b : (a, b) => Math.exp(a - b);
    return elementwise(rule, x, reduce(logTotal, x, axes, true));
  };
const WHOLE = {
  // operands and parameters → a value
  transpose: ([x], { axes }) => transpose(x, axes ?? [...shapeOf(x).keys()].reverse()),
  reshape: ([x, ...lengths], { shape }) => reshape(x, filled(shape, lengths)),
  broadcast_to: ([x, ...lengths], { shape }) => broadcast(x, filled(shape, lengths)),
  expand_dims: ([x], { axis }) => expand(x, listed(axis, shapeOf(x).length + [axis].flat().length)),
  squeeze: ([x], { axis }) => squeeze(x, listed(axis, shapeOf(x).length)),
  length: ([x], { axis }) => shapeOf(x).at(axis),
  count: ([n]) => array([n], [...Array(n).keys()]),
  matmul: ([a, b]) => matmul(a, b),
  concatenate: (parts, { axis }) => concatenate(parts, axis),
  index: ([x], { key }) => index(x, key),
  embed: ([x, ...lengths], { key, shape }) => embed(x, key, filled(shape, lengths)),
  cumsum: ([x], { axis }) => (axis === null ? cumulate(reshape(x, [-1]), 0) : cumulate(x, axis)),
  cast: ([x], { dtype }) => cast(x, dtype),
  truncate: ([x], { dtype }) => cast(x, dtype),
  softmax: softmax(false),
  log_softmax: softmax(true),
};

export function compute(name, operands, parameters = {}) {
  // undefined if Python is needed
  if (name in EACH) return elementwise(EACH[name], ...operands);
  if (name in WHOLE) return WHOLE[name](operands, parameters);
  if (!(name in ALONG)) return undefined;
  const [x] = operands;
  const axes = listed(parameters.axis, shapeOf(x).length);
  return reduce(ALONG[name], x, axes, parameters.keepdims);
}
