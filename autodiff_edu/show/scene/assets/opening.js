// Where everything stands while some groups are open: opening.py, once more.
//
// A group keeps its place; what is in it stands below it. So its row becomes so much taller, and in
// it the neighbours step aside. An edge passes them at the same share of the gap between them.
const FRAME = 0.5; // columns around what is in a group
const APART = 0.1; // columns between frames

export class Opening {
  constructor(groups, open) {
    this.groups = groups;
    this.rows = groups.model.parts;
    this.open = open;
    this.blocks = {};
    for (const g of [...groups.members.keys()].reverse()) {
      if (!g || open.has(g)) this.blocks[g] = this.block(g);
    }
    Object.assign(this, { at: {}, bends: {}, frames: {}, feet: {} });
    for (const g of groups.members.keys()) if (!g || (open.has(g) && this.at[g])) this.put(g);
  }

  inside(p) {
    // what an open group shows
    return this.rows[p].group && this.blocks[this.groups.value(p)];
  }

  // ---- one group

  block(g) {
    // its members, further apart where some are open
    const rows = new Map();
    for (const p of this.groups.members.get(g)) {
      if (!rows.has(this.rows[p].y)) rows.set(this.rows[p].y, { parts: [] });
      rows.get(this.rows[p].y).parts.push(p);
    }
    const at = {};
    const feet = {}; // how far below a member its row ends
    const seats = [[], []];
    let top = 0;
    let height = 0;
    for (const [y, row] of [...rows].sort(([a], [b]) => a - b)) {
      row.tall = Math.max(0, ...row.parts.map((p) => this.inside(p)?.height ?? 0));
      row.y = y + top;
      row.seats = [0, 1].map((side) => this.aside(row.parts, side));
      row.seats.forEach((own, side) => seats[side].push(...own));
      for (const { p, x } of row.seats.flat()) {
        at[p] = [x, row.y];
        if (row.tall) feet[p] = row.tall;
      }
      top += row.tall;
      height = row.y + row.tall;
    }
    const bends = {};
    for (const [edge, line] of this.groups.lines.get(g)) {
      const [a, p] = edge.split(">");
      const isUp = this.rows[a].y > this.rows[p].y;
      const side = this.groups.side(a);
      bends[edge] = line.flatMap(([u, v]) => {
        const { seats: own, y, tall } = rows.get(v);
        const x = gap(u, own[side]);
        const passed = tall ? [y, y + tall] : [y];
        return (isUp ? passed.reverse() : passed).map((end) => [x, end]);
      });
    }
    return { at, feet, bends, sides: seats.map(ends), height: height + 1 };
  }

  aside(parts, side) {
    // the members of a row at one side: open ones need more room
    const seats = parts
      .filter((p) => this.groups.side(p) === side)
      .map((p) => {
        const width = this.inside(p)?.sides[side].width ?? 1;
        return { p, old: this.rows[p].x, x: this.rows[p].x, width: Math.max(1, width) };
      })
      .sort((a, b) => a.old - b.old);
    if (seats.some(({ width }) => width > 1)) spread(seats);
    return seats;
  }

  // ---- on the sheet

  put(g) {
    // its members get their places: below its box, or on the sheet
    const { at, feet, bends, sides, height } = this.blocks[g];
    const first = -sides[0].left - 0.5;
    const bases = [first, first + sides[0].growth - sides[1].lost].map((x) => [x, 0]);
    for (const p of g ? [g, this.groups.twins.get(g)] : []) {
      if (!this.at[p]) continue;
      const [x, y] = this.at[p];
      const side = this.groups.side(p);
      const { left, right, width } = sides[side];
      const half = width / 2 - APART;
      this.frames[p] = [x - half, x + half, y, exact(y + height)];
      bases[side] = [x - (left + right) / 2, y + 1];
    }
    const moved = (p, [x, y]) => {
      const [left, top] = bases[this.groups.side(p)];
      return [left + x, exact(top + y)];
    };
    for (const p of Object.keys(at)) {
      this.at[p] = moved(p, at[p]);
      if (feet[p]) this.feet[p] = exact(this.at[p][1] + feet[p]);
    }
    for (const edge of Object.keys(bends)) {
      this.bends[edge] = bends[edge].map((bend) => moved(edge.split(">")[0], bend));
    }
  }
}

function ends(seats) {
  // of one side: where it begins and ends, its width in a frame, and how far it grew
  if (!seats.length) return { left: 0, right: 0, width: FRAME, growth: 0, lost: 0 };
  const least = (end) => Math.min(...seats.map(end));
  const left = least(({ x, width }) => x - width / 2);
  const right = -least(({ x, width }) => -x - width / 2);
  const [first, last] = [least(({ old }) => old), -least(({ old }) => -old)];
  const growth = right - last - 0.5;
  return { left, right, width: right - left + FRAME, growth, lost: left - first + 0.5 };
}

function spread(seats) {
  // the places nearest to the old ones at which nothing overlaps: what would becomes a block
  let offset = 0;
  const blocks = []; // the mean of what the members wish, and their number
  const offsets = seats.map(({ width }, k) => {
    offset += k ? (seats[k - 1].width + width) / 2 : width / 2;
    return offset;
  });
  seats.forEach(({ old }, k) => {
    let [mean, count] = [old - offsets[k], 1];
    while (blocks.length && blocks.at(-1)[0] >= mean) {
      const [before, size] = blocks.pop();
      mean = (before * size + mean * count) / (size + count);
      count += size;
    }
    blocks.push([mean, count]);
  });
  const starts = blocks.flatMap(([mean, count]) => Array(count).fill(mean));
  seats.forEach((seat, k) => (seat.x = starts[k] + offsets[k]));
}

function gap(x, seats) {
  // the place of an edge between the members of a row
  const k = seats.filter(({ old }) => old < x).length;
  const [a, b] = [seats[k - 1], seats[k]];
  const [from, to] = [a && a.x + a.width / 2, b && b.x - b.width / 2];
  if (a && b) {
    const room = b.old - a.old - 1;
    return from + (to - from) * (room > 0 ? (x - a.old - 0.5) / room : 0.5);
  }
  return a ? from + x - a.old - 0.5 : b ? to + x - b.old + 0.5 : x;
}

const exact = (y) => Math.round(y * 1000) / 1000; // equal rows are one
