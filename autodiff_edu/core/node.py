"""An expression: one immutable node that says which operation is applied to which inputs.

Nodes are compared by identity and never merged when built: write x*x twice and there are two.
`==` is elementwise, as in NumPy; `same(a, b)` of graph.py compares structures. What a node is not,
a number, a truth value or a function, `HOOKS` says in the user's words.
"""

from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, NamedTuple, cast
from weakref import ref

import numpy as np

from . import seams
from .seams import HOOKS, OPERATIONS, hooked
from .types import UNTYPED, TensorType

Giving = Callable[[str], Callable[..., "Expr"]]  # a name becomes what gives an expression
method, operator = cast(Giving, seams.method), cast(Giving, seams.operator)
SMALL = 256  # bytes of an array that is copied as often as it is needed
binary, reflected = cast(Giving, seams.binary), cast(Giving, seams.reflected)


class Expr:
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

    @property
    def size(self) -> Any:
        """The number of entries: an int where it is known, else an expression."""
        return OPERATIONS["size"](self)

    @property
    def T(self) -> "Expr":
        """The transpose: the axes in reverse."""
        return OPERATIONS["transpose"](self)

    @property
    def mT(self) -> "Expr":
        """The last two axes exchanged."""
        return OPERATIONS["matrix_transpose"](self)

    @property
    def real(self) -> "Expr":
        """The expression itself, as all are real."""
        return self

    @property
    def at(self) -> Any:
        """Functional updates: `x.at[0].set(1)` is x with 1 in its first place."""
        return OPERATIONS["at"](self)

    # ---- NumPy's operators and methods

    __add__, __radd__ = binary("add"), reflected("add")
    __sub__, __rsub__ = binary("subtract"), reflected("subtract")
    __mul__, __rmul__ = binary("multiply"), reflected("multiply")
    __truediv__, __rtruediv__ = binary("divide"), reflected("divide")
    __pow__, __rpow__ = operator("power"), reflected("power")
    __matmul__, __rmatmul__ = binary("matmul"), reflected("matmul")
    __neg__, __pos__, __abs__ = operator("negative"), operator("positive"), operator("abs")
    __lt__, __le__ = binary("less"), binary("less_equal")
    __gt__, __ge__ = binary("greater"), binary("greater_equal")
    __eq__, __ne__ = binary("equal"), binary("not_equal")  # type: ignore[assignment]
    __and__, __rand__ = binary("bitwise_and"), reflected("bitwise_and")
    __or__, __ror__ = binary("bitwise_or"), reflected("bitwise_or")
    __xor__, __rxor__ = binary("bitwise_xor"), reflected("bitwise_xor")
    __invert__ = operator("invert")
    __lshift__, __rlshift__ = binary("left_shift"), reflected("left_shift")
    __rshift__, __rrshift__ = binary("right_shift"), reflected("right_shift")
    __getitem__ = binary("getitem")
    __hash__ = object.__hash__

    __floordiv__, __rfloordiv__ = binary("floor_divide"), reflected("floor_divide")
    __mod__, __rmod__ = binary("remainder"), reflected("remainder")
    __divmod__, __rdivmod__ = seams.binary("divmod"), seams.reflected("divmod")
    __round__ = operator("round")

    sum, mean, prod, var, std = map(method, ("sum", "mean", "prod", "var", "std"))
    max, min, argmax, argmin = map(method, ("max", "min", "argmax", "argmin"))
    all, any, cumsum, cumprod = map(method, ("all", "any", "cumsum", "cumprod"))
    dot, clip, round, astype, argsort = map(method, ("dot", "clip", "round", "astype", "argsort"))
    reshape, ravel, flatten = method("reshape"), method("ravel"), method("ravel")
    transpose, swapaxes, squeeze = map(method, ("transpose", "swapaxes", "squeeze"))
    take, repeat, trace, diagonal = map(method, ("take", "repeat", "matrix_trace", "diagonal"))
    copy, conj, conjugate = map(method, ("copy", "copy", "copy"))
    searchsorted, nonzero = method("searchsorted"), seams.method("nonzero")

    __array_ufunc__ = seams.operator("array_ufunc")
    __array_function__ = seams.operator("array_function")
    __array_priority__ = 1000

    # ---- what it is to Python: a number only where a trace knows it

    __len__, __bool__, __index__ = hooked("len"), hooked("truth"), hooked("index")
    __int__ = __trunc__ = hooked("trunc")
    __floor__, __ceil__, __contains__ = hooked("floor"), hooked("ceil"), hooked("contains")
    __float__ = __complex__ = item = tolist = hooked("no_number")
    __format__, __array__ = hooked("format"), hooked("no_array")
    __setitem__ = __delitem__ = fill = put = partition = resize = hooked("no_change")
    sort = hooked("no_sort")

    if not TYPE_CHECKING:  # for whom an expression is no function
        __call__ = hooked("no_call")

    def __iter__(self) -> Iterator["Expr"]:
        return (self[k] for k in range(len(self)))

    def __getattr__(self, name: str) -> Any:
        """An attribute that there is not."""
        if self.type is UNTYPED and not name.startswith("_"):
            getattr(UNTYPED, name)
        raise HOOKS["no_attribute"](self, name)

    # ---- how it is written, copied and stored

    def __dir__(self) -> list[str]:
        """The names for completion by tab, without those of methods that only refuse."""
        return [name for name in super().__dir__() if name not in HOOKS["refused"]]

    def __repr__(self) -> str:
        return HOOKS["text"](self)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return HOOKS["mimebundle"](self)

    def __copy__(self) -> "Expr":
        return self

    __deepcopy__ = hooked("deepcopy")

    def __reduce__(self):
        return HOOKS["flatten"](self)


