"""An operation: its value, its type and its derivative are stated once, and a call makes a node.

An operation is an object of the class `Op`, or of a class of the user's. What single rooms ask of
it beside, such as its picture or its price, are traits: attributes that those rooms give to `Op`,
and that an operation states by name, in its class or in its record (`ops/traits.py` lists them).
"""

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from operator import attrgetter
from typing import Any

import numpy as np

from .errors import MISUSE, refusal
from .node import Constant, Expr, Literal, origin_now
from .seams import HOOKS, OfOp, cached_property, watch
from .types import UNTYPED, NullType, TensorType, TupleType

Static = tuple[tuple[str, Any], ...]
TYPE = attrgetter("type")
REMEMBERED = 1_000  # inferred types of one operation
UNSTATED = inspect.Parameter.empty


class Op(OfOp):
    """An operation; calling it makes a node.

    A class of one's own states its rules by these methods.

    Parameters
    ----------
    *operands : Expr
        Nothing: an operation is made, and then called with its operands.

    Raises
    ------
    TypeError
        If there are any.

    See Also
    --------
    op : An operation stated in one record.

    Notes
    -----
    infer_type(self, *types, **static) gives the result's TensorType, or a TupleType of
    several. perform(self, *values, **static) gives the result as an array, or a tuple of
    several. pullback(self, inputs, outputs, cotangents, **static) gives a cotangent, or
    None, for each input. pushforward(self, inputs, outputs, tangents, **static) gives the
    tangent of each output.

    The arguments of `perform` without a default are the operands, all others static
    parameters. A pullback and a pushforward are called once, while a derivative is built:
    they take expressions and return a list of them, with None where no derivative passes.
    Without a pushforward the pullback is taken twice. For what does not fit, infer_type
    raises ShapeError or DTypeError. `op.check(*example)` compares all that it states with
    numbers.

    Examples
    --------
    >>> class Cube(ad.Op):
    ...     def infer_type(self, x):
    ...         return x
    ...     def perform(self, x):
    ...         return x**3
    ...     def pullback(self, inputs, outputs, cotangents):
    ...         return [3 * inputs[0] ** 2 * cotangents[0]]
    ...
    >>> x = ad.scalar("x")
    >>> ad.grad(Cube()(x), x)
    (3 * (x ** 2)) * 1
    """

    name = ""  # by default that of the class
    label = ""  # the symbol in pictures, by default the name; {axis} stands for a parameter
    arity: int | None = 1  # how many operands `perform` takes; None: any number
    parameters: Mapping[str, Any] = {}  # static parameters and their defaults
    props: tuple[str, ...] | None = None  # operations that agree in these attributes are equal
    reads: Any = None  # (arguments as NumPy's users write them) -> operands and parameters
    adopted = 0  # the operand from which on Python's numbers adopt dtypes
    any_integer = False  # may Python's integers be larger than the other operand's dtype holds?
    elementwise = False  # is each entry made of those in its place? Its type is stated all the same
    commutative = multilinear = False
    linear: bool | tuple[int, ...] = ()  # the operands in which it is jointly linear
    body: Any = None  # its function, or the graph of which it is made
    nondifferentiable = ""  # why no derivative passes through, where none does
    overrides = False  # is its derivative another than that of its value, on purpose?
    merges = True  # may equal nodes be one, their cotangents added? By default not if it overrides
    # is it bookkeeping; does it only repeat entries of its first operand; are its zeros exact?
    free = spreads = exact_zeros = False
    cost: Any = None  # in additions, for an entry of an elementwise operation; see `weight`
    takes_none = False  # are its rules given None, and not a zero, for what does not change?

    def __init__(self, *operands: Any):
        if operands:
            raise TypeError(f"{self.name}() makes the operation, and its call a node: write "
                            f"{self.name}()(x), not {self.name}(x)")  # fmt: skip

    def __init_subclass__(cls, **options: Any) -> None:
        """Take from the name and from the signature of perform what a class does not state."""
        super().__init_subclass__(**options)
        own = vars(cls)
        cls.name = own.get("name", cls.__name__)
        cls.label = own.get("label", cls.name)
        if "perform" in own:
            stated = own.get("parameters", {})
            arity, parameters = operands_of(own["perform"].__get__(cls), stated)
            cls.arity, cls.parameters = own.get("arity", arity), {**parameters, **stated}
        if own.get("overrides"):
            cls.merges = own.get("merges", False)
        if "props" in own:
            HOOKS["compare"](cls)

    @cached_property
    def _types(self) -> dict[tuple, Any]:
        """The result's type by the operands' types and the static parameters, once inferred."""
        return {}

    @cached_property
    def _needed(self) -> frozenset[str]:
        """The static parameters without a default."""
        return frozenset([k for k, v in self.parameters.items() if v is UNSTATED])

    def __call__(self, *args: Any, **static: Any) -> Any:
        if self.reads is not None:
            args, static = HOOKS["read"](self, args, static)
        if len(args) != self.arity and self.arity is not None:
            args, static = self.bind(args, static)
        for a in args:
            if not isinstance(a, Expr):
                args = operands(args, self.name, self.any_integer, self.adopted)
                break
        pairs = self.normalize_static(args, static) if self.parameters or static else ()
        n: Any = self.apply(args, pairs)
        return results(n) if type(n.type) is TupleType else n

    def apply(self, inputs: tuple[Expr, ...], static: Static = ()) -> Expr:
        """The node for inputs and parameters that are in their normal form already.

        Parameters
        ----------
        inputs : tuple of Expr
            The operands.
        static : tuple, default: ()
            (name, value) pairs of all parameters.

        Returns
        -------
        Expr
            The node.
        """
        types = tuple(map(TYPE, inputs))
        if UNTYPED in types:  # a pattern of a rewrite rule has no type
            return Expr(self, inputs, static, UNTYPED)
        result = self._types.get((types, static))
        if result is None:
            if len(self._types) >= REMEMBERED:
                self._types.clear()
            result = self._types[types, static] = self.type_of(inputs, types, static)
        node = Expr(self, inputs, static, result, origin_now())
        if (watcher := watch.get()) is not None:
            watcher(node)
        return node

    def bind(self, args: tuple, static: dict[str, Any]) -> tuple[tuple, dict[str, Any]]:
        """Arguments after the operands are parameters given by position: sum(x, 0).

        Parameters
        ----------
        args : tuple
            Arguments by position.
        static : dict
            Those by name.

        Returns
        -------
        tuple
            The operands, and the parameters by name.

        Raises
        ------
        TypeError
            If there are too few or too many.
        """
        n = self.arity or 0
        extra = dict(zip(self.parameters, args[n:], strict=False))
        if len(args) < n or len(args) - n > len(self.parameters) or extra.keys() & static.keys():
            sentence = f"{self.name} takes {n} operands, {len(args)} were given"
            raise refusal(TypeError, sentence, "operands", op=self, count=len(args))
        return args[:n], extra | static

    def normalize_static(self, inputs: tuple[Expr, ...], static: dict[str, Any]) -> Static:
        """The static parameters in their normal form, defaults filled in, in a fixed order.

        Parameters
        ----------
        inputs : tuple of Expr
            The operands.
        static : dict
            The parameters that were given.

        Returns
        -------
        tuple
            (name, value) pairs of all parameters.

        Raises
        ------
        TypeError
            If one is unknown, missing or an expression.
        """
        if not static.keys() <= self.parameters.keys():
            raise HOOKS["no_parameter"](self, static)
        full, types = {**self.parameters, **static}, [*map(TYPE, inputs)]
        if UNTYPED in types:  # a pattern, which says what it leaves unsaid
            return tuple((k, v) for k, v in full.items() if v is not UNSTATED)
        if not static.keys() >= self._needed or any(isinstance(v, Expr) for v in static.values()):
            raise HOOKS["wrong_parameter"](self, full)
        try:
            pairs = tuple(self.normal(types, **full).items())
            hash(pairs)  # nodes are compared by them
            return pairs
        except MISUSE as error:
            raise HOOKS["misfit"](self, inputs, error, of_parameters=True) from None

    def normal(self, types: Sequence[TensorType], **static: Any) -> dict[str, Any]:
        """The static parameters in their one normal form, as axis=-1 becomes axis=(1,).

        Parameters
        ----------
        types : list of TensorType
            Those of the operands.
        **static : object
            All parameters.

        Returns
        -------
        dict
            The parameters; override where they can be written in several ways.
        """
        return static

    def differentiable(self, n_inputs: int) -> tuple[int, ...]:
        """The operands through which derivatives pass.

        Parameters
        ----------
        n_inputs : int
            How many operands there are.

        Returns
        -------
        tuple of int
            Their places.
        """
        return tuple(range(n_inputs))

    def type_of(self, inputs: Sequence[Expr], types: tuple[TensorType, ...], static: Static) -> Any:
        """The type that the operation infers, checked.

        Parameters
        ----------
        inputs : list of Expr
            The operands.
        types : tuple of TensorType
            Theirs.
        static : tuple
            (name, value) pairs of all parameters.

        Returns
        -------
        TensorType or TupleType
            The result's.
        """
        try:
            type = self.infer_type(*types, **dict(static))
        except MISUSE as error:
            raise HOOKS["misfit"](self, inputs, error) from None
        if isinstance(type, (TensorType, TupleType)):
            return type
        raise HOOKS["wrong_type"](self, type)

    def __repr__(self) -> str:
        return self.name


