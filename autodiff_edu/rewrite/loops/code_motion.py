"""Moving work out of loops: what the recurrence does not need is done for all steps at once.

In front of the loop goes what a step computes from its slices and constants alone; behind it what
no later step needs, sums over the steps included: Σₜ uₜ vₜᵀ is one matrix product, UᵀV.

Letters: s a state, c how many there are, y a row, k the place of a result; u, v vectors, one for
each step.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ...expr import Expr, Graph, Input, TupleType, dependents, item, postorder, substitute, users
from ...expr.shape_check import told_lengths
from ...nested.loops.recurrence import Recurrence, Results, State
from ...nested.loops.scan_op import alike
from ...nested.subgraph.base import Nested
from ...ops import (
    add,
    all_batched,
    expand_dims,
    index,
    length,
    matmul,
    matrix_transpose,
    multiply,
    squeeze,
    transpose,
)
from ...ops.gather import scatter
from ...ops.index import ALL
from ...ops.products import rows as tall

BACKWARDS = (None, None, -1)
LARGE = 4096  # entries of a value with which NumPy is busy for longer than it takes to call it


class Motion:
    """A loop, and which nodes of its body differ between the steps, and which wait for a state."""

    def __init__(self, loop: Recurrence):
        self.loop = loop = lengths_outside(loop)
        self.body = Graph(loop.outputs, loop.symbols)
        states, slices = [s.symbol for s in loop.states], [x for x, _ in loop.slices]
        order = self.body.nodes
        self.timed = dependents(order, [*states, *slices])
        self.late = dependents(order, states + slices * (loop.until is not None))
        self.axes = max((i.ndim for i in (*states, *slices)), default=0)
        alone = [n for n in self.body.operations if not n.op.merges and n not in self.timed]
        self.own = dependents(order, alone)  # the same at all steps, but not its cotangents
        self.bound = dependents(order, filter(self.is_bound, order))
        self.gainful = dependents(order, filter(gains, order))
        self.used_by = users(order)

    def small(self, n: Expr) -> bool:
        """Is there room for the value at every step? States and slices take as much."""
        return n.ndim <= self.axes and n.op is not length

    def at_all_steps(self, nodes: Sequence[Expr], given: Mapping[Expr, Expr]) -> list[Expr]:
        """Nodes of the body with a first axis for the steps, when these are given with one."""
        symbols = {n: Input(n.name or "x", n.type) for n in given}
        roots = substitute(nodes, dict(symbols))
        sequences: dict[Expr, Expr] = {symbols[n]: x for n, x in given.items()}
        found = all_batched(roots, sequences, self.loop.steps)
        return substitute(found, dict(self.loop.constants))

    # ---- in front of the loop

    def in_front(self) -> Recurrence | None:
        """The loop with the work on slices and constants done before it, or None."""
        edge = self.edge()
        if not edge:
            return None
        timed = [n for n in edge if n in self.timed]
        still = [n for n in edge if n not in self.timed]
        sequences = self.at_all_steps(timed, dict(self.loop.slices))
        values = substitute(still, dict(self.loop.constants))
        symbol = {n: Input(n.name or f"{n.op.name}_t", n.type) for n in edge}
        loop = self.loop.with_outputs(substitute(self.loop.outputs, dict(symbol)))
        new_slices = [(symbol[n], x) for n, x in zip(timed, sequences, strict=True)]
        new_constants = [(symbol[n], x) for n, x in zip(still, values, strict=True)]
        return replace(
            loop,
            slices=[*loop.slices, *new_slices],
            constants=[*loop.constants, *new_constants],
        )

    def edge(self) -> list[Expr]:
        """The last operations that wait for no state."""
        new = {s.new for s in self.loop.states}
        return [
            n
            for n in self.body.operations
            if n not in self.late
            and not isinstance(n.type, TupleType)
            and (n in new or any(u in self.late for u in self.used_by[n]))
            and n not in self.own
            and (n not in self.timed or self.free(n))
        ]

    def free(self, n: Expr) -> bool:
        """Can it be computed for all steps at once, and is there room for that?"""
        return self.small(n) and n not in self.bound and (n in self.gainful or is_brief(n))

    def is_bound(self, n: Expr) -> bool:
        """Has it a body, or another length at each step, or a rule that is to be applied to the
        cotangent of each step?"""
        if n.op is None:
            return False
        lengths = (n.inputs[k] in self.timed for k in told_lengths(n))
        return isinstance(n.op, Nested) or n in self.own or any(lengths)

    # ---- behind the loop

    def behind(self, used: frozenset[int]) -> dict[int, Expr] | None:
        """The used results, with what no step waits for computed after the loop; or None."""
        loop, c = self.loop, len(self.loop.states)
        if loop.until is not None:
            return None
        tails = {k: s.new for k, s in enumerate(loop.states) if c + k not in used and self.adds(s)}
        core = set(postorder([s.new for k, s in enumerate(loop.states) if k not in tails]))
        tails = {k: term_of(loop.states[k]) for k in tails}
        tails |= {2 * c + k: y for k, y in enumerate(loop.rows) if 2 * c + k in used}
        moved: dict[int, Expr] = {}
        needs: dict[Expr, None] = {}
        for k, y in tails.items():
            region, leaves = down_to(y, core)
            if self.may_move(y, region, leaves, k < c):
                moved[k] = y
                needs |= dict.fromkeys(leaves)
        return self.split(used, moved, list(needs)) if moved else None

    def adds(self, s: State) -> bool:
        """Is all that a step does with this state to add a term to it?"""
        mine = [u is s.new for u in self.used_by.get(s.symbol, [])]
        given = [y for y in self.loop.outputs if y is s.new or y is s.symbol]
        alone = mine == [True] and not self.used_by[s.new] and len(given) == 1
        return alone and s.new.op is add and alike(term_of(s).type, s.new.type)

    def may_move(self, y: Expr, region: list[Expr], leaves: list[Expr], is_sum: bool) -> bool:
        """Is there something to move, and room for what has to be kept for it?"""
        new = {s.new for s in self.loop.states}
        kept = [e for e in leaves if e.op is not None and e not in new]
        sizes = list(y.inputs) if is_sum and is_product(y) else [y] * is_sum
        return (
            all(e is not y for e in kept)
            and not any(map(self.is_bound, region))
            and all(map(self.small, [*kept, *sizes]))
            and (any(map(gains, region)) or all(map(is_brief, [*kept, y])))
        )

    def split(
        self, used: Iterable[int], moved: Mapping[int, Expr], needs: Sequence[Expr]
    ) -> dict[int, Expr]:
        """The results in these places: of a smaller loop, and of what was moved behind it."""
        loop, c = self.loop, len(self.loop.states)
        stays = [k for k in range(c) if k not in moved]
        rows = [k for k in range(2 * c, 2 * c + len(loop.rows)) if k in used and k not in moved]
        new = {loop.states[k].new for k in stays}
        kept = [e for e in needs if e.op is not None and e not in new]
        states = [loop.states[k] for k in stays]
        smaller = replace(loop, states=states, rows=[loop.rows[k - 2 * c] for k in rows] + kept)
        done = smaller.build() if states or smaller.rows else Results([], [], [])
        given: dict[Expr, Expr] = dict(loop.slices)
        for s, every in zip(states, done.every, strict=True):
            given |= {s.symbol: every[:-1], s.new: every[1:]}
        given |= dict(zip(kept, done.rows[len(rows) :], strict=True))
        given = {n: given[n] for n in needs if n in given}
        found = dict(zip(stays, done.last, strict=True))
        found |= dict(zip([c + k for k in stays], done.every, strict=True))
        found |= dict(zip(rows, done.rows, strict=False))
        for k, y in moved.items():
            if k < c:
                found[k] = loop.states[k].start + self.total(y, given)
            else:
                (found[k],) = self.at_all_steps([y], given)
        return {k: found[k] for k in used}

    def total(self, term: Expr, given: Mapping[Expr, Expr]) -> Expr:
        """Σₜ of a term. Of products u·vᵀ it is a product: the steps join the inner axis; of entries
        put where they belong, all of them put there. What is a state, too, is there already."""
        if term in given or not is_product(term):
            return self.at_all_steps([term], given)[0].sum(axis=0)
        if term.op is scatter:
            count = dict(term.static)["count"] + 1
            rows = self.at_all_steps(term.inputs[:count], given)
            lengths = substitute(term.inputs[count:], dict(self.loop.constants))
            return scatter.apply((*rows, *lengths), term.static)
        if term.op is matmul:
            u, v = in_time(*self.at_all_steps(term.inputs, given))
            return transpose(tall(matrix_transpose(u))) @ tall(v)
        column, row = term.inputs if is_column(term.inputs[0]) else term.inputs[::-1]
        vectors = [without_axis(column, 1, given), without_axis(row, 0, given)]
        u, v = in_time(*self.at_all_steps(vectors, given))
        return transpose(u) @ v


def gains(n: Expr) -> bool:
    """Is one operation for all steps quicker than one for each? Many products gain by being one."""
    return n.op is matmul or is_product(n)


def is_brief(n: Expr) -> bool:
    """Does its call take longer than what NumPy does? Then other work saves the overhead of calls,
    as long as what has to be stored for every step is small."""
    return not n.type.known or n.size <= LARGE


def term_of(s: State) -> Expr:
    return next((i for i in s.new.inputs if i is not s.symbol), s.symbol)


def is_product(term: Expr) -> bool:
    """Is it a matrix product, a column times a row, or entries put where they belong?"""
    if term.op is scatter:
        return len({i.ndim for i in term.inputs[1 : dict(term.static)["count"] + 1]}) == 1
    if term.op is matmul:
        return term.inputs[0].ndim == term.inputs[1].ndim == 2
    if term.op is not multiply or term.ndim != 2:
        return False
    a, b = term.inputs
    return (is_column(a) and is_row(b)) or (is_row(a) and is_column(b))


def is_column(x: Expr) -> bool:
    return x.ndim == 2 and x.type.shape[1] == 1


def is_row(x: Expr) -> bool:
    return x.ndim == 1 or (x.ndim == 2 and x.type.shape[0] == 1)


def without_axis(x: Expr, axis: int, given: Mapping[Expr, Expr]) -> Expr:
    """A column or a row as a vector."""
    if x.ndim == 1:
        return x
    return x.inputs[0] if x.op is expand_dims and x not in given else squeeze(x, axis=axis)


def in_time(u: Expr, v: Expr) -> tuple[Expr, Expr]:
    """The factors of all steps, from the first step on where one is read from the last step on: a
    sum may begin at any end, and what is in a row in memory need not be copied."""
    return (turned(u), turned(v)) if is_backwards(u) or is_backwards(v) else (u, v)


def is_backwards(x: Expr) -> bool:
    while x.op is transpose and dict(x.static)["axes"][0] == 0:
        x = x.inputs[0]
    steps = dict(x.static)["key"][0] if x.op is index else None
    return isinstance(steps, tuple) and (steps[2] or 1) < 0


def turned(x: Expr) -> Expr:
    """The same from the last step to the first, inside what leaves the steps where they are."""
    if x.op is transpose and dict(x.static)["axes"][0] == 0:
        return transpose.apply((turned(x.inputs[0]),), x.static)
    first, *others = dict(x.static)["key"] if x.op is index else (None,)
    whole = first == BACKWARDS and all(k == ALL for k in others)
    return x.inputs[0] if whole else x[::-1]


def down_to(y: Expr, core: set[Expr]) -> tuple[list[Expr], list[Expr]]:
    """The operations between a node and what the loop itself computes; and what they begin with."""
    region, leaves, stack, seen = [], [], [y], set()
    while stack:
        n = stack.pop()
        if n in seen:
            continue
        seen.add(n)
        if n in core or n.op is None or (n.op is item and n.inputs[0] in core):
            leaves.append(n)
        else:
            region.append(n)
            stack.extend(n.inputs)
    return region, leaves


def lengths_outside(loop: Recurrence) -> Recurrence:
    """The loop with the lengths of states and slices, which are the same at all steps, taken from
    outside."""
    outside: dict[Expr, tuple[Expr, int]] = {s.symbol: (s.start, 0) for s in loop.states}
    outside |= {x: (v, 1) for x, v in loop.slices}
    constants = list(loop.constants)
    became: dict[Expr, Expr] = {}
    for n in postorder(loop.outputs):
        if n.op is length and n.inputs[0] in outside:
            v, ahead = outside[n.inputs[0]]
            symbol = became[n] = Input("n", n.type)
            constants.append((symbol, length(v, axis=dict(n.static)["axis"] + ahead)))
    loop = loop.with_outputs(substitute(loop.outputs, became))
    return replace(loop, constants=constants)
