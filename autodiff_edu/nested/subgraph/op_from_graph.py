"""A box: an operation made from a graph, whose derivative may be overridden.

Without overrides its derivatives are those of its body, as boxes of their own or, if `inline`, as
plain expressions. Letters: y an output, ct a cotangent, t a tangent.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ...expr import (
    Expr,
    Graph,
    Input,
    TensorType,
    TupleType,
    cached_property,
    infer,
    operands,
    postorder,
    results,
)
from ...ops import PULLBACK, PUSHFORWARD, Loop, accepted, all_batched, zero
from .base import Nested, built_like
from .body import Slots, body_of, cast, closure_convert, free, outputs_at, types_met
from .derivatives import defined, pulled, pushed, transposed
from .linearised import Linearised, as_expressions, in_symbols
from .overrides import connected, normalize_override, overridden, passing


class OpFromGraph(Nested):
    """The operation that computes `outputs` from `inputs`, for any operands of their types.

    Parameters
    ----------
    inputs : list of Expr
        The inputs of the body.
    outputs : Expr or list of Expr
        What it computes.
    inline : bool, default: False
        Open the box in programs, and write its derivatives as plain expressions.
    pullback : callable, OpFromGraph or list, optional
        What to use instead of the derivative: (inputs, outputs, cotangents) -> a cotangent
        for each input; or an OpFromGraph of the same; or a list with one of these, None
        (the derivative itself), a Null or a Disconnected for each input.
    pushforward : callable, OpFromGraph or list, optional
        Likewise (inputs, outputs, tangents) -> the tangent of each output; by default what
        follows from the pullback.
    connection_pattern : list of list of bool, optional
        Whether a derivative passes from input i to output k.
    name : str, optional
        How the box is called.
    **unknown : object
        Nothing: Theano's updates and givens belong to `ad.function`.

    Raises
    ------
    MissingInputError
        If the outputs need more than the inputs, shared values included.
    ValueError
        If an input is listed twice.

    See Also
    --------
    checkpoint : A box whose intermediate results are not kept.

    Examples
    --------
    >>> x, y = ad.scalar("x"), ad.scalar("y")
    >>> square_sum = ad.OpFromGraph([x, y], x * x + y * y, name="square_sum")
    >>> ad.evaluate(square_sum(3.0, 4.0))
    np.float64(25.0)
    """

    def __init__(
        self,
        inputs: Sequence[Expr],
        outputs: Expr | Sequence[Expr],
        *,
        inline: bool = False,
        pullback: Any = None,
        pushforward: Any = None,
        connection_pattern: Sequence[Sequence[bool]] | None = None,
        name: str | None = None,
        **unknown: Any,
    ):
        super().__init__()
        check_options(unknown)
        self.body = body_of(inputs, outputs)
        self.inline, self.arity = inline, len(self.body.inputs)
        self.name = self.label = name or self.body.outputs[0].name or "box"
        ends = self.name, self.arity, len(self.body.outputs)
        self.rules = (
            normalize_override(pullback, PULLBACK, *ends),
            normalize_override(pushforward, PUSHFORWARD, *ends),
        )
        self.pattern = None if connection_pattern is None else passing(connection_pattern, *ends)
        self.overrides = self.rules != (None, None)

    @cached_property
    def key(self) -> tuple:  # type: ignore[override]
        """What equal boxes have in common."""
        return (self.name, self.inline, self.rules, self.pattern, built_like(self.body))

    def changed(self, body: Graph, *rules: Any) -> "OpFromGraph":
        """The same box around another body.

        Parameters
        ----------
        body : Graph
            What it computes.
        *rules : object
            Its pullback and its pushforward, if these change too.

        Returns
        -------
        OpFromGraph
            The new box.
        """
        pullback, pushforward = rules or self.rules
        how: dict[str, Any] = {"pullback": pullback, "pushforward": pushforward}
        how |= {"connection_pattern": self.pattern, "inline": self.inline, "name": self.name}
        return OpFromGraph(body.inputs, body.outputs, **how)

    # ---- values

    @property
    def lengths(self) -> tuple[int, ...]:
        """The operands that are lengths inside."""
        return self.decides

    def with_lengths(self, lengths: Sequence[Any]) -> "OpFromGraph":
        """The box whose operands that are lengths inside have these values.

        Parameters
        ----------
        lengths : sequence of int or None
            The values, None where one is not known.

        Returns
        -------
        OpFromGraph
            A box for types alone.
        """
        if all(v is None for v in lengths):
            return self
        told = self.changed(self.body)
        pairs = zip(self.decides, lengths, strict=True)
        told.numbers = {told.body.inputs[k]: v for k, v in pairs if v is not None}
        return told

    def __call__(self, *args: Any, **static: Any) -> Any:
        if len(args) == self.arity:
            pairs = zip(operands(args, self.name), self.body.inputs, strict=True)
            args = tuple([cast(x, i) for x, i in pairs])
        return super().__call__(*args, **static)

    def infer_type(self, *types: TensorType) -> TensorType | TupleType:
        """The types of the outputs for operands of these types.

        Parameters
        ----------
        *types : TensorType
            Those of the operands.

        Returns
        -------
        TensorType or TupleType
            Of one output, or of several.
        """
        given = types_met(self.body, types)
        told = self.numbers or any(i.type is not t for i, t in given.items())
        known = infer(self.body, given, self.numbers) if told else {}
        found = [known.get(y, y.type) for y in self.body.outputs]
        return found[0] if len(found) == 1 else TupleType(found)

    def perform(self, *values: Any) -> Any:
        """The outputs' values, by the interpreter.

        Parameters
        ----------
        *values : array
            Those of the operands.

        Returns
        -------
        array or tuple of array
            One, or several.
        """
        found = tuple(outputs_at(self.body, values))
        return found[0] if len(found) == 1 else found

    def lowered(self, compile: Callable[[Graph, str], Any], wanted: Any) -> Any:
        """The function that computes the box: the program of its body.

        Parameters
        ----------
        compile : callable
            (graph, name) -> its program.
        wanted : object
            Which outputs are used.

        Returns
        -------
        callable
            A function of arrays.
        """
        return compile(self.body, self.name)

    def batch(self, inputs: Sequence[Expr], flags: Sequence[bool]) -> Expr:
        """The box around the batched body; its overrides are batched when they are asked.

        Parameters
        ----------
        inputs : list of Expr
            The operands.
        flags : list of bool
            Which have a leading axis.

        Returns
        -------
        Expr
            The node.
        """
        rows = zip(self.body.inputs, inputs, flags, strict=True)
        longer: dict[Expr, Expr] = {i: Input(i.name or "x", x.type) for i, x, f in rows if f}
        n = next(iter(longer.values())).shape[0]
        outputs = all_batched(self.body.outputs, longer, n)
        body = Graph(outputs, [longer.get(i, i) for i in self.body.inputs])  # type: ignore[misc]
        each = Loop(self, (), tuple(flags))
        batches = zip(self.rules, (each.pullback, each.pushforward), strict=True)
        rules = [None if rule is None else of_each for rule, of_each in batches]
        return self.changed(body, *rules).apply(tuple(inputs))

    # ---- derivatives

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
        return tuple(k for k, row in enumerate(self.connection_pattern) if any(row))

    @cached_property
    def connection_pattern(self) -> list[list[bool]]:
        """Does a derivative pass from input i to output k? A list of lists of truth values."""
        if self.pattern is not None:
            return [list(row) for row in self.pattern]
        linear = Linearised(self.body, self.body.inputs)
        reached = [linear.pullback([(y, zero(y))]) for y in self.body.outputs]
        own = [[i in adjoint for adjoint in reached] for i in self.body.inputs]
        return connected(own, *self.rules)

    @cached_property
    def merges(self) -> bool:  # type: ignore[override]
        """May equal boxes be one? Not where they have a rule of their own, here or inside."""
        return not self.overrides and super().merges

    @cached_property
    def gate(self) -> bool:
        """Are cotangents changed, here or inside, and tangents not?"""
        return self.rules[0] is not None is self.rules[1] or super().gate

    def pullback(self, inputs: Any, outputs: Any, cotangents: Slots, **_: Any) -> list:
        """The cotangents of the operands, by the override or by the body.

        Parameters
        ----------
        inputs : list of Expr
            The operands.
        outputs : list of Expr
            The results.
        cotangents : list of Expr
            Those of the results.
        **_ : object
            Nothing.

        Returns
        -------
        list of Expr
            One for each operand.
        """
        rule = self.rules[0]
        found = overridden(rule, inputs, outputs, cotangents, outputs, self.own_pullback)
        if rule is None and self.pattern is None:
            return found
        arrived = [k for k, ct in enumerate(cotangents) if ct is not None]
        found = accepted(found, inputs, PULLBACK, self.name, outputs[0])
        return [ct if any(row[k] for k in arrived) else None
                for ct, row in zip(found, self.connection_pattern, strict=True)]  # fmt: skip

    def pushforward(self, inputs: Any, outputs: Any, tangents: Slots, **_: Any) -> list[Expr]:
        """The tangents of the results, by the override or by the body.

        Parameters
        ----------
        inputs : list of Expr
            The operands.
        outputs : list of Expr
            The results.
        tangents : list of Expr
            Those of the operands.
        **_ : object
            Nothing.

        Returns
        -------
        list of Expr
            One for each result.
        """
        own = self.own_pushforward
        found = overridden(self.rules[1], inputs, outputs, tangents, inputs, own)
        found = accepted(found, outputs, PUSHFORWARD, self.name, outputs[0])
        return [zero(y) if t is None else defined(self.name, t)
                for y, t in zip(outputs, found, strict=True)]  # fmt: skip

    def own_pullback(self, inputs: Any, outputs: Any, cotangents: Slots) -> list[Expr | None]:
        """The derivative of the body, which may use the outputs again.

        Parameters
        ----------
        inputs : list of Expr
            The operands.
        outputs : list of Expr
            The results.
        cotangents : list of Expr
            Those of the results.

        Returns
        -------
        list of Expr
            One for each operand.
        """
        return self.derivative("pullback", partial(pulled, self.body), inputs, outputs, cotangents)

    def own_pushforward(self, inputs: Any, outputs: Any, tangents: Slots) -> list[Expr | None]:
        """What follows from the pullback, or the derivative of the body.

        Parameters
        ----------
        inputs : list of Expr
            The operands.
        outputs : list of Expr
            The results.
        tangents : list of Expr
            Those of the operands.

        Returns
        -------
        list of Expr
            One for each result.
        """
        own = self.rules[0] is None
        grow = partial(pushed, self.body) if own else partial(transposed, self)
        return self.derivative("tangent", grow, inputs, outputs, tangents)

    def derivative(
        self, kind: str, grow: Callable[..., Slots], inputs: Any, outputs: Any, changes: Slots
    ) -> list[Expr | None]:
        """What `grow` says in symbols, found once, with these expressions for the symbols.

        Parameters
        ----------
        kind : str
            How the box of the derivative is called.
        grow : callable
            What builds the derivative from symbols for the results and for the changes.
        inputs : list of Expr
            The operands.
        outputs : list of Expr
            The results.
        changes : list of Expr
            Cotangents or tangents.

        Returns
        -------
        list of Expr
            What `grow` gives, for these expressions.
        """
        body = self.body

        def rule(moving: Slots) -> tuple[Slots, Sequence[Expr]]:
            ys = [Input(y.name or f"y{k}", y.type) for k, y in enumerate(body.outputs)]
            return grow(ys, moving), [*body.inputs, *ys]

        ends = body.outputs if kind == "pullback" else body.inputs
        close = as_expressions if self.inline else partial(boxed, f"{kind} of {self.name}")
        values = [*inputs, *outputs]
        return in_symbols(self, kind, rule, ends, values, changes, close=close)


def boxed(name: str, roots: Sequence[Expr], symbols: Sequence[Any]) -> Callable[[Any], Any]:
    """Operands to the results of a box, which takes the symbols that the roots need, and what
    overrides within have taken from outside."""
    if not roots:
        return lambda operands: ()
    outer = free(roots, symbols)
    shut, inner = closure_convert(roots, outer)
    needed = set(postorder(shut))
    places = [k for k, s in enumerate(symbols) if s in needed]
    box = OpFromGraph([*[symbols[k] for k in places], *inner], shut, name=name)
    return lambda operands: results(box.apply((*[operands[k] for k in places], *outer)))


def check_options(unknown: dict[str, Any]) -> None:
    if unknown.keys() & {"updates", "givens"}:
        raise NotImplementedError(
            "an operation has no state: give updates and givens to ad.function"
        )
    if unknown:
        raise TypeError(f"OpFromGraph takes no {', '.join(unknown)}")