# ---- what follows from a class


def operands_of(body: Callable[..., Any], static: Collection[str] = ()) -> tuple[int | None, dict]:
    """How many operands a function takes, None for any number; and its static parameters: those
    that are named here, those with a default, and those that are given by name alone."""
    arity: int | None = 0
    parameters = {}
    for p in inspect.signature(body).parameters.values():
        if p.kind is p.VAR_POSITIONAL:
            arity = None
        elif p.name in static or p.default is not UNSTATED or p.kind is p.KEYWORD_ONLY:
            parameters[p.name] = p.default
        elif p.kind is not p.VAR_KEYWORD and arity is not None:
            arity += 1
    return arity, parameters


# ---- operands: Python's numbers are weak, they adopt the dtype of what they meet

WEAK = (bool, int, float)  # Python's numbers


def constant(value: Any, dtype: object = None) -> Constant:
    """A known value as an expression.

    Parameters
    ----------
    value : array_like
        Numbers or truth values.
    dtype : dtype, optional
        By default that of the value.

    Returns
    -------
    Constant
        A leaf that holds a copy of the value.

    Raises
    ------
    DTypeError
        If the value is not an array of real numbers.

    Examples
    --------
    >>> ad.constant([1.0, 2.0]) * 2
    array(2,) * 2
    """
    if isinstance(value, Constant) and dtype is None:
        return value
    return Constant(value, None if dtype is None else HOOKS["dtype"](dtype))


