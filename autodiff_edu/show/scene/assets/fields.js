// Numbers that one types, or pulls sideways: of an input or an inner number, and of each entry of
// a small array.
import { element } from "./elements.js";
import { number } from "./numbers.js";
import { shapeText } from "./numbers.js";

const TYPED = 16; // entries that one can type
const ENDS = ["pointerup", "pointercancel", "lostpointercapture"];
const STILL = 3; // pixels before a press is a pull

function field(name, value, act) {
  const title = "type, or pull sideways; ↑ and ↓ are a tenth of its size";
  const words = { "aria-label": name, title };
  const box = element("input", { type: "number", step: "any", value, ...words });
  const put = (number) => {
    box.value = number;
    act(number);
  };
  box.addEventListener("input", () => {
    if (box.value !== "" && Number.isFinite(Number(box.value))) act(Number(box.value));
  });
  box.addEventListener("keydown", (event) => {
    const { key } = event;
    if (key === "ArrowUp" || key === "ArrowDown") {
      put(nudged(Number(box.value), key === "ArrowUp" ? 10 : -10));
      event.preventDefault();
    }
  });
  box.addEventListener("pointerdown", (event) => follow(box, event, put));
  return box;
}

function follow(box, { clientX, pointerId }, put) {
  // a pointer that is pressed on a box, until it is let go
  const from = Number(box.value);
  const moved = (event) => {
    const by = Math.round(event.clientX - clientX);
    if (Math.abs(by) < STILL && Number(box.value) === from) return;
    box.setPointerCapture(pointerId);
    put(nudged(from, by));
  };
  const stop = () => {
    box.removeEventListener("pointermove", moved);
    for (const name of ENDS) box.removeEventListener(name, stop);
  };
  box.addEventListener("pointermove", moved);
  for (const name of ENDS) box.addEventListener(name, stop);
}

export function numberField(explorer, p) {
  const value = explorer.values[p];
  const name = explorer.model.name(p);
  const box = field(
    name || "value",
    Number.isFinite(value) ? Number(value.toPrecision(12)) : "",
    (typed) => explorer.pull(p, typed),
  );
  return element("label", {}, `${name} =`, box);
}

export function entryFields(explorer, p) {
  const value = explorer.at[p];
  if (!value?.data || value.data.length > TYPED) return [];
  const boxes = Array.from(value.data, (entry, n) =>
    field(`entry ${n} of ${explorer.model.name(p)}`, Number(entry.toPrecision(12)), (typed) => {
      const data = Float64Array.from(explorer.at[p].data);
      data[n] = typed;
      explorer.pull(p, { shape: value.shape, data });
    }),
  );
  const columns = value.shape.at(-1) || 1;
  const grid = element(
    "div",
    { class: "entries", role: "group", "aria-label": `entries, ${shapeText(value.shape)}` },
    ...boxes,
  );
  grid.style.gridTemplateColumns = `repeat(${Math.min(columns, 4)}, 1fr)`;
  return [grid];
}

export function nudged(value, by) {
  // so many units on: a unit is a hundredth of the size of a number; inf and nan begin at 0
  const from = Number.isFinite(value) ? value : 0;
  const unit = Math.max(0.01, 10 ** (Math.floor(Math.log10(Math.abs(from) || 1)) - 2));
  return Number((from + by * unit).toPrecision(10));
}

export const signed = (value, digits = 4) =>
  value < 0 ? `(${number(value, digits)})` : number(value, digits);
