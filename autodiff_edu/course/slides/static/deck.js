// What does not fit on a slide goes to the next one. It is measured here, where the letters are
// seen: between blocks if that helps, else between the lines, rows or items of one block.

const HEIGHT = 720, MARGIN = 24, LETTERS = 20;
const bottom = (element) => element.getBoundingClientRect().bottom;

// ---- where a block may be cut: its parts, and a way to make a block of some of them

const PARTS = "tr, li";

function parts(block) {
  if (block.matches("pre")) return block.innerHTML.split("\n");
  if (block.querySelector("img")) return [];
  const rows = [...block.querySelectorAll(PARTS)];
  const outer = rows.filter((row) => !row.parentElement.closest("li, td"));
  const whole = (row) => row.closest("table, ul, ol");
  return outer.every((row) => whole(row) === whole(outer[0])) ? outer : [];
}

function some(block, from, to) {
  const copy = block.cloneNode(true);
  if (block.matches("pre")) {
    copy.innerHTML = block.innerHTML.split("\n").slice(from, to).join("\n").trimEnd().replace(/^\n+/, "");
    return copy;
  }
  parts(copy).forEach((part, k) => {
    const head = part.matches("tr") && part.querySelector("th") && !part.querySelector("td");
    if ((k < from || k >= to) && !head) part.remove();
  });
  if (from && copy.matches("ol")) copy.start += from;
  return copy;
}

// ---- slides

const blocks = (slide) => [...slide.children].filter((e) => !e.matches("h2, aside"));
const limit = (slide) => slide.getBoundingClientRect().top + HEIGHT - MARGIN;
const tooTall = (slide) => blocks(slide).some((block) => bottom(block) > limit(slide));

// A slide for the rest, after this one, with the same title.
function next(slide) {
  const after = document.createElement("section");
  const title = slide.querySelector("h2").cloneNode(true);
  title.className = "again";
  after.append(title);
  slide.after(after);
  return after;
}

// How many parts of a block may stay on its slide.
function room(slide, block) {
  let low = 0, high = parts(block).length;
  while (high - low > 1) {
    const middle = (low + high) >> 1, tried = some(block, 0, middle);
    block.replaceWith(tried);
    const fits = bottom(tried) <= limit(slide);
    tried.replaceWith(block);
    if (fits) low = middle; else high = middle;
  }
  return low;
}

// Does a line of code open a block, as `def f(x):` does? It is the first line of what follows.
const opens = (line) => line.replace(/<[^>]*>/g, "").trimEnd().endsWith(":");

// The parts that stay; code is cut at an empty line, if there is one in the second half, and else
// not behind a line that opens a block.
function cut(slide, block) {
  const most = room(slide, block), lines = parts(block);
  if (!block.matches("pre.code")) return most;
  for (let k = most; k > most / 2; k--) if (lines[k] === "") return k;
  let k = most;
  while (k > 0 && opens(lines[k - 1])) k--;
  return k || most;
}

// What cannot be cut gets smaller pictures.
function shrink(slide, block) {
  const over = bottom(block) - limit(slide);
  for (const image of block.querySelectorAll("img")) {
    const height = image.height - over;
    image.width *= height / image.height;
    image.height = height;
  }
}

// A paragraph leads to what comes after it, and goes there with it.
function split(slide) {
  const all = blocks(slide), first = all.findIndex((block) => bottom(block) > limit(slide));
  const block = all[first], after = next(slide);
  const count = parts(block).length;
  const keep = count > 1 && (first === 0 || block.offsetHeight > HEIGHT / 3) ? cut(slide, block) : 0;
  if (keep > (first === 0 ? 0 : 2) && keep < count) {
    const [head, tail] = [some(block, 0, keep), some(block, keep, count)];
    block.replaceWith(head);
    after.append(tail);
  } else if (first > 0) {
    if (first > 1 && all[first - 1].matches("p")) after.append(all[first - 1]);
    after.append(block);
  } else {
    shrink(slide, block);
  }
  after.append(...all.slice(first + 1));
  if (!blocks(after).length) after.remove();
  return after;
}

