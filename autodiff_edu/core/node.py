"""An expression: one immutable node that says which operation is applied to which inputs.

Nodes are compared by identity and never merged when built: write x*x twice and there are two.
`==` is elementwise, as in NumPy; `same(a, b)` compares structures. NumPy's methods, and what Python
asks of a number, are given to the class by another room: see `expr/methods`.
"""

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, NamedTuple

import numpy as np

from .seams import HOOKS, OPERATIONS, OfExpr
from .types import UNTYPED, DisconnectedType, NullType, TensorType

SMALL = 256  # bytes of an array that is copied as often as it is needed


def operator(name: str) -> Callable[..., "Expr"]:
    """An operator of Python: `x + y` calls `add(x, y)`."""

    def call(*operands: Any) -> Any:
        return OPERATIONS[name](*operands)

    call.__name__ = name
    return call


def reflected(name: str) -> Callable[..., "Expr"]:
    """An operator whose right operand is an expression: `2 - x` calls `subtract(2, x)`."""

    def call(self: Any, other: Any) -> Any:
        return OPERATIONS[name](other, self)

    call.__name__ = f"r{name}"
    return call


class Expr(OfExpr):
    """An expression: the result of `op` applied to `inputs`.

    Expressions never change. Those of a user are made by leaves, such as `ad.scalar("x")`,
    by Python's operators, and by the functions of this package.

    Parameters
    ----------
    op : Op or None
        The operation, or None for a leaf.
    inputs : tuple of Expr
        What it is applied to.
    static : tuple
        Its keyword parameters, (name, value) pairs.
    type : TensorType
        The dtype and the shape of the value.
    origin : Origin, Place or str, optional
        Where it came from.
    name : str, optional
        How it is called.

    See Also
    --------
    scalar : An input that is one number.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> y = x * x + 1
    >>> y
    (x * x) + 1
    >>> y.op, y.inputs, y.type
    (add, (x * x, 1), float64)
    """

    __slots__ = {
        "op": "The operation, or None for a leaf.",
        "inputs": "What the operation is applied to.",
        "static": "The operation's keyword parameters, (name, value) pairs.",
        "type": "The dtype and the shape of the value.",
        "origin": "Where it came from; `ad.why` tells it in words.",
        "name": "How it is called, or None.",
    }
    op: Any  # the Op, or None for a leaf

    def __init__(
        self,
        op: Any,
        inputs: tuple["Expr", ...],
        static: tuple[tuple[str, Any], ...],
        type: TensorType,
        origin: Any = None,
        name: str | None = None,
    ):
        self.op = op
        self.inputs = inputs
        self.static = static
        self.type = type
        self.origin = origin
        self.name = name

    # ---- what is known of the value

    @property
    def dtype(self) -> np.dtype:
        """The dtype of the value."""
        return self.type.dtype

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.type.shape)

    @property
    def shape(self) -> tuple[Any, ...]:
        """Each length as an int or, where it is not known yet, as an expression."""
        lengths = self.type.shape
        if None not in lengths:
            return lengths
        length = OPERATIONS["length"]
        return tuple(length(self, axis=k) if n is None else n for k, n in enumerate(lengths))

    # ---- operators

    __add__, __radd__ = operator("add"), reflected("add")
    __sub__, __rsub__ = operator("subtract"), reflected("subtract")
    __mul__, __rmul__ = operator("multiply"), reflected("multiply")
    __truediv__, __rtruediv__ = operator("divide"), reflected("divide")
    __pow__, __rpow__ = operator("power"), reflected("power")
    __matmul__, __rmatmul__ = operator("matmul"), reflected("matmul")
    __neg__ = operator("negative")
    __lt__, __le__ = operator("less"), operator("less_equal")
    __gt__, __ge__ = operator("greater"), operator("greater_equal")
    __eq__, __ne__ = operator("equal"), operator("not_equal")  # type: ignore[assignment]
    __getitem__ = operator("getitem")
    __hash__ = object.__hash__

    def __getattr__(self, name: str) -> Any:
        """An attribute that there is not."""
        if self.type is UNTYPED and not name.startswith("_"):
            getattr(UNTYPED, name)
        raise HOOKS["no_attribute"](self, name)

    def __repr__(self) -> str:
        return HOOKS["text"](self)


