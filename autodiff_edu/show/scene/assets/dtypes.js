// Numbers as their dtype holds them; a dtype that is not here needs Python.
import { elementwise } from "./arrays.js";

const HOLDS = {
  // by dtype: what an entry becomes; the others need Python
  float64: (a) => a,
  float32: Math.fround,
  int64: (a) => a,
  bool: (a) => +(a !== 0),
};

export function rounds(type, value) {
  const dtype = type?.match(/^[a-z]+\d*/)?.[0] ?? "float64";
  return HOLDS[dtype] && elementwise(HOLDS[dtype], value);
}

export function cast(x, dtype) {
  const rule = dtype === "int64" ? Math.trunc : HOLDS[dtype];
  return rule && elementwise(rule, x);
}
