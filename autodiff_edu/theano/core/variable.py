"""An old variable: an expression, with the operators, methods and attributes of Theano's.

The functions that it calls are found in tables, where the modules that define them enter them.
"""

from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any

from ...expr import Expr, Input, computed_by, results
from ...ops import expand_dims
from .missing import missing
from .operators import METHODS, PROPERTIES, TABLES, binary, comparing, unary


class Variable:
    """An expression as programs of Theano's years know it; `expr` is the expression itself.

    A class of one's own makes a leaf as Theano did, by `__init__(type, owner, index, name)`.
    """

    def __init__(
        self, expr: Any = None, sources: Sequence["Variable"] | None = (), index: Any = None,
        name: str | None = None, type: Any = None, owner: Any = None,
    ):  # fmt: skip
        if not isinstance(expr, Expr):
            expr = TABLES["adopt"](self, (type or expr)(name))
        self.expr, self.sources = expr, sources or ()
        self.tag, self.compared = SimpleNamespace(), False
        self.index: Any = None  # of x[key], x and the key
        anonymous = isinstance(expr, Input) and expr.name in KINDS
        self._name = None if anonymous else expr.name

    @property
    def name(self) -> str | None:
        """How it is called: any text, or None."""
        return self._name

    @name.setter
    def name(self, name: str | None) -> None:
        self._name = name
        if name is not None or not isinstance(self.expr, Input):
            self.expr.name = None if name is None else str(name)

    @property
    def __expression__(self) -> Expr:
        """What the engine takes it for."""
        return self.expr

    # ---- operators

    __add__, __radd__ = binary("add"), binary("add", True)
    __sub__, __rsub__ = binary("sub"), binary("sub", True)
    __mul__, __rmul__ = binary("mul"), binary("mul", True)
    __truediv__, __rtruediv__ = binary("true_div"), binary("true_div", True)
    __div__, __rdiv__ = binary("div_proxy"), binary("div_proxy", True)
    __floordiv__, __rfloordiv__ = binary("int_div"), binary("int_div", True)
    __mod__, __rmod__ = binary("mod"), binary("mod", True)
    __divmod__, __rdivmod__ = binary("divmod"), binary("divmod", True)
    __pow__, __rpow__ = binary("pow"), binary("pow", True)
    __and__, __rand__ = binary("and_"), binary("and_", True)
    __or__, __ror__ = binary("or_"), binary("or_", True)
    __xor__, __rxor__ = binary("xor"), binary("xor", True)
    __matmul__, __rmatmul__ = binary("matmul"), binary("matmul", True)
    __neg__, __abs__, __invert__ = unary("neg"), unary("abs_"), unary("invert")
    __ceil__, __floor__, __trunc__ = unary("ceil"), unary("floor"), unary("trunc")
    __lt__, __le__, __gt__, __ge__ = map(comparing, ("lt", "le", "gt", "ge"))
    __array_priority__ = 1000

    def __pos__(self) -> Any:
        return self

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        return METHODS["array_ufunc"](ufunc, method, *inputs, **options)

    def __bool__(self) -> bool:
        """True, as of any object; but a comparison is not."""
        if self.compared:
            raise TypeError(f"{self} is a comparison and has no truth value yet: write "
                            "T.switch(condition, a, b) for `if`, T.and_(a, b) for `and` and for "
                            "a < x < b")  # fmt: skip
        return True

    def __getitem__(self, key: Any) -> Any:
        return METHODS["getitem"](self, key)

    def __iter__(self) -> Iterator[Any]:
        n = self.expr.type.shape[0] if self.expr.type.shape else None
        if n is None:
            raise TypeError(f"{self} cannot be iterated, since its length is not known yet: "
                            "theano.scan goes over it")  # fmt: skip
        return (self[k] for k in range(n))

    def __len__(self) -> int:
        raise TypeError(f"{self} has no len() yet: {self}.shape[0] is its length when it runs")

    def __float__(self) -> float:
        raise TypeError(f"{self} has no number yet: {self}.eval({{x: 3.0}}) computes it")

    __int__ = __index__ = __complex__ = __float__

    def __contains__(self, other: Any) -> bool:
        raise TypeError(f"`in` asks for a value, and {self} has none yet: write T.eq(x, a).any()")

    # ---- attributes

    def __getattr__(self, name: str) -> Any:
        if name in PROPERTIES:
            return PROPERTIES[name](self)
        if name in METHODS and not name.startswith("_"):
            method = METHODS[name]
            return lambda *args, **how: method(self, *args, **how)
        if name.startswith("_"):
            raise AttributeError(name)
        raise missing("variable", name, [*METHODS, *PROPERTIES, *dir(type(self))])

    @property
    def owner(self) -> "Apply | None":
        """The operation that computes it, with its inputs; None for a leaf."""
        return None if self.expr.op is None else Apply.of(computed_by(self.expr)[0])

    def get_parents(self) -> list["Apply"]:
        """The operation that computes it, in a list; none for a leaf."""
        return [] if self.owner is None else [self.owner]

    @property
    def type(self) -> Any:
        """Its type, which makes variables: x.type("y")."""
        return TABLES["type"](self.expr)

    @property
    def dtype(self) -> str:
        """The dtype of its value, as a text."""
        return str(self.expr.type.dtype)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self.expr.ndim

    @property
    def broadcastable(self) -> tuple[bool, ...]:
        """Which axes have length 1 and stretch."""
        return tuple(n == 1 for n in self.expr.type.shape)

    def eval(self, inputs_to_values: Any = None) -> Any:
        """The value, with the inputs at these values."""
        return TABLES["eval"](self, inputs_to_values or {})

    def clone(self) -> "Variable":
        """A new leaf of the same type."""
        return self.type(self.name)

    def __str__(self) -> str:
        if self.name is None and self.expr.op is None:
            return f"<{self.type}>"
        return self.name or str(self.expr)

    def __repr__(self) -> str:
        return str(self)

    def __reduce__(self) -> Any:
        return TABLES["stored"](self)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return self.expr._repr_mimebundle_(include, exclude)