# ---- leaves


class Input(Expr):
    """A value that the user will give. Facts such as "positive" are promises about it."""

    __slots__ = {
        "facts": "What is promised of the value, such as positive.",
        "identity": "By which expressions that are stored together share it.",
        "__weakref__": "What the identity of a copy has of it.",
    }

    def __init__(self, name: str, type: TensorType, facts: frozenset[str] = frozenset()):
        super().__init__(None, (), (), type, origin_now(), name)
        self.facts, self.identity = facts, None


class Constant(Expr):
    """A value that is known now. `exact` marks the zero that differentiation proves."""

    __slots__ = {
        "value": "The value: a read-only array, or a number.",
        "exact": "Is it the zero that differentiation proves?",
    }

    def __init__(self, value: Any, dtype: object = None, exact: bool = False):
        if type(value) in (float, int) and isinstance(dtype, np.dtype):  # most constants: be quick
            array: Any = dtype.type(value)
        else:
            array = HOOKS["copied"](value, dtype)
            array.flags.writeable = False
        self.value, self.exact = array if array.ndim else array[()], exact
        super().__init__(None, (), (), TensorType(array.dtype, array.shape), origin_now())

    @property
    def key(self) -> tuple:
        """Equal for constants that no program can tell apart (so 0.0 is not -0.0)."""
        bits = self.value.tobytes() if self.value.nbytes < SMALL else HOOKS["bits"](self.value)
        return (self.type, bits, self.exact)

    def is_all(self, number: float) -> bool:
        """Is every entry equal to this number, and the constant not an exact zero?"""
        if self.exact or self.type.dtype.kind == "b":
            return False
        return bool(self.value == number if not self.type.shape else (self.value == number).all())


# ---- leaves that stand for something: a derivative that does not exist, any part of a pattern


class Null(Expr):
    """Stands for a derivative that does not exist; its origin tells where, and `within` which body
    of an operation it was found in, and as what."""

    __slots__ = ("why", "within")

    def __init__(self, why: str, within: Any = None):
        super().__init__(None, (), (), NullType(why), origin_now())  # type: ignore[arg-type]
        self.why, self.within = why, within


class Disconnected(Expr):
    """Stands for a derivative where no path connects the two."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(None, (), (), DisconnectedType("no path"), None)  # type: ignore[arg-type]


class Wild(Expr):
    """Stands for any expression in the patterns of rewrite rules; it has no type of its own."""

    __slots__ = ("constant",)

    def __init__(self, name: str, constant: bool = False):
        super().__init__(None, (), (), UNTYPED, None, name)
        self.constant = constant


class Literal(Expr):
    """A number in a pattern: weak, it takes the dtype of what it meets."""

    __slots__ = ("value",)

    def __init__(self, value: float):
        super().__init__(None, (), (), UNTYPED)
        self.value = value


# ---- where it came from: the rule at work or, by `HOOKS`, the line of the user's that is running


class Origin(NamedTuple):
    """A rule, of a derivative or a rewrite, and the node at which it was applied; or the name of an
    argument, and the node for which a symbol stands while a function is traced."""

    kind: str  # "derivative", "rewrite" or "argument"
    rule: str
    node: Any


making: ContextVar[Origin | None] = ContextVar("making", default=None)


def origin_now() -> Any:
    """The rule at work or, when there is none, the line of the user's that is running."""
    return making.get() or HOOKS["location"](2)  # this function, and what makes a node


def made_by(origin: Origin, build: Any, *args: Any) -> Any:
    """Call `build(*args)`; the nodes that it makes tell of `origin`."""
    before = making.get()  # a token would be lost where Ctrl-C comes before it is kept
    try:
        making.set(origin)
        return build(*args)
    finally:
        making.set(before)
