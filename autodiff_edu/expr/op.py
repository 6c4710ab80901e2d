"""An operation: what it computes, how it is drawn, how it is differentiated, in one record."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any

import numpy as np

from ..core.node import Expr
from ..core.origin import origin_now
from ..core.protocols import Checks, Explains, Report
from ..core.sanitize import shorten, visible
from ..core.seams import HOOKS, cached_property, hooked, watch
from ..core.types import UNTYPED, TensorType, TupleType
from .errors.context import MISUSE, again, misfit, refuse_options
from .op_class import UNSTATED, alike, hash_of_props, operands_of
from .operands import operands

Static = tuple[tuple[str, Any], ...]
Exprs = Sequence[Expr]
TYPE = attrgetter("type")
REMEMBERED = 1_000  # inferred types of one operation
SECOND = {  # what a second operand is to say where none is taken
    "max": "ad.maximum(x, y) for the larger of two", "sum": "x + y for the sum of two",
    "min": "ad.minimum(x, y) for the smaller of two", "mean": "(x + y) / 2 for that of two",
    "product": "x * y for the product of two",
    "log": "ad.log(x) / ad.log(base)",
}  # fmt: skip
FOR_NUMBERS = SECOND | {"concatenate": "ad.array([x, y])"}  # which have no axes


def read_arguments(op: Any, args: tuple, static: dict[str, Any]) -> tuple[tuple, dict[str, Any]]:
    """What an operation's `reads` makes of them. Raises TypeError for unknown ones."""
    try:
        return op.reads(*args, **static)
    except TypeError:
        known = inspect.signature(op.reads).parameters
        unknown = sorted(static.keys() - known.keys())
        if unknown and not any(p.kind is p.VAR_KEYWORD for p in known.values()):
            raise TypeError(f"{op.name} has no parameter {', '.join(unknown)}; what it takes is "
                            f"{', '.join(known)}") from None  # fmt: skip
        raise


def signature_of(thing: Any) -> str:
    try:
        return str(inspect.signature(thing))
    except (TypeError, ValueError):
        return "(...)"


