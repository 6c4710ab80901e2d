// A pull measures a slope: "v₂ moved by 1, y by 1: 1 / 1 = 1; its adjoint was 1": an adjoint.
import { element } from "./elements.js";
import { signed } from "./fields.js";
import { isPart } from "./frames.js";
import { operandsOf } from "./frames.js";
import { inWords } from "./numbers.js";
import { isArray } from "./numbers.js";
import { number } from "./numbers.js";
import { revive } from "./numbers.js";

const TERMS = 4; // terms that are written out

export function measurement(explorer, p) {
  // rows of the card, none where nothing has moved
  const { model, shown, values } = explorer;
  const isCut = p in explorer.cut;
  const home = isCut ? explorer.at : { ...explorer.at, [p]: model.start[p] };
  const before = model.values(shown, home);
  const n = entryThatMoved(values[p], before[p]);
  const by = entry(values[p], n) - entry(before[p], n);
  const moved = values[model.y] - before[model.y];
  if (!by || !Number.isFinite(by) || !Number.isFinite(moved)) return [];
  const name = model.name(p) + placeIn(values[p], n);
  const y = model.resultName;
  const ratio = moved / by;
  const slope = slopeAt(explorer, p, home, n);
  const words = [
    `${name} moved by ${number(by, 3)}, ${y} by ${number(moved, 3)}: `,
    element("br"),
    `${number(moved, 3)} / ${signed(by, 3)} = ${number(ratio)}`,
  ];
  if (slope === undefined) return words;
  words.push(`; ${slope.name} was ${number(slope.value)}`);
  if (number(ratio, 3) !== number(slope.value, 3)) {
    words.push(". ", element("br"), "Pull less: it comes nearer.");
  }
  return words;
}

// ---- an entry of an array, by its place among all of them; of a number there is one

const entry = (value, n) => (isArray(value) ? value.data?.[n] : value);

function entryThatMoved(now, before) {
  // the only one, else none
  if (!isArray(now)) return 0;
  const all = [...(now.data ?? []).keys()].filter((n) => now.data[n] !== before?.data?.[n]);
  return all.length === 1 ? all[0] : undefined;
}

function placeIn(value, n) {
  // [1, 0]
  if (!isArray(value)) return "";
  const places = [];
  for (const length of [...value.shape].reverse()) {
    places.unshift(n % length);
    n = Math.floor(n / length);
  }
  return `[${places.join(", ")}]`;
}

function slopeAt(explorer, p, home, n) {
  // the derivative of the answer by p, where p came from
  const { model, shown } = explorer;
  const { mode, wrt } = model.data;
  const k = Math.max(shown, model.end);
  const values = model.values(k, home);
  const adjoint = entry(values[model.placeOf[p]], n);
  if (mode === "reverse" && typeof adjoint === "number") {
    return { name: "its adjoint", value: adjoint };
  }
  const value = values[model.outs[k][0]];
  return mode !== "lone" && p === wrt[0] && typeof value === "number"
    ? { name: `${model.resultName}′`, value }
    : undefined;
}

export function termsOf(explorer, place) {
  // x̄₂ = v̄₃·cos(x₂) + x₁·1 = (−0.2837) + 2 = 1.716
  const { model, formulas, values, shown } = explorer;
  const frame = model.frame(shown);
  const content = frame[place];
  if (!model.isDerivative(place) || model.data.mode !== "reverse" || content?.[0] !== "add") {
    return undefined;
  }
  const terms = [];
  const stack = [place];
  while (stack.length) {
    const p = stack.pop();
    const isSum = frame[p]?.[0] === "add" && (p === place || model.parts[p]?.to === place);
    if (isSum) stack.push(...[...operandsOf(frame[p])].reverse());
    else terms.push(p);
  }
  if (terms.length < 2 || terms.length > TERMS) {
    return terms.length > TERMS ? `${terms.length} terms, one for each use` : undefined;
  }
  const texts = terms.map((p) => formulas.write(p, frame, model.parts[p]?.of ? 0 : 1, 40) ?? "…");
  const numbers = terms.map((p) => (isPart(p) ? values[p] : revive(p.c)));
  const sum = numbers.every((value) => typeof value === "number")
    ? ` = ${numbers.map((value) => signed(value)).join(" + ")}`
    : "";
  return `${model.name(place)} = ${texts.join(" + ")}${sum} = ${inWords(values[place])}`;
}
