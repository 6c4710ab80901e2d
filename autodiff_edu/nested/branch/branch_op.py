"""A branch as one operation: two sides, of which only one is computed.

body       inputs -> (the results of the first side, those of the second)
operands   the condition, one truth value, and a value for each input of the body
results    those of the first side where the condition holds, else those of the second
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...core.errors import MISUSE
from ...expr import (
    HOOKS,
    DTypeError,
    Expr,
    Graph,
    Op,
    ShapeError,
    TensorType,
    TupleType,
    cached_property,
    evaluate_all,
    infer,
    name_of,
    postorder,
    text,
)
from ...expr.evaluate import fresh
from ..subgraph.base import Nested, built_like
from ..subgraph.body import outputs_at, types_met

BRIEF = 24  # characters of a condition that is written in a picture


class Branch(Nested):
    """`paths` are the two graphs of which one is computed; both have all inputs of the body."""

    arity = None
    reasons = {0: "its condition only decides which side is computed"}

    def __init__(self, body: Graph, name: str = "cond"):
        super().__init__()
        self.body, self.name, self.label = body, name, name
        self.key = (name, built_like(body))

    def changed(self, body: Graph) -> "Branch":
        return Branch(body, self.name)

    def transformed(self, transform: Callable[..., Graph], *options: Any) -> "Nested":
        """Each side is transformed for itself: what one computes is of no use to the other."""
        if (transform, options) not in self.memory:
            sides = [transform(path, *options) for path in self.paths]
            same = all(new is old for new, old in zip(sides, self.paths, strict=True))
            made = self if same else self.changed(joined(sides))
            made.memory[transform, options] = self.memory[transform, options] = made
        return self.memory[transform, options]

    # ---- what is where

    @property
    def count(self) -> int:
        """How many results there are."""
        return len(self.body.outputs) // 2

    @cached_property
    def paths(self) -> tuple[Graph, Graph]:
        given, names, m = self.body.outputs, self.body.names, self.count
        inputs = self.body.inputs
        return Graph(given[:m], inputs, names[:m]), Graph(given[m:], inputs, names[m:])

    @cached_property
    def shared(self) -> list[Expr]:
        """The operations that both sides need."""
        both = set(postorder(self.paths[0].outputs)) & set(postorder(self.paths[1].outputs))
        return [n for n in postorder(self.body.outputs) if n in both and n.op is not None]

    @property
    def inside(self) -> tuple[int | None, ...]:
        """The input of the body that each operand feeds."""
        return (None, *range(len(self.body.inputs)))

    # ---- what people read

    @property
    def operand_words(self) -> tuple[str, ...]:
        return ("if", *[i.name or "" for i in self.body.inputs])

    def node_label(self, n: Expr) -> str:
        """What a box of this operation is called: `if x > 0`."""
        return f"{'' if self.name == 'cond' else f'{self.name} '}{asked(n)}"

    def picture(self, n: Expr) -> Graph:
        """What an open box shows: both sides, and the choice between their results."""
        key = "picture", asked(n)
        if key not in self.memory:
            chosen = [Choose(key[1]).apply(pair) for pair in zip(*self.sides(), strict=True)]
            self.memory[key] = Graph(chosen, self.body.inputs, self.body.names[: self.count])
        return self.memory[key]

    def values_inside(self, picture: Graph, values: Sequence[Any]) -> dict[Expr, Any]:
        """The values in such a picture: those of the side that is computed."""
        path = self.paths[not values[0]]
        known = evaluate_all(path.outputs, dict(zip(self.body.inputs, values[1:], strict=True)))
        return known | {y: known[e] for y, e in zip(picture.outputs, path.outputs, strict=True)}

    def write(self, parts: Sequence[str]) -> str:
        """cond(x > 0, exp(x), x): the sides with the operands put in."""
        condition, *others = parts
        pairs = zip(self.body.inputs, map(bracketed, others), strict=True)
        words: dict[Expr, str] = dict(pairs)
        sides = [listed([text(y, words) for y in path.outputs]) for path in self.paths]
        return f"{name_of(self.name)}({', '.join([condition, *sides])})"

    def sides(self) -> tuple[Sequence[Expr], Sequence[Expr]]:
        return self.paths[0].outputs, self.paths[1].outputs

    # ---- types and values

    @cached_property
    def types(self) -> list[TensorType]:
        """Those of the results."""
        return self.told({})

    def told(self, given: Mapping[Expr, TensorType]) -> list[TensorType]:
        """The types of the results where the inputs have these. A side that does not fit them may
        be the one that is not taken, as x[5] of a shorter x: of its types nothing is told."""
        known: dict[Expr, TensorType] = {}
        for path in self.paths if given else ():
            try:
                known |= infer(path, dict(given))
            except MISUSE:
                continue
        pairs = [(known.get(a, a.type), known.get(b, b.type)) for a, b in zip(*self.sides())]
        return [common(a, b) for a, b in pairs]

    def infer_type(self, *types: TensorType) -> TensorType | TupleType:
        condition, *others = types
        if condition.dtype.kind != "b" or condition.shape:
            raise DTypeError(f"the condition is one truth value, not {condition!r}")
        given = types_met(self.body, others)
        found = self.told({} if all(i.type is t for i, t in given.items()) else given)
        return found[0] if len(found) == 1 else TupleType(found)

    def perform(self, *values: Any) -> Any:
        """The results of one side; what is handed through is copied."""
        path = self.paths[not values[0]]
        found = tuple(map(fresh, path.outputs, outputs_at(path, values[1:])))
        return found[0] if len(found) == 1 else found

    def lowered(self, compile: Callable[..., Any], wanted: frozenset[int]) -> Any:
        """The function that computes one side."""
        return compile(self.body, self.name, (self, wanted))

    # ---- derivatives and batches

    def differentiable(self, n_inputs: int) -> tuple[int, ...]:
        return tuple(range(1, n_inputs))

    def pullback(self, inputs: Any, outputs: Any, cotangents: Any, **_: Any) -> list[Expr | None]:
        return HOOKS["cotangents of a branch"](self, inputs, outputs, cotangents)

    def pushforward(self, inputs: Any, outputs: Any, tangents: Any, **_: Any) -> list[Expr | None]:
        return HOOKS["tangents of a branch"](self, inputs, outputs, tangents)

    def batch(self, inputs: Sequence[Expr], flags: Sequence[bool]) -> Any:
        return HOOKS["a branch for each"](self, inputs, flags)


class Choose(Op):
    """In pictures of an open branch: the result is that of the side that is taken."""

    name = label = "choose"
    operand_labels: Sequence[str] = ("", "otherwise")
    props = ("asked",)

    def __init__(self, asked: str):
        self.asked, self.operand_labels = asked, (asked, "otherwise")

    def infer_type(self, a: TensorType, b: TensorType) -> TensorType:
        return common(a, b)

    def perform(self, a: Any, b: Any) -> Any:
        raise TypeError("only a branch knows which side is taken")


def joined(sides: Sequence[Graph]) -> Graph:
    """A body of two sides over the same inputs."""
    outputs, names = zip(*[(g.outputs, g.names) for g in sides], strict=True)
    return Graph([y for row in outputs for y in row], sides[0].inputs, sum(names, ()))


def common(a: TensorType, b: TensorType) -> TensorType:
    """What is known of a value that has one of two types. Lengths may differ: `cond` compares those
    that a user wrote, and a pass may find more of them. Raises DTypeError or ShapeError."""
    if a is b:
        return a
    if a.dtype != b.dtype:
        raise DTypeError(f"one side is {a!r}, the other {b!r}: write .astype(...)")
    if len(a.shape) != len(b.shape):
        raise ShapeError(f"one side is {a!r}, the other {b!r}")
    return TensorType(a.dtype, [n if n == m else None for n, m in zip(a.shape, b.shape)])


# ---- words


def asked(n: Expr) -> str:
    """The condition of a node in short."""
    words = text(n.inputs[0])
    return f"if {words if len(words) <= BRIEF else words[: BRIEF - 1] + '…'}"


def listed(texts: Sequence[str]) -> str:
    return texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"


def bracketed(words: str) -> str:
    """Words that stay together beside an operator."""
    depth = 0
    for c in words:
        depth += (c in "([{") - (c in ")]}")
        if c == " " and not depth:
            return f"({words})"
    return f"({words})" if words.startswith("-") else words