// A frame of a film has a slide of its own.
function unroll(slide) {
  const frames = blocks(slide).filter((block) => block.matches(".frame"));
  const all = blocks(slide);
  for (const frame of frames.reverse()) {
    const after = next(slide), rest = all.splice(all.indexOf(frame));
    if (rest.length > 1) next(after).append(...rest.slice(1));
    after.append(frame);
  }
}

// What has been predicted comes at a key, and with it all that stands below. What is first on its
// slide needs none: the slide came by one.
function order(slide) {
  const all = blocks(slide), opening = all[0].dataset.cell;
  let key = 0, cell = opening;
  for (const block of all) {
    if (block.dataset.cell && block.dataset.cell !== cell) key++;
    cell = block.dataset.cell ?? cell;
    if (key) fragment(block, key);
    for (const answer of block.querySelectorAll(".answer")) fragment(answer, ++key);
  }
}

function fragment(element, key) {
  element.classList.add("fragment");
  element.dataset.fragmentIndex = key;
}

// ---- pictures whose letters are too small: parts of them, on slides below

const element = (name, look) => Object.assign(document.createElement(name), {className: look});
const text = (words) => Object.assign(element("span", "more"), {textContent: words});

// A picture whose letters have fewer pixels than those of text, while parts of it have more.
function small({width, dataset: {across, letters, scale}}) {
  const now = width / across;
  return now * letters < LETTERS - 0.2 && now * 1.01 < scale;
}

// A part of a picture: a window upon it.
function part(image, [left, top, width, height]) {
  const {scale, across} = image.dataset;
  const pane = element("div", "part"), whole = image.cloneNode();
  const pixels = (n) => `${n * scale}px`;
  Object.assign(pane.style, {width: pixels(width), height: pixels(height)});
  Object.assign(whole.style, {left: pixels(-left), top: pixels(-top)});
  for (const side of ["width", "height", "data-parts"]) whole.removeAttribute(side);
  whole.style.width = pixels(across);
  pane.append(whole);
  return pane;
}

const tooSmall = (slide) => [...slide.querySelectorAll("img[data-parts]")].filter(small);

function enlarge(slide, images) {
  const shows = images.flatMap((image) =>
    JSON.parse(image.dataset.parts).map((windows) => [image, windows]));
  if (!shows.length) return;
  const stack = element("section", "stack");
  slide.replaceWith(stack);
  stack.append(slide);
  slide.querySelector("h2").append(text(" (\u2193 enlarged)"));
  shows.forEach(([image, windows], k) => {
    const below = element("section", ""), beside = element("div", "parts");
    const title = slide.querySelector("h2").cloneNode(true);
    title.className = "again";
    title.querySelector(".more").textContent = ` (enlarged, ${k + 1} of ${shows.length})`;
    beside.append(...windows.map((window) => part(image, window)));
    below.append(title, beside);
    stack.append(below);
  });
}

async function start() {
  const deck = document.getElementById("deck");
  await Promise.all([MathJax.startup.promise, document.fonts.load("20px Deck"),
    document.fonts.load("bold 20px Deck"), document.fonts.load("20px DeckMono")]);
  await MathJax.typesetPromise([deck]);
  const slides = () => deck.querySelectorAll(".slides > section");
  slides().forEach(unroll);
  deck.className = "measured";  // one slide is seen at a time, so nothing else is laid out anew
  for (let slide = slides()[0]; slide; slide = slide.nextElementSibling) {
    slide.className = "now";
    if (tooTall(slide)) split(slide);
    slide.className = "";
  }
  deck.className = "";
  slides().forEach((slide) => (blocks(slide).length ? order(slide) : slide.remove()));
  const images = [...slides()].map(tooSmall);  // all are read before one is changed
  [...slides()].forEach((slide, k) => enlarge(slide, images[k]));
  deck.className = "reveal";
  await Reveal.initialize({
    width: 1280, height: HEIGHT, margin: 0, center: false, hash: true, slideNumber: "c/t", controls: false,
    transition: "none", plugins: [RevealNotes],
  });
}

addEventListener("DOMContentLoaded", start);
