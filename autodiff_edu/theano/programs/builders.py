"""`OpFromGraph`: an operation made of a graph, with Theano's words for overrides."""

from collections.abc import Sequence
from typing import Any

from ... import nested
from ...expr import DisconnectedType as NoPath
from ...expr import Expr, Input, Shared, is_function, postorder, put_in
from ...expr import NullType as NoDerivative
from ..core import Variable, unwrap, wrap
from ..core.types import DisconnectedType, NullType
from ..core.variable import TABLES


class OpFromGraph:
    """lop_overrides(inputs, outputs, gradients) is a pullback, grad_overrides(inputs, gradients)
    one that does not see the outputs, "default" is none. Shared variables in the graph are operands
    that nobody has to write."""

    def __init__(
        self,
        inputs: Sequence[Any],
        outputs: Any,
        inline: bool = False,
        lop_overrides: Any = "default",
        grad_overrides: Any = "default",
        rop_overrides: Any = "default",
        connection_pattern: Any = None,
        name: str | None = None,
        **ignored: Any,
    ):
        if not (is_default(lop_overrides) or is_default(grad_overrides)):
            raise ValueError("lop_overrides and grad_overrides are mutually exclusive")
        for option in ("updates", "givens"):
            if option in ignored:
                raise TypeError(f"{option} are not allowed in kwargs")
        if not isinstance(outputs, (list, tuple)):
            raise TypeError(f"outputs must be list, got {type(outputs)}")
        for v in (*inputs, *outputs):
            if not isinstance(v, (Variable, Expr)):
                raise TypeError(f"inputs and outputs must be Variable instances, got {v!r}")
        for v in inputs:
            if isinstance(unwrap(v), Shared):
                raise ValueError("Inputs or outputs of OpFromGraph cannot be shared variables")
        roots = [unwrap(y) for y in outputs]
        self.shared = [n for n in postorder(roots) if isinstance(n, Shared)]
        symbols = [Input(w.name or "shared", w.type) for w in self.shared]
        roots = put_in(roots, dict(zip(self.shared, symbols, strict=True))) if symbols else roots
        hidden = len(symbols)
        self.box = nested.OpFromGraph(
            [*[unwrap(i) for i in inputs], *symbols],
            roots,
            inline=inline,
            pullback=longer(rule(lop_overrides, True) or rule(grad_overrides, False), hidden),
            pushforward=rule(rop_overrides, False),
            connection_pattern=connection_pattern and [*connection_pattern,
                                                       *[[True] * len(roots)] * hidden],
            name=name,
        )  # fmt: skip
        self.inputs, self.outputs = list(inputs), list(outputs)

    def __call__(self, *args: Any, return_list: bool = False) -> Any:
        plain = any(isinstance(a, Expr) for a in args)
        given = [TABLES["as_tensor_variable"](a) for a in args]
        found = self.box(*[unwrap(a) for a in given], *self.shared)
        rows = list(found) if isinstance(found, tuple) else [found]
        rows = rows if plain and not any(isinstance(a, Variable) for a in args) else wrap(
            rows, [a for a in given if isinstance(a, Variable)])  # fmt: skip
        return rows if return_list or len(rows) > 1 else rows[0]

    def connection_pattern(self, node: Any = None) -> list[list[bool]]:
        """Does a derivative pass from input i to output k?"""
        return self.box.connection_pattern[: len(self.inputs)]

    def check(self, *example: Any) -> Any:
        """Compare what the overrides state with differences."""
        return self.box.check(*example)

    def __str__(self) -> str:
        return self.box.name


def is_default(override: Any) -> bool:
    return override is None or (isinstance(override, str) and override == "default")


def rule(override: Any, sees_outputs: bool) -> Any:
    """An override in ad.OpFromGraph's form: a function of inputs, outputs and changes."""
    if is_default(override):
        return None
    if isinstance(override, (list, tuple)):
        return [rule(part, sees_outputs) for part in override]
    if isinstance(override, OpFromGraph):
        return override.box
    kind = getattr(override, "type", override)
    if isinstance(kind, (NullType, NoDerivative)) and not isinstance(kind, (NoPath,)):
        return NoDerivative(getattr(kind, "why_null", "an override says so"))
    if isinstance(kind, (DisconnectedType, NoPath)):
        return NoPath("no path")
    if not is_function(override):
        return override
    return Called(override, sees_outputs)


class Called:
    """A user's override, which takes and gives old variables."""

    def __init__(self, override: Any, sees_outputs: bool):
        self.override, self.sees_outputs = override, sees_outputs

    def __call__(self, inputs: Any, outputs: Any, changes: Any) -> Any:
        seen = [wrap(list(part)) for part in (inputs, outputs, changes)]
        found = self.override(*seen) if self.sees_outputs else self.override(seen[0], seen[2])
        return unwrap(found)


def longer(rules: Any, hidden: int) -> Any:
    """Rules for the shared operands, too: their own derivative."""
    if not hidden or rules is None:
        return rules
    if isinstance(rules, list):
        return [*rules, *[None] * hidden]
    return Hiding(rules, hidden)


class Hiding:
    """A rule that says nothing of the shared operands at the end."""

    def __init__(self, rule: Any, hidden: int):
        self.rule, self.hidden = rule, hidden

    def __call__(self, inputs: Any, outputs: Any, changes: Any) -> Any:
        found = self.rule(list(inputs)[: -self.hidden], outputs, changes)
        rows = list(found) if isinstance(found, (list, tuple)) else [found]
        return [*rows, *[None] * self.hidden]


__all__ = ["OpFromGraph"]
