"""An expression: one immutable node that says which operation is applied to which inputs.

Nodes are compared by identity and never merged when built: write x*x twice and there are two.
`==` is elementwise, as in NumPy; `same(a, b)` of graph.py compares structures.
"""

from collections.abc import Iterator
from typing import Any, NoReturn

import numpy as np

from .hooks import HOOKS, OPERATIONS, hook, hooked, method, reflected
from .origin import Origin, Place, at, origin_now
from .types import UNTYPED, TensorType

ASSIGN = (
    "for y[0] = e, which cannot be, write y = ad.array(y).at[0].set(e), or ad.array([...]) of all "
    "entries"
)


class Expr:
    """The result of `op` applied to `inputs` with the keyword parameters `static`."""

    __slots__ = ("op", "inputs", "static", "type", "origin", "name")
    op: Any  # the Op, or None for a leaf

    def __init__(
        self,
        op: Any,
        inputs: tuple["Expr", ...],
        static: tuple[tuple[str, Any], ...],
        type: TensorType,
        origin: Origin | Place | str | None = None,
        name: str | None = None,
    ):
        self.op = op
        self.inputs = inputs
        self.static = static
        self.type: TensorType = UNTYPED if type is None else type  # of a pattern
        self.origin = origin
        self.name = name

    # ---- what is known of the value

    @property
    def dtype(self) -> np.dtype:
        return self.type.dtype

    @property
    def ndim(self) -> int:
        return len(self.type.shape)

    @property
    def shape(self) -> tuple[Any, ...]:
        """Each length as an int or, where it is not known yet, as an expression."""
        return tuple(
            OPERATIONS["length"](self, axis=k) if n is None else n
            for k, n in enumerate(self.type.shape)
        )

    @property
    def size(self) -> Any:
        return OPERATIONS["size"](self)

    @property
    def T(self) -> "Expr":
        return OPERATIONS["transpose"](self)

    @property
    def mT(self) -> "Expr":
        return OPERATIONS["matrix_transpose"](self)

    @property
    def at(self) -> Any:
        """Functional updates: `x.at[0].set(1)` is x with 1 in its first place."""
        return OPERATIONS["at"](self)

    # ---- NumPy's operators and methods

    __add__, __radd__ = method("add"), reflected("add")
    __sub__, __rsub__ = method("subtract"), reflected("subtract")
    __mul__, __rmul__ = method("multiply"), reflected("multiply")
    __truediv__, __rtruediv__ = method("divide"), reflected("divide")
    __pow__, __rpow__ = method("power"), reflected("power")
    __matmul__, __rmatmul__ = method("matmul"), reflected("matmul")
    __neg__, __pos__, __abs__ = method("negative"), method("positive"), method("abs")
    __lt__, __le__ = method("less"), method("less_equal")
    __gt__, __ge__ = method("greater"), method("greater_equal")
    __eq__, __ne__ = method("equal"), method("not_equal")
    __and__, __rand__ = method("bitwise_and"), reflected("bitwise_and")
    __or__, __ror__ = method("bitwise_or"), reflected("bitwise_or")
    __xor__, __rxor__ = method("bitwise_xor"), reflected("bitwise_xor")
    __invert__ = method("invert")
    __lshift__, __rlshift__ = method("left_shift"), reflected("left_shift")
    __rshift__, __rrshift__ = method("right_shift"), reflected("right_shift")
    __getitem__ = method("getitem")
    __hash__ = object.__hash__

    __floordiv__, __rfloordiv__ = method("floor_divide"), reflected("floor_divide")
    __mod__, __rmod__ = method("remainder"), reflected("remainder")
    __divmod__, __rdivmod__ = method("divmod"), reflected("divmod")
    __round__ = method("round")

    sum, mean, prod, var, std = map(method, ("sum", "mean", "prod", "var", "std"))
    max, min, argmax, argmin = map(method, ("max", "min", "argmax", "argmin"))
    all, any, cumsum, cumprod = map(method, ("all", "any", "cumsum", "cumprod"))
    dot, clip, round, astype, argsort = map(method, ("dot", "clip", "round", "astype", "argsort"))
    reshape, ravel, flatten = method("reshape"), method("ravel"), method("ravel")
    transpose, swapaxes, squeeze = map(method, ("transpose", "swapaxes", "squeeze"))
    take, repeat, trace, diagonal = map(method, ("take", "repeat", "matrix_trace", "diagonal"))
    copy, conj, conjugate, nonzero = map(method, ("copy", "copy", "copy", "nonzero"))
    searchsorted, real = method("searchsorted"), property(method("copy"))

    __array_ufunc__ = method("array_ufunc")
    __array_function__ = method("array_function")
    __array_priority__ = 1000

    def __len__(self) -> int:
        if not self.type.shape:
            raise TypeError(f"{self} is 0-d and has no length{at(self)}")
        if self.type.shape[0] is None:
            refuse(self, "len() needs a length known now", "ad.vector('x', shape=3) or the like")
        return self.type.shape[0]

    def __iter__(self) -> Iterator["Expr"]:
        return (self[k] for k in range(len(self)))

    # ---- what an expression cannot be: a number

    def __bool__(self) -> NoReturn:
        refuse(
            self,
            "an expression is neither true nor false",
            "ad.where(condition, a, b) for `if`, (0 < x) & (x < 1) or ad.logical_and for `and` and "
            "for 0 < x < 1, | or ad.logical_or for `or`, ~ or ad.logical_not for `not`",
        )

    def __float__(self) -> NoReturn:
        refuse(
            self,
            "an expression has no number yet",
            f"ad.function(inputs, outputs) to compute it, np.sin(x) for math.sin(x); and {ASSIGN}",
        )

    __int__ = __complex__ = item = tolist = __float__

    def __index__(self) -> NoReturn:
        refuse(
            self,
            "an expression is not a number that Python can count with",
            f"ad.array(a)[{self.name or 'e'}] to index an array with it, ad.arange(n), ad.zeros(n)",
        )

    def __array__(self, *_: Any, **__: Any) -> NoReturn:
        refuse(
            self,
            "an expression is not an array",
            "ad.array([...]) around a list of expressions, "
            f"ad.array(a)[{self.name or 'e'}] to index an array with one, ad.arange(n) for its "
            f"length, or ad.function(inputs, outputs) to compute it; and {ASSIGN}",
        )

    def __contains__(self, _: object) -> NoReturn:
        refuse(self, "`in` compares numbers", "any(item is e for item in ...)")

    def __setitem__(self, *_: Any, **__: Any) -> NoReturn:
        refuse(self, "an expression never changes", "x = x.at[key].set(value), or .add(value),")

    fill = put = partition = resize = __delitem__ = __setitem__

    def sort(self, *_: Any, **__: Any) -> NoReturn:
        refuse(self, "an expression never changes", "x = ad.sort(x)")

    def __getattr__(self, name: str) -> Any:
        """An attribute that there is not; programs written for Theano may find it."""
        if self.type is UNTYPED and not name.startswith("_"):
            getattr(UNTYPED, name)
        if "old attribute" in HOOKS and not name.startswith("_"):
            return HOOKS["old attribute"](self, name)
        raise AttributeError(f"an expression has no attribute {name!r}")

    # ---- how it is written, copied and stored

    def __repr__(self) -> str:
        return HOOKS["text"](self)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return HOOKS["mimebundle"](self)

    def __copy__(self) -> "Expr":
        return self

    __deepcopy__ = hooked("deepcopy")

    def __reduce__(self):
        return HOOKS["flatten"](self)


