"""Rules in a row: a table that can be read, chosen from, and added to.

simplify(y, rules=RULES + mine)             every rule and one more
simplify(y, rules=RULES - "over itself")    all but one
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, SupportsIndex, overload

from ...core import rule
from ...core.pattern import signature
from ...core.rule import MODES, Rewrite, Rule, RuleSet, RulesOfGraph
from ...expr import Expr, Graph, give, hooked, is_function, mimebundle, shown, tabled
from .as_python import Matcher
from .validate import PHASES, Listed, check_example, check_rules, one_of, several

if TYPE_CHECKING:
    from ...core.protocols import Tables


class Rules(tuple[Rewrite, ...]):
    """Rules in the order in which they are tried; `rules["times one"]` is one of them by name.

    Parameters
    ----------
    rules : Rule or iterable of Rule, default: ()
        One rule or several.

    Examples
    --------
    >>> ad.RULES["times one"]
    times one: x * 1 → x  [ieee]
    >>> ad.RULES["times one"] in ad.RULES - "times one"
    False
    """

    def __new__(cls, rules: Any = ()) -> "Rules":
        """One rule or several. Raises TypeError for what is none."""
        return super().__new__(cls, check_rules(several(rules), Rewrite))

    def named(self, name: str) -> Rewrite:
        """The rule of this name.

        Parameters
        ----------
        name : str
            A name.

        Returns
        -------
        Rule
            The rule.

        Raises
        ------
        KeyError
            If no rule has this name.

        Examples
        --------
        >>> ad.RULES.named("times one")
        times one: x * 1 → x  [ieee]
        """
        return self[self.names.index(one_of("no rule is called ", name, self.names, KeyError))]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the rules, in their order."""
        return tuple(rule.name for rule in self)

    def select(self, phase: str | None = None, mode: str | None = None) -> "Rules":
        """The rules of this phase, or that begin in this mode, or both.

        Parameters
        ----------
        phase : str, optional
            A phase of simplification.
        mode : {'ieee', 'safe', 'real'}, optional
            The first mode in which a rule may be used.

        Returns
        -------
        Rules
            Those rules.

        Examples
        --------
        >>> {rule.mode for rule in ad.RULES.select(mode="ieee")}
        {'ieee'}
        """
        one_of("there is no phase ", phase, (None, *PHASES))
        one_of("there is no mode ", mode, (None, *MODES))
        return Rules(
            rule for rule in self
            if phase in (None, rule.phase) and mode in (None, rule.mode)
        )  # fmt: skip

    def matcher(self, node: Any, mode: str = "safe") -> Matcher:
        """The rules that may match a node, as one Python function that can be printed and called.

        Parameters
        ----------
        node : Expr
            Where the rules are tried.
        mode : {'ieee', 'safe', 'real'}, default: 'safe'
            That of the simplification.

        Returns
        -------
        Matcher
            Its text has the tests of each rule, in the order in which the rules are tried.

        Raises
        ------
        TypeError
            If this is not an operation.

        Examples
        --------
        >>> x = ad.scalar("x")
        >>> print(ad.RULES.matcher(ad.log(ad.exp(x))))
        def match_log(n, graph):
            a, = n.inputs
            # log of exp: log(exp(x)) → x  [safe]
            yield log_of_exp, {'x': a.inputs[0]}
        """
        if not isinstance(node, Expr) or node.op is None:
            raise TypeError(
                f"rules match operations, as in ad.RULES.matcher(x + x), not {shown(node)}"
            )
        one_of("there is no mode ", mode, MODES)
        here = RulesOfGraph(RuleSet(self, mode), {n.op for n in Graph(node).order})
        return Matcher(node, here.about(node).every)

    @overload
    def __getitem__(self, which: SupportsIndex | str) -> Rewrite: ...
    @overload
    def __getitem__(self, which: slice) -> "Rules": ...
    def __getitem__(self, which: Any) -> Any:
        if isinstance(which, str):
            return self.named(which)
        found = super().__getitem__(which)
        return Rules(found) if isinstance(which, slice) else found

    def __add__(self, more: Any) -> "Rules":
        """These rules and another, or several others."""
        return Rules((*self, *Rules(more)))

    def __radd__(self, first: Iterable[Rewrite]) -> "Rules":
        return Rules(first) + self

    def __sub__(self, names: Any) -> "Rules":
        """These rules without one, or several, or those of these names. Raises KeyError for a name
        not among them."""
        less = {self.named(getattr(n, "name", n)) for n in several(names)}
        return Rules(rule for rule in self if rule not in less)

    def __contains__(self, rule: object) -> bool:
        """Is it among these, or one of its name?"""
        return rule in self.names if isinstance(rule, str) else super().__contains__(rule)

    table: "Tables" = hooked("table")

    def __repr__(self) -> str:
        return "\n".join([f"{len(self)} rules", *map(repr, self)])

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return self.table()._repr_mimebundle_()


def table(mode: str, *rows: tuple, **common: Any) -> list[Any]:
    """Rules from rows (name, left, right) or (name, left, right, caveat) that share the rest; what
    follows the caveat is what the rule needs."""
    common = {"decreases": None if common.get("phase") == "stabilise" else "nodes"} | common
    rules = []
    for name, left, right, *rest in rows:
        caveat, *needs = rest or ("",)
        given = {"needs": needs} | common if needs else common
        rules.append(Listed(name, left, right, mode, caveat=caveat, **given))
    return rules


def give_examples(rules: Iterable[Rewrite], find: Callable[[Rewrite], Expr | None]) -> None:
    """Rules that state no example have the one that is found for them, when it is asked for."""
    for one in rules:
        one._find_example = find  # type: ignore[attr-defined]


# ---- what rules have beside that which the rewriter reads


def example_of(rule: Any) -> Any:
    """An expression to which it applies, where that cannot be told from the rule itself."""
    given = rule._example
    if given is None and rule._find_example is not None:
        return rule._find_example(rule)
    return check_example(rule.name, given()) if is_function(given) else given


def state_example(rule: Any, given: Any) -> None:
    rule._example = given


def stored(rule: Any) -> dict[str, Any]:
    """Functions that were made of the patterns are made again."""
    return {k: v for k, v in vars(rule).items() if k not in ("_builds", "matchers")}


def named(rules: RuleSet, name: str) -> Any:
    """The rule of a step."""
    return next((rule for rule in rules.rules[::-1] if rule.name == name), None)


def candidates(rules: RuleSet, n: Expr) -> list[Any]:
    """The rules that may match n."""
    return rules.of_signature(signature(n))


def stored_set(rules: RuleSet) -> tuple[Any, tuple]:
    """Stored without rules, which hold functions."""
    return RuleSet, ((), rules.mode, rules.final)


give(Rewrite, **tabled(hooked, "draw latex", check="check_rule"), _repr_mimebundle_=mimebundle)
give(Rewrite, example=property(example_of, state_example), _example=None, _find_example=None)
give(Rule, __getstate__=stored)
give(RuleSet, named=named, candidates=candidates, __reduce__=stored_set)
give(rule, Listed=Listed)  # where rules that were stored before look for it