def operands(
    args: tuple[Any, ...], name: str, any_integer: bool = False, first: int = 0
) -> tuple[Expr, ...]:
    """Arguments as expressions; Python's numbers adopt the dtype of what they meet among the
    arguments from number `first` on. An integer which that cannot hold keeps its own, where the
    operation takes any."""
    types = [a.type for a in args if isinstance(a, Expr)]
    if UNTYPED in types:  # a pattern of a rewrite rule
        return tuple([a if isinstance(a, Expr) else Literal(a) for a in args])
    strong = [a if isinstance(a, Expr) or type(a) in WEAK else HOOKS["leaf"](a, name) for a in args]
    beside = tuple([a.type for a in strong[first:] if isinstance(a, Expr)])
    try:
        nodes = [a if isinstance(a, Expr) else Constant(a, weak(beside, type(a))) for a in strong]
        return tuple(nodes)
    except OverflowError as error:
        if not any_integer:
            raise HOOKS["beyond"](error, name) from None
        return tuple([a if isinstance(a, Expr) else Constant(a) for a in strong])


_dtypes: dict[tuple, np.dtype] = {}


def weak(beside: tuple[TensorType, ...], kind: type) -> np.dtype | None:
    """The dtype that a Python number of this kind adopts beside operands of these types."""
    dtype = _dtypes.get((beside, kind))
    if dtype is None and beside:
        if any(isinstance(t, NullType) for t in beside):
            raise TypeError("a derivative that does not exist takes part in no arithmetic: take "
                            "ad.zeros_like(x) in its place")  # fmt: skip
        dtype = _dtypes[beside, kind] = np.result_type(*[t.dtype for t in beside], kind(1))
    return dtype


# ---- operations with several results: each result is a node `item`


class Item(Op):
    """One of the results of an operation that has several."""

    name = label = "item"
    view = True
    parameters = {"place": 0}

    def infer_type(self, t: TupleType, place: int) -> TensorType:
        return t.items[place]

    def perform(self, results: tuple, place: int = 0) -> Any:
        return results[place]


item = Item()


def computed_by(n: Expr) -> tuple[Expr, int]:
    """The node whose operation computes n, and which of its results n is."""
    return (n.inputs[0], dict(n.static)["place"]) if n.op is item else (n, 0)


def results(n: Expr) -> tuple[Expr, ...]:
    """The results of a node: itself or, where it has several, a new item for each."""
    if not isinstance(n.type, TupleType):
        return (n,)
    return tuple(item.apply((n,), (("place", k),)) for k in range(len(n.type.items)))
