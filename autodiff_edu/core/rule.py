"""A rule: an equation between two expressions with wildcards, and when it may be used.

    Rule("over itself", x / x, 1, mode="real", needs=x != 0, caveat="0/0 is nan, this says 1")

Modes, from strict to free: `ieee` changes nothing but the sign of a zero; `safe` changes a finite
value only by rounding, and may turn an inf or nan that overflow made into the true value (a new
product has exponents between those of old ones, see `rewrite/algebra/law.py`); `real`
takes all numbers to be finite and all arguments to lie in their domains. A rule of mode real whose
conditions are stated in `needs` is used in safe mode too, wherever they are proved. From its own
mode on, a rule takes them for granted.

Which rules may match a node is told by its signature: its operation, whether its two operands are
one, and the heads of these. Most nodes have a signature that was met before, and so cost one look
into a dict.
"""

from collections.abc import Callable, Iterable, Iterator, Set
from functools import cache
from typing import Any, NamedTuple

from . import pattern
from .graph import postorder
from .node import Expr
from .pattern import Bindings, builder, heads_of, instantiate, matcher, names_in, turns, variants
from .seams import HOOKS, OfRule, OfRules, cached_property

MODES = ("ieee", "safe", "real")
POLICY = {"unstable": "", "cost": "cheaper", "nodes": "cheaper", "order": "no_worse"}


class Rewrite(OfRule):
    """The statement that a rule makes of itself: an equation, or a function that collects terms.

    mode     the first mode in which it may be used
    caveat   what may change, as a counterexample in words
    phase    when it is used: "canonicalise" from the beginning, "factor" and "stabilise" when that
             is done; a rule that stabilises may add operations
    decreases  the component of the measure that each use of it decreases: see `MEASURE` in
             `rewrite/engine/validate.py`
    example  an expression to which it applies, where that cannot be told from the rule itself, or
             a function that makes it
    cost_policy  what is asked: "fewer" operations, or as many, whatever they cost; "no_worse", as
             "fewer", and no higher cost; "cheaper", the same with one of both less; "" nothing
    reorders whether it adds or multiplies in another order; in mode safe it is used only where the
             law of products holds, so that nothing on the way overflows where nothing did
    exempt   why the law of products does not concern it, if so: those that stabilise are, too
    final    whether it changes the slope at a kink or a tie, and so may be used only where no
             derivative will be taken any more
    operations  all of these the graph must have; of an equation those on its left side
    functions  one of these the graph must have, if any are named
    obstacle  a method that a class may have: of a node and its graph, a sentence for `why_not` that
             says what keeps the rule from matching there

    Examples
    --------
    >>> ad.RULES["times one"].mode
    'ieee'
    """

    name = caveat = exempt = ""
    mode, phase, decreases = "safe", "canonicalise", "order"
    needs: tuple[Expr, ...] = ()
    example: Any = None
    operations: Set[Any] = frozenset()
    functions: Set[Any] = frozenset()
    cost_policy = "no_worse"
    reorders = final = False
    roots: Any  # the operations that it replaces, and what is seen of each at once: see `forms`

    @property
    def replaces(self) -> tuple:
        """The operations that the rule replaces."""
        return tuple(dict.fromkeys(op for op, *_ in self.roots))

    def forms(self, op: Any) -> list[tuple]:
        """The heads of a node of this operation, and the order of operands in patterns.

        Parameters
        ----------
        op : Op
            One of those that the rule replaces.

        Returns
        -------
        list of tuple
            One for each order of the operands.

        Examples
        --------
        >>> len(ad.RULES["times one"].forms(ad.multiply))
        2
        """
        return [tuple(form) for top, *form in self.roots if top is op]

    def allowed(self, mode: str, final: bool = True) -> bool:
        """May the rule be used in this mode, perhaps after a proof?

        Parameters
        ----------
        mode : {'ieee', 'safe', 'real'}
            That of the simplification.
        final : bool, default: True
            Whether no derivatives will be taken any more.

        Returns
        -------
        bool
            Whether it may.

        Examples
        --------
        >>> rule = ad.RULES["times one"]
        >>> rule.allowed("safe"), rule.allowed("ieee")
        (True, True)
        """
        enough = "safe" if self.mode == "real" and self.needs and self.provable else self.mode
        return MODES.index(enough) <= MODES.index(mode) and (final or not self.final)

    @property
    def provable(self) -> bool:
        """Can what the rule needs be proved of some graph, so that it may be used in mode safe?"""
        return bool(self.needs)

    def concerns(self, operations: Set[Any]) -> bool:
        """Does the rule speak of a graph with these operations?

        Parameters
        ----------
        operations : set of Op
            All that the graph has.

        Returns
        -------
        bool
            False if the rule cannot be used anywhere in it.

        Examples
        --------
        >>> ad.RULES["times one"].concerns({ad.sin})
        False
        """
        some = not self.functions or not self.functions.isdisjoint(operations)
        return some and self.operations <= operations

    def needed(self, bindings: Bindings) -> tuple[Expr, ...]:
        """The conditions under which both sides agree, for what the wildcards are bound to.

        Parameters
        ----------
        bindings : dict
            What the wildcards stand for.

        Returns
        -------
        tuple of Expr
            The conditions.

        Examples
        --------
        >>> x = ad.scalar("x")
        >>> rule = ad.RULES["over itself"]
        >>> rule.needed({rule.left.inputs[0].name: x})
        (x != 0,)
        """
        return tuple([instantiate(condition, bindings) for condition in self.needs])

    def breaks_law(self, n: Expr, new: Expr, mode: str) -> bool:
        """Is the law of products against it that n becomes this?

        Parameters
        ----------
        n, new : Expr
            The node, and what the rule has made for its place.
        mode : {'ieee', 'safe', 'real'}
            That of the simplification: the law is one of mode safe.

        Returns
        -------
        bool
            Whether a new intermediate result might overflow where nothing did.

        Examples
        --------
        >>> x, y = ad.scalar("x"), ad.scalar("y")
        >>> rule = ad.RULES["collect powers"]
        >>> rule.breaks_law(x * y * x, x**2 * y, "safe")
        True
        """
        if mode != "safe" or not self.reorders or self.exempt or self.phase == "stabilise":
            return False
        return not HOOKS["obeys"](n, new)

    def __repr__(self) -> str:
        return f"{HOOKS['visible'](self.name)}  [{self.mode}]"


