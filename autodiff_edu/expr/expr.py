"""An expression: one immutable node that says which operation is applied to which inputs.

Nodes are compared by identity and never merged when built: write x*x twice and there are two.
`==` is elementwise, as in NumPy; `same(a, b)` of graph.py compares structures.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NoReturn, cast

import numpy as np

from . import hooks
from .arrays import key_of
from .errors import refusal
from .errors.running import asked_by_the_house
from .errors.suggestion import no_attribute
from .hooks import HOOKS, OPERATIONS, hooked
from .identity import Identity
from .origin import Origin, Place, origin_now
from .tracing import decided
from .types import UNTYPED, TensorType, copied

Giving = Callable[[str], Callable[..., "Expr"]]  # a name becomes what gives an expression
method, operator = cast(Giving, hooks.method), cast(Giving, hooks.operator)
binary, reflected = cast(Giving, hooks.binary), cast(Giving, hooks.reflected)


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
        origin: Origin | Place | str | None = None,
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
        known = self.type.shape
        if None not in known:
            return known
        length = OPERATIONS["length"]
        return tuple(length(self, axis=k) if n is None else n for k, n in enumerate(known))

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
    __divmod__, __rdivmod__ = hooks.binary("divmod"), hooks.reflected("divmod")
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
            refusal.no_length(self)
        if self.type.shape[0] is None:
            refusal.refuse(
                self,
                "len() needs a length known now",
                f"{refusal.declared(self)}, or ad.scan for a loop over it,",
            )
        return self.type.shape[0]

    def __iter__(self) -> Iterator["Expr"]:
        return (self[k] for k in range(len(self)))

    # ---- what an expression is to Python: a number only where a trace knows it

    def __bool__(self) -> bool:
        answer = decided(self, "truth")
        return refusal.no_truth(self) if answer is None else answer

    def __float__(self, *_: Any) -> NoReturn:
        """Not of an expression, which has no number yet.

        Parameters
        ----------
        *_ : object
            Anything.

        Raises
        ------
        TypeError
            Always, with what to write instead.
        """
        refusal.no_number(self)

    __complex__ = item = tolist = __float__

    __int__ = __trunc__ = refusal.whole("trunc")
    __floor__, __ceil__ = refusal.whole("floor"), refusal.whole("ceil")

    def __format__(self, how: str) -> str:
        answer = None if asked_by_the_house() else decided(self, "index")
        if answer is not None:
            return format(answer, how)
        return (
            refusal.no_number(self)
            if how.endswith(tuple("bcdeEfFgGnoxX%"))
            else format(str(self), how)
        )

    def __index__(self) -> int:
        answer = decided(self, "index")
        return refusal.no_count(self) if answer is None else answer

    def __array__(self, *_: Any, **__: Any) -> NoReturn:
        refusal.no_array(self)

    if not TYPE_CHECKING:  # for whom an expression is no function

        def __call__(self, *args, **_):
            refusal.no_function(
                "an expression", self, refusal.leaves(self), any(isinstance(a, Expr) for a in args)
            )

    def __contains__(self, wanted: object) -> bool:
        answer = decided(OPERATIONS["equal"](self, wanted), "any")
        if answer is None:
            refusal.refuse(self, "`in` compares numbers", "any(item is e for item in ...)")
        return answer

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
        refusal.refuse(self, "an expression never changes", refusal.updated())

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
        refusal.refuse(self, "an expression never changes", "x = ad.sort(x)")

    def __getattr__(self, name: str) -> Any:
        """An attribute that there is not."""
        if self.type is UNTYPED and not name.startswith("_"):
            getattr(UNTYPED, name)
        raise no_attribute(self, name)

    # ---- how it is written, copied and stored

    def __dir__(self) -> list[str]:
        """What there is, for completion by tab; what refuses is not among it."""
        return [name for name in super().__dir__() if name not in refusal.REFUSED]

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
            array = copied(value, dtype)
        known = TensorType(array.dtype, array.shape)
        self.value = array if known.shape else array[()]
        super().__init__(None, (), (), known, origin_now())
        self.exact = exact

    @property
    def key(self) -> tuple:
        """Equal for constants that no program can tell apart (so 0.0 is not -0.0)."""
        return (self.type, key_of(self.value), self.exact)

    def is_all(self, number: float) -> bool:
        """Is every entry equal to this number, and the constant not an exact zero?"""
        if self.exact or self.type.dtype.kind == "b":
            return False
        return bool(self.value == number if not self.type.shape else (self.value == number).all())
