// What does not fit on a slide goes to the next one. It is measured here, where the letters are
// seen: between blocks if that helps, else between the lines, rows or items of one block.

const HEIGHT = 720, MARGIN = 34, LETTERS = 20;
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

// What has been predicted comes at a key, and with it all that stands below. What is first on its
// slide needs none: the slide came by one. So does an answer that is first: else its slide is bare.
function order(slide) {
  const all = blocks(slide), opening = all[0].dataset.cell;
  let key = 0, cell = opening;
  for (const block of all) {
    if (block.dataset.cell && block.dataset.cell !== cell) key++;
    cell = block.dataset.cell ?? cell;
    if (key) fragment(block, key);
    const answers = block === all[0] && block.matches(".question") ? [] : block.querySelectorAll(".answer");
    for (const answer of answers) fragment(answer, ++key);
    for (const frame of block.querySelectorAll(".frame ~ .frame")) fragment(frame, ++key);
  }
}

function fragment(element, key) {
  element.classList.add("fragment");
  element.dataset.fragmentIndex = key;
}

// ---- pictures whose letters are too small: each has a slide of its own, and all the room there

const images = (block) => [...block.querySelectorAll("img[data-letters]")];
const isSmall = (block) => images(block).some((image) => image.dataset.letters < LETTERS - 0.2);

function enlarge(slide) {
  for (let block of blocks(slide).filter(isSmall)) {
    const all = blocks(slide), rest = all.slice(all.indexOf(block) + 1);
    if (all[0] !== block) {
      const own = next(slide);
      own.append(block, ...rest);
      return;  // the turn of that slide comes
    }
    if (rest.length) next(slide).append(...rest);
    grow(slide, block);
    return;
  }
}

// The largest scale in which a block fits on its slide.
function grow(slide, block) {
  const each = images(block), before = each.map((image) => [image.width, image.height]);
  const scaled = (scale) => each.forEach((image, k) => {
    image.dataset.grown = scale;
    image.width = before[k][0] * scale;
    image.height = before[k][1] * scale;
  });
  const least = Math.min(...each.map((image) => +image.dataset.letters));
  const {right} = slide.getBoundingClientRect();
  const fits = () => bottom(block) <= limit(slide)
    && each.every((image) => image.getBoundingClientRect().right <= right - 36);
  for (let scale = LETTERS / least; scale > 0.1; scale -= 0.02) {
    scaled(scale);
    if (fits()) return;
  }
}

async function start() {
  const deck = document.getElementById("deck");
  await Promise.all([MathJax.startup.promise, document.fonts.load("20px Deck"),
    document.fonts.load("bold 20px Deck"), document.fonts.load("20px DeckMono")]);
  await MathJax.typesetPromise([deck]);
  const slides = () => deck.querySelectorAll(".slides > section");
  deck.className = "measured";  // one slide is seen at a time, so nothing else is laid out anew
  for (let slide = slides()[0]; slide; slide = slide.nextElementSibling) {
    slide.className = "now";
    enlarge(slide);
    if (tooTall(slide)) split(slide);
    slide.className = "";
  }
  deck.className = "";
  slides().forEach((slide) => (blocks(slide).length ? order(slide) : slide.remove()));
  deck.className = "reveal";
  await Reveal.initialize({
    width: 1280, height: HEIGHT, margin: 0, center: false, hash: true, slideNumber: "c/t", controls: false,
    transition: "none", plugins: [RevealNotes],
  });
}

addEventListener("DOMContentLoaded", start);