# ---- leaves


def not_yet() -> None:
    """The owner of an identity that was not copied."""


class Identity:
    """The mark that a leaf has to itself. Of objects that are pickled or copied together, pickle
    makes one copy of each identity. So a copy knows the leaf that came with it: expressions that
    shared the leaf share its copy."""

    __slots__ = ("owner",)

    def __init__(self) -> None:
        self.owner: Callable[[], Any] = not_yet

    def owned(self, by: Any) -> None:
        """Say whose it is; an identity keeps nothing alive."""
        self.owner = ref(by)

    def __reduce__(self) -> Any:
        return type(self), ()


class Input(Expr):
    """A value that the user will give. Facts such as "positive" are promises about it."""

    __slots__ = {
        "facts": "What is promised of the value, such as positive.",
        "identity": "By which expressions that are stored together share it.",
        "__weakref__": "What the identity of a copy has of it.",
    }

    def __init__(self, name: str, type: TensorType, facts: frozenset[str] = frozenset()):
        super().__init__(None, (), (), type, origin_now(), name)
        self.facts, self.identity = facts, Identity()


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


# ---- where it came from: the rule at work or, by `HOOKS`, the line of the user's that is running


class Origin(NamedTuple):
    """A rule, of a derivative or a rewrite, and the node at which it was applied; or the name of an
    argument, and the node for which a symbol stands while a function is traced."""

    kind: str  # "derivative", "rewrite" or "argument"
    rule: str
    node: Any


HOOKS.setdefault("place", lambda inside: None)  # until a room knows the user's lines
making: ContextVar[Origin | None] = ContextVar("making", default=None)


def origin_now() -> Any:
    """The rule at work or, when there is none, the line of the user's that is running."""
    return making.get() or HOOKS["place"](2)  # this function, and what makes a node


def made_by(origin: Origin, build: Any, *args: Any) -> Any:
    """Call `build(*args)`; the nodes that it makes tell of `origin`."""
    before = making.get()  # a token would be lost where Ctrl-C comes before it is kept
    try:
        making.set(origin)
        return build(*args)
    finally:
        making.set(before)


# until the room is there that shares copies
HOOKS |= {"bits": lambda array: array.tobytes(), "copied": np.array}