def refuse(node: Expr, what: str, instead: str) -> NoReturn:
    raise TypeError(f"{what}: {node}{at(node)}. Write {instead} instead.")


# ---- leaves


@hook("input of type")
def input_of_type(type: TensorType, name: str) -> "Input":
    return Input(name, type)


class Input(Expr):
    """A value that the user will give. Facts such as "positive" are promises about it."""

    __slots__ = ("facts",)

    def __init__(self, name: str, type: TensorType, facts: frozenset[str] = frozenset()):
        super().__init__(None, (), (), type, origin_now(), name)
        self.facts = facts


class Constant(Expr):
    """A value that is known now. `exact` marks the zero that differentiation proves."""

    __slots__ = ("value", "exact")

    def __init__(self, value: Any, dtype: object = None, exact: bool = False):
        if type(value) in (float, int) and isinstance(dtype, np.dtype):  # most constants: be quick
            array: Any = dtype.type(value)
        else:
            array = np.array(value, dtype=dtype)  # type: ignore[call-overload]
            array.flags.writeable = False
        known = TensorType(array.dtype, array.shape)
        self.value = array[()]
        super().__init__(None, (), (), known, origin_now())
        self.exact = exact

    @property
    def key(self) -> tuple:
        """Equal for constants that no program can tell apart (so 0.0 is not -0.0)."""
        return (self.type, self.value.tobytes(), self.exact)

    def is_all(self, number: float) -> bool:
        """Is every entry equal to this number, and the constant not an exact zero?"""
        if self.exact or self.type.dtype.kind == "b":
            return False
        return bool(self.value == number if not self.type.shape else (self.value == number).all())