class Op:
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
    operand_labels: Sequence[str] = ()  # what is written on the edges from the operands
    drawn: int | None = None  # how many operands are drawn, where the others are only lengths
    latex = ""  # the name of a function, or a formula with #1 #2 for the operands
    written = ""  # how it is written, with {0} {1} for operands, if not as a function
    arity: int | None = 1  # how many operands `perform` takes; None: any number
    parameters: Mapping[str, Any] = {}  # static parameters and their defaults
    reads: Any = None  # (arguments as NumPy's users write them) -> operands and parameters
    props: tuple[str, ...] | None = None  # operations that agree in these attributes are equal
    targets: Mapping[str, Callable[..., Any]] = {}  # what to run instead of `perform`, by target
    lengths: Sequence[int] = ()  # the operands that tell lengths of the result
    elementwise = False
    commutative = False
    any_integer = False  # may Python's integers be larger than the other operand's dtype holds?
    adopted = 0  # the operand from which on Python's numbers adopt dtypes
    linear: bool | tuple[int, ...] = ()  # the operands in which it is jointly linear
    multilinear = False
    view = False  # may the result share memory with the first input?
    overlaps = False  # may an entry of the first input stand in such a result several times?
    merges = True  # may equal nodes be one, their cotangents added? By default not if it overrides
    body: Any = None  # the graph inside, where the operation is made of one
    gate = False  # does it change cotangents, but not tangents?
    nondifferentiable = ""  # why no derivative passes through, where none does
    reasons: Mapping[int, str] = {}  # the same for single operands
    cost: Any = None  # additions an entry if elementwise, else a function of shapes (ops/cost.py)
    facts: Mapping[str, str] = {}  # what holds of its value for real numbers, and when
    exact_facts: Mapping[str, str] | str = {}  # and of what is computed, nan and inf included
    exact_zeros = False  # are the zeros in its value exact, as those of differentiation?
    picks = False  # is each entry of the result one of an operand's?
    free = False  # bookkeeping, which counts as no operation
    overrides = False  # is its derivative another than that of its value, on purpose?
    takes_none = False  # are its rules given None, and not a zero, for what does not change?

    infer_type: Callable[..., TensorType | TupleType] = hooked("no_infer_type")
    perform: Callable[..., Any] = hooked("no_perform")
    pullback: Callable[..., Sequence[Expr | None]] = hooked("no_pullback")
    pushforward: Callable[..., Sequence[Expr | None]] = hooked("two_pullbacks")
    check: Checks[Report] = hooked("check_op")
    explain: Explains = hooked("explain")

    def __init__(self, *operands: Any):
        if operands:
            raise TypeError(f"{self.name}() makes the operation, and its call a node: write "
                            f"{self.name}()(x), not {self.name}(x)")  # fmt: skip

    def __init_subclass__(cls, **options: Any) -> None:
        """What a class does not state follows from its name and from the signature of perform."""
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
            cls.__eq__, cls.__hash__ = alike, hash_of_props  # type: ignore[method-assign, assignment]

    def with_lengths(self, lengths: Sequence[Any]) -> "Op":
        """The operation once the operands at `self.lengths` are known: its types may say more.

        Parameters
        ----------
        lengths : sequence of int or None
            Their values, None where one is not known.

        Returns
        -------
        Op
            By default the operation itself; a loop knows then how many steps it takes.

        Examples
        --------
        >>> ad.exp.with_lengths([]) is ad.exp
        True
        """
        return self

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
            args, static = read_arguments(self, args, static)
        if len(args) != self.arity and self.arity is not None:
            args, static = self.bind(args, static)
        for a in args:
            if not isinstance(a, Expr):
                args = operands(args, self.name, self.any_integer, self.adopted)
                break
        n: Any = self.apply(
            args, self.normalize_static(args, static) if self.parameters or static else ()
        )
        return HOOKS["results"](n) if type(n.type) is TupleType else n

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
            instead = f"{self.name}{signature_of(self)}"
            instead = SECOND.get(self.name, instead) if len(args) > n else instead
            raise TypeError(
                f"{self.name} takes {n} operands, {len(args)} were given: write {instead}"
            )
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
            refuse_options(self.name, static)
            unknown = sorted(static.keys() - self.parameters.keys())
            raise TypeError(f"{self.name} has no parameter {', '.join(unknown)}")
        full, types = {**self.parameters, **static}, [*map(TYPE, inputs)]
        if UNTYPED in types:  # a pattern, which says what it leaves unsaid
            return tuple((k, v) for k, v in full.items() if v is not UNSTATED)
        for k, v in static.items():
            if isinstance(v, Expr):
                instead = SECOND.get(self.name, "")
                raise TypeError(f"{self.name} needs {k} to be known now, not as the expression {v}"
                                f"{instead and f': write {instead}'}")  # fmt: skip
        if not static.keys() >= self._needed:
            needed = [k for k, v in full.items() if v is UNSTATED]
            raise TypeError(f"{self.name} needs a value for {', '.join(needed)}")
        try:
            chosen = tuple(self.normal(types, **full).items())
            hash(chosen)  # nodes are compared by them
            return chosen
        except MISUSE as error:
            numbers = not any(i.ndim for i in inputs) and FOR_NUMBERS.get(self.name)
            instead = f"{error}: write {numbers}" if numbers else str(error)
            raise misfit(self.word, inputs, again(error, instead)) from None

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

    def cores(self, ndims: Sequence[int]) -> Sequence[int] | None:
        """How many last axes of each operand, and of the result, do not broadcast.

        Parameters
        ----------
        ndims : list of int
            How many axes each operand has.

        Returns
        -------
        list of int or None
            None where nothing broadcasts.
        """
        return [0] * (len(ndims) + 1) if self.elementwise else None

    def type_of(self, inputs: Exprs, types: tuple[TensorType, ...], static: Static) -> Any:
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
            found = self.infer_type(*types, **dict(static))
        except MISUSE as error:
            raise misfit(self.word, inputs, error) from None
        if isinstance(found, (TensorType, TupleType)):
            return found
        raise HOOKS["wrong_type"](self, found)

    @property
    def word(self) -> str:
        """The name by which users know the operation: solve, for what we call solve_columns."""
        word = self.label.isascii() and self.label.isidentifier()
        return shorten(visible(self.label if word and not hasattr(np, self.name) else self.name))

    def write(self, parts: Sequence[str]) -> str:
        """How it is written with these operands, if not as a function.

        `written` is a template of ours, and no name of a user's is ever part of it.

        Parameters
        ----------
        parts : list of str
            The operands, as they are written.

        Returns
        -------
        str
            The formula.
        """
        return self.written.format(*parts)

    def __repr__(self) -> str:
        return self.name

    def __copy__(self) -> "Op":
        return self

    def __deepcopy__(self, memo: dict) -> "Op":
        return self