class Rule(Rewrite):
    """A rewrite rule: `left` may be replaced by `right` wherever `mode` allows and `when` holds.

    `variants` are the ways to write the left side where operands may change places, and `matchers`
    the tests of each. `roots` is what is seen at once of each order of its operands. `operations`
    are all on the left side, `facts` what the conditions in `needs` say, and `provable` whether
    there is a graph of which they can be proved. They are made when they are first asked for.

    Parameters
    ----------
    name : str
        How it is called.
    left : Expr
        A pattern of wildcards.
    right : Expr or callable
        An expression in the wildcards of left, or a function of them (its parameters are
        named like them; one called `node` receives the node itself) that returns one or
        None.
    mode : {'ieee', 'safe', 'real'}, default: 'safe'
        The first mode in which it may be used.
    when : callable, optional
        A function of the wildcards; the rule is not used where it is false.
    needs : Expr or list of Expr, default: ()
        Conditions on the wildcards: x != 0, x > 0, x >= 0, isfinite(x). From its own mode on
        the rule takes them for granted; one of mode real is used in mode safe where they are
        proved.
    caveat : str, default: ''
        What may change, as a counterexample in words.
    phase : {'canonicalise', 'factor', 'stabilise'}, default: 'canonicalise'
        The part of simplification to which it belongs.
    decreases : str, optional
        The component of the measure that each use of it makes smaller: 'unstable', 'cost',
        'nodes' or 'order'. It says what is asked of the operations, too, where `cost_policy` is
        not stated: of 'cost' and 'nodes' that they are cheaper, of 'order' that they are no worse.
    example : Expr or callable, optional
        To what it applies, where that cannot be told from the rule itself; or a function that
        makes it when it is asked for.
    cost_policy : {'', 'fewer', 'no_worse', 'cheaper'}, optional
        What is asked of the operations: nothing; that they are not more; that they are not more
        and cost no more; that one of both is less.
    reorders : bool, default: False
        Whether it adds or multiplies in another order: in mode safe it is used only where
        nothing on the way may overflow, or underflow, where nothing did before.
    commute : bool, default: True
        Whether operands of sums and products may stand in either order.
    any_dtype : bool, default: False
        Whether it holds for integers, which wrap, and for mixed dtypes too.
    final : bool, default: False
        Whether it changes the slope at a kink or a tie, and so may be used only where no
        derivative will be taken any more.

    See Also
    --------
    simplify : What uses rules.

    Examples
    --------
    >>> x = ad.wild("x")
    >>> rule = ad.Rule("log of exp", ad.log(ad.exp(x)), x)
    >>> rule
    log of exp: log(exp(x)) → x  [safe]
    >>> y = ad.scalar("y")
    >>> ad.simplify(ad.log(ad.exp(y)), rules=[rule]).output
    y
    """

    def __init__(
        self,
        name: str,
        left: Expr,
        right: Any,
        mode: str = "safe",
        when: Callable[..., bool] | None = None,
        needs: Any = (),
        caveat: str = "",
        phase: str = "canonicalise",
        decreases: str | None = None,
        example: Expr | Callable[[], Expr] | None = None,
        cost_policy: str | None = None,
        reorders: bool = False,
        commute: bool = True,
        any_dtype: bool = False,
        final: bool = False,
    ):
        decreases = decreases or ("unstable" if phase == "stabilise" else "order")
        self.name, self.left, self.right, self.mode = name, left, right, mode
        self.when, self.caveat, self.phase, self.decreases = when, caveat, phase, decreases
        self.needs, self.example = HOOKS["several"](needs), example
        self.cost_policy = POLICY.get(decreases, "") if cost_policy is None else cost_policy
        self.any_dtype, self.reorders, self.final = any_dtype, reorders, final
        self.commute = commute
        HOOKS["check_new"](self, example)

    @cached_property
    def _apart(self) -> Set[str]:
        """The wildcards that are more than any operand: they stand in several places, or a function
        reads them."""
        read = self.when is not None or (self._builds is None and callable(self.right))
        return names_in(self.left, 1 if read else 2)

    @cached_property
    def variants(self) -> list[Expr]:
        """The ways to write the left side where operands may change places."""
        return variants(self.left, self._apart) if self.commute else [self.left]

    @property
    def roots(self) -> list[tuple]:
        """For each order of the operands: its operation, what is seen at once, and the order."""
        orders = [heads_of(self.left)]
        if self.commute and turns(self.left, self._apart):
            orders.append(orders[0]._replace(heads=orders[0].heads[::-1]))
        return [(self.left.op, heads, order) for order, heads in enumerate(orders)]

    @cached_property
    def matchers(self) -> list[Any]:
        """For each variant, a function that tests a node against the whole of it."""
        return [matcher(variant) for variant in self.variants]

    @cached_property
    def facts(self) -> list[Any]:
        """The conditions in `needs`, as facts that can be proved."""
        return [HOOKS["parse_fact"](condition) for condition in self.needs]

    @cached_property
    def provable(self) -> bool:
        """Is there a way to prove all that the rule needs? Of floats: all of integers is finite."""
        ways = [says and (self.any_dtype or HOOKS["can_follow"](*says)) for says in self.facts]
        return bool(ways) and all(ways)

    @cached_property
    def operations(self) -> Set[Any]:  # type: ignore[override]
        """All that are on the left side."""
        return {n.op for n in postorder([self.left])} - {None}

    @cached_property
    def _builds(self) -> Callable[[Bindings], Any] | None:
        """The right side as a function of the bindings, where it is an expression."""
        return builder(self.right) if isinstance(self.right, Expr) else None

    def matches(self, node: Expr, context: Any) -> Iterator[Bindings]:
        """The bindings of each way in which the left side matches and the conditions hold.

        Parameters
        ----------
        node : Expr
            Where the rule is tried.
        context : Rewriter
            The rewriter, or what stands for it, which a rule may ask of the graph.

        Yields
        ------
        dict
            What the wildcards stand for.
        """
        for match in self.matchers:
            bindings: Bindings = {}
            if match(node, bindings) and self.holds(bindings, node, context.mode):
                yield bindings

    def holds(self, bindings: Bindings, node: Expr, mode: str) -> bool:
        """Do the conditions of the rule hold for this match?

        Parameters
        ----------
        bindings : dict
            What the wildcards stand for.
        node : Expr
            What matched.
        mode : {'ieee', 'safe', 'real'}
            That of the simplification.

        Returns
        -------
        bool
            Whether the rule may be used.
        """
        if not (self.any_dtype or one_float(bindings, node)):
            return False
        if self.when is not None and not self.meets(bindings, node):
            return False
        allowed = MODES.index(self.mode) <= MODES.index(mode)
        return allowed or self.proved(bindings)

    def meets(self, bindings: Bindings, node: Expr) -> bool:
        """Is its `when` true of this match? An error of it names the rule.

        Parameters
        ----------
        bindings : dict
            What the wildcards stand for.
        node : Expr
            What matched.

        Returns
        -------
        bool
            Whether it is.

        Examples
        --------
        >>> x, u = ad.vector("x"), ad.wild("u")
        >>> rule = ad.Rule("of numbers", u + u, 2 * u, when=lambda u: u.ndim == 0)
        >>> rule.meets({"u": x}, x + x)
        False
        """

        def says() -> bool:
            answer = caller(self.when)(bindings, node)
            return answer if answer.__class__ is bool else HOOKS["as_bool"](answer)

        return of_user(self, "condition `when`", node, says)

    def proved(self, bindings: Bindings) -> bool:
        """Does all that the rule needs follow from the graph and from what is declared?

        Parameters
        ----------
        bindings : dict
            What the wildcards stand for.

        Returns
        -------
        bool
            Whether there is a proof.
        """
        return all(
            says and HOOKS["is_provable"](says[0], instantiate(says[1], bindings))
            for says in self.facts
        )

    def build(self, bindings: Bindings, node: Expr) -> Any:
        """The right side for this match.

        Parameters
        ----------
        bindings : dict
            What the wildcards stand for.
        node : Expr
            What matched.

        Returns
        -------
        Expr or None
            None where the rule has nothing to say.
        """
        if self._builds is not None:
            return self._builds(bindings)
        return caller(self.right)(bindings, node) if callable(self.right) else self.right

    def __repr__(self) -> str:
        right = self.right if isinstance(self.right, (Expr, int, float)) else "…"
        return f"{HOOKS['visible'](self.name)}: {self.left} → {right}  [{self.mode}]"


