"""An expression: one immutable node that says which operation is applied to which inputs.

Nodes are compared by identity and never merged when built: write x*x twice and there are two.
`==` is elementwise, as in NumPy; `same(a, b)` of graph.py compares structures.
"""

from collections.abc import Callable, Iterator
from typing import Any, NoReturn, cast

import numpy as np

from . import hooks
from .hooks import HOOKS, OPERATIONS, hook, hooked
from .origin import Origin, Place, at, origin_now
from .types import UNTYPED, TensorType

Giving = Callable[[str], Callable[..., "Expr"]]  # a name becomes what gives an expression
method, operator = cast(Giving, hooks.method), cast(Giving, hooks.operator)
reflected = cast(Giving, hooks.reflected)
ASSIGN = (
    "for y[0] = e, which cannot be, write y = ad.array(y).at[0].set(e), or ad.array([...]) of all "
    "entries"
)


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
        """The dtype of the value."""
        return self.type.dtype

    @property
    def ndim(self) -> int:
        """The number of axes."""
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

    __add__, __radd__ = operator("add"), reflected("add")
    __sub__, __rsub__ = operator("subtract"), reflected("subtract")
    __mul__, __rmul__ = operator("multiply"), reflected("multiply")
    __truediv__, __rtruediv__ = operator("divide"), reflected("divide")
    __pow__, __rpow__ = operator("power"), reflected("power")
    __matmul__, __rmatmul__ = operator("matmul"), reflected("matmul")
    __neg__, __pos__, __abs__ = operator("negative"), operator("positive"), operator("abs")
    __lt__, __le__ = operator("less"), operator("less_equal")
    __gt__, __ge__ = operator("greater"), operator("greater_equal")
    __eq__, __ne__ = operator("equal"), operator("not_equal")  # type: ignore[assignment]
    __and__, __rand__ = operator("bitwise_and"), reflected("bitwise_and")
    __or__, __ror__ = operator("bitwise_or"), reflected("bitwise_or")
    __xor__, __rxor__ = operator("bitwise_xor"), reflected("bitwise_xor")
    __invert__ = operator("invert")
    __lshift__, __rlshift__ = operator("left_shift"), reflected("left_shift")
    __rshift__, __rrshift__ = operator("right_shift"), reflected("right_shift")
    __getitem__ = operator("getitem")
    __hash__ = object.__hash__

    __floordiv__, __rfloordiv__ = operator("floor_divide"), reflected("floor_divide")
    __mod__, __rmod__ = operator("remainder"), reflected("remainder")
    __divmod__, __rdivmod__ = hooks.operator("divmod"), hooks.reflected("divmod")
    __round__ = operator("round")

    sum, mean, prod, var, std = map(method, ("sum", "mean", "prod", "var", "std"))
    max, min, argmax, argmin = map(method, ("max", "min", "argmax", "argmin"))
    all, any, cumsum, cumprod = map(method, ("all", "any", "cumsum", "cumprod"))
    dot, clip, round, astype, argsort = map(method, ("dot", "clip", "round", "astype", "argsort"))
    reshape, ravel, flatten = method("reshape"), method("ravel"), method("ravel")
    transpose, swapaxes, squeeze = map(method, ("transpose", "swapaxes", "squeeze"))
    take, repeat, trace, diagonal = map(method, ("take", "repeat", "matrix_trace", "diagonal"))
    copy, conj, conjugate = map(method, ("copy", "copy", "copy"))
    searchsorted, nonzero = method("searchsorted"), hooks.method("nonzero")

    __array_ufunc__ = hooks.operator("array_ufunc")
    __array_function__ = hooks.operator("array_function")
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
        """Not of an expression, which has no number yet.

        Raises
        ------
        TypeError
            Always, with what to write instead.
        """
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
        """Not of an expression, which never changes.

        Parameters
        ----------
        *_ : object
            Anything.
        **__ : object
            Anything.

        Raises
        ------
        TypeError
            Always, with what to write instead.
        """
        refuse(self, "an expression never changes", "x = x.at[key].set(value), or .add(value),")

    fill = put = partition = resize = __delitem__ = __setitem__

    def sort(self, *_: Any, **__: Any) -> NoReturn:
        """Not of an expression, which never changes.

        Parameters
        ----------
        *_ : object
            Anything.
        **__ : object
            Anything.

        Raises
        ------
        TypeError
            Always, with what to write instead.
        """
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