KINDS = ("scalar", "vector", "matrix", "tensor", "row", "col")  # of leaves that have no name


class TensorVariable(Variable):
    """An input, or the result of an operation; in Theano neither a constant nor what is shared."""


class Constant(Variable):
    """A value that is known."""

    @property
    def data(self) -> Any:
        """The value."""
        return self.expr.value

    value = data

    def __str__(self) -> str:
        return self.name or f"TensorConstant{{{self.data}}}"


class TensorConstant(Constant):
    """An array that is known."""


class SharedVariable(Variable):
    """A value that stays between calls, and that updates change."""


class TensorSharedVariable(SharedVariable):
    """A shared array."""


class ScalarSharedVariable(TensorSharedVariable):
    """A shared number."""


class Apply:
    """An operation applied to inputs: what make_node returns, and what x.owner is."""

    def __init__(self, op: Any, inputs: Sequence[Any], outputs: Sequence[Any]):
        self.op, self.tag = op, SimpleNamespace()
        self.inputs, self.outputs = list(inputs), list(outputs)
        TABLES["connect"](self)

    @classmethod
    def of(cls, n: Expr) -> "Apply":
        wrap = TABLES["wrap"]
        inputs = [lined_up(i, n) for i in n.inputs] if n.op.elementwise else n.inputs
        found = cls(getattr(n.op, "old", n.op), [wrap(i) for i in inputs], [])
        found.outputs = [wrap(y) for y in results(n)]
        return found

    @property
    def out(self) -> Any:
        """The one output."""
        return self.outputs[0]

    @property
    def nin(self) -> int:
        return len(self.inputs)

    @property
    def nout(self) -> int:
        return len(self.outputs)

    def get_parents(self) -> list[Any]:
        """Its inputs."""
        return list(self.inputs)

    def default_output(self) -> Any:
        return self.outputs[getattr(self.op, "default_output", None) or 0]

    def __eq__(self, other: object) -> bool:
        """Is it the same node?"""
        mine, others = self.outputs, getattr(other, "outputs", [])
        return bool(mine) and bool(others) and mine[0] is others[0]

    def __hash__(self) -> int:
        return id(self.outputs[0]) if self.outputs else id(self)

    def __repr__(self) -> str:
        return f"{self.op}({', '.join(map(str, self.inputs))})"


def lined_up(i: Expr, n: Expr) -> Expr:
    """An operand as Theano's graphs have it: with the axes that it lacks in front."""
    return expand_dims(i, axis=tuple(range(n.ndim - i.ndim))) if i.ndim < n.ndim else i


__all__ = [
    "METHODS", "PROPERTIES", "TABLES", "Apply", "Constant", "ScalarSharedVariable",
    "SharedVariable",
    "TensorConstant", "TensorSharedVariable", "TensorVariable", "Variable",
]  # fmt: skip