def apply_rule(rule: Any, bindings: Bindings, node: Expr) -> Expr | None:
    """The expression that a rule makes of a node, of its type."""
    return of_user(rule, "right side", node, lambda: typed(rule.build(bindings, node), node))


def typed(result: Any, node: Expr) -> Expr | None:
    fits = isinstance(result, Expr) and result.type is node.type
    return result if fits else HOOKS["restored"](result, node)


def of_user(rule: Any, part: str, node: Expr, act: Callable[[], Any]) -> Any:
    """The result of a function of a rule. An error of it names the rule, but for large numbers."""
    try:
        return act()
    except ArithmeticError:
        raise
    except Exception as error:
        raise HOOKS["of_rule"](error, part, rule, node) from error


def one_float(bindings: Bindings, node: Expr) -> bool:
    """Are the node and all that was matched of one floating point dtype?"""
    types = {e.type for e in bindings.values() if isinstance(e, Expr)}
    same = types <= {node.type} or {t.dtype for t in types} == {node.type.dtype}
    return node.type.is_float and same


@cache
def caller(function: Any) -> Callable[[Bindings, Expr], Any]:
    """A call of a function with those wildcards that its parameters name."""
    names = HOOKS["parameters"](function)
    if "node" in names:
        return lambda b, node: function(*map((b | {"node": node}).__getitem__, names))
    return lambda bindings, node: function(*map(bindings.__getitem__, names))


# ---- which rules may match a node: one table for all graphs


LATE = ("factor", "stabilise")  # phases after the first round: they see what it has left


class Candidates(NamedTuple):
    """Rules that may match a node, in the order of their table: those of the first phase, those of
    the late ones, and all."""

    early: list[Any]
    late: list[Any]
    every: list[Any]


class RuleSet(OfRules):
    """The rules that a mode allows, by the operations that they replace."""

    def __init__(self, rules: Iterable[Any], mode: str, final: bool = True):
        self.mode, self.final, self.rules = mode, final, tuple(rules)
        self.by_operation: dict[Any, list[Any]] = {}
        for rule in self.rules:
            for op in rule.replaces if rule.allowed(mode, final) else ():
                self.by_operation.setdefault(op, []).append(rule)
        self.forms: dict[Any, list[tuple]] = {}  # of all rules about an operation
        self.by_signature: dict[pattern.Signature, list[Any]] = {}

    def of(self, operations: Iterable[Any]) -> "RuleSet":
        """The rules for a graph with these operations: all of them."""
        return self

    def of_signature(self, s: pattern.Signature) -> list[Any]:
        rules = self.by_signature.get(s)
        if rules is None:
            op, same, heads = s
            if op not in self.forms:
                about = self.by_operation.get(op, ())
                self.forms[op] = [(rule, form) for rule in about for form, *_ in rule.forms(op)]
            may = [rule for rule, form in self.forms[op] if pattern.may_match(form, same, heads)]
            rules = self.by_signature[s] = list(dict.fromkeys(may))
        return rules


class RulesOfGraph:
    """The rules of a table that speak of operations which a graph has. The graph may get more."""

    def __init__(self, table: Any, operations: Iterable[Any]):
        self.table, self.operations = table, set(operations)
        self.rules: RuleSet = table.of(frozenset(self.operations))
        self.by_signature: dict[pattern.Signature, Candidates] = {}

    def admit(self, fresh: Iterable[Expr]) -> None:
        """The graph has these nodes now."""
        operations = {m.op for m in fresh}
        if not self.operations.issuperset(operations):
            self.operations |= operations
            self.rules = self.table.of(frozenset(self.operations))
            self.by_signature = {}

    def about(self, n: Expr) -> Candidates:
        """The rules that may match n."""
        s = pattern.signature(n)
        candidates = self.by_signature.get(s)
        if candidates is None:
            every = [r for r in self.rules.of_signature(s) if r.concerns(self.operations)]
            early = [r for r in every if r.phase not in LATE]
            late = [r for r in every if r.phase in LATE]
            candidates = self.by_signature[s] = Candidates(early, late, every)
        return candidates
