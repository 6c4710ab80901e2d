"""`function`: from inputs and outputs to a Python function, the generated one itself."""

import copy
import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..expr import (
    Constant,
    Expr,
    Graph,
    Input,
    Pipeline,
    Shared,
    Stage,
    as_graph,
    at,
    cached_property,
    check_distinct,
    check_expressions,
    check_has_value,
    check_listed,
    exchanged,
    shown,
)
from ..nested import Nested, release
from ..ops import GATES, matmul
from ..rewrite import FOR_PROGRAMS, numbers_out_of_factors
from ..rewrite import simplify as simplified
from .plan import room_for_speed
from .program import Generated, Program
from .source.text import TAKEN, is_plain

if TYPE_CHECKING:
    from .fast.specialised import Specialised
    from .profile import Profile

Pairs = Mapping[Any, Any] | Iterable[tuple[Any, Any]]
HIDDEN = "args first func general keywords portrait specialisations stated".split()


def function(
    inputs: Expr | Sequence[Expr],
    outputs: Any = (),
    *,
    updates: Pairs = (),
    givens: Pairs = (),
    simplify: str | None = "safe",
    on_unused_input: str = "raise",
    name: str = "program",
    target: str = "numpy",
    check: str | None = None,
) -> "Compiled":
    """A function that computes the outputs from values for the inputs.

    Values are given by position or by name. Results are fresh arrays; a function of single
    numbers gives Python's own floats, like the formula written by hand. Floating point
    warnings are silent.

    Parameters
    ----------
    inputs : Expr or list of Expr
        The leaves that the caller gives.
    outputs : Expr, list of Expr or Graph, default: ()
        One output gives one value, a list gives a list.
    updates : dict or list of tuple, default: ()
        (shared, expression) pairs: after each call every shared value becomes what its
        expression came to. Streams and loops move theirs unless an update or a given does.
    givens : dict or list of tuple, default: ()
        (node, expression) pairs: the expression stands where the node stood.
    simplify : {'ieee', 'safe', 'real', None}, default: 'safe'
        How to simplify the graph first; None runs it as it is.
    on_unused_input : {'raise', 'ignore'}, default: 'raise'
        What to do about an input on which no output depends.
    name : str, default: 'program'
        That of the function, in its source.
    target : {'numpy', 'jax'}, default: 'numpy'
        For what the program is written. A program for JAX is compiled, takes and gives
        JAX's arrays as well, and needs the extra `autodiff-edu[jax]`.
    check : {'nan', None}, default: None
        'nan' stops at the first nan or inf that the inputs did not have, and says where.

    Returns
    -------
    callable
        Its `program` prints as its own text. `source` is a file with all that it calls, and
        `parameters` what that file is to be given. It also carries `stages`, the passes that
        led to it, and `graph`. For JAX, `lowered` is the text that is compiled.

    Raises
    ------
    MissingInputError
        If an input is not listed.
    ValueError
        If an input is listed twice or not used, the name is no identifier, or there is no such
        target or check.
    NotImplementedError
        If an operation has no form for the target.
    ModuleNotFoundError
        If the target's library is not installed.

    See Also
    --------
    evaluate : One value, without a program.
    pipeline : The stages, from formula to program.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> f = ad.function(x, x * x + 1)
    >>> f(3.0)
    10.0
    >>> print(f.program)
    def program(x):
        if type(x) is not float:
            x, = accept(x)
        try:
            v1 = x * x + 1.0
            return v1
        except (ValueError, OverflowError, ZeroDivisionError):
            return careful(program, x)
    <BLANKLINE>
    """
    ins, roots = check_inputs(inputs), as_graph(outputs)
    changes: dict[Shared, Expr] = {}
    declared = Graph(roots.outputs, ins, roots.names)
    stated = any(not isinstance(p, (tuple, list, dict)) or p for p in (updates, givens))
    if stated or any(isinstance(n, Shared) for n in roots.leaves):
        from .updates import with_state  # loaded when there is any

        declared, changes = with_state(roots, ins, updates, givens)
    check_complete(declared)
    check_used(declared, on_unused_input)
    if not is_plain(name) or name in TAKEN:
        raise ValueError(f"the name of a function is a free identifier, which {shown(name)} is not")
    if check not in (None, "nan"):
        raise ValueError(f'check is None or "nan", not {shown(check)}')
    if check and target != "numpy":
        raise ValueError(f'check="nan" is for the target numpy, not for {target}')
    listed = isinstance(outputs, (list, tuple))
    return Compiled(declared, tuple(changes), listed, simplify, name, target, (), check or "")


class Compiled(functools.partial):
    """The function of a program, as quick as that.

    It carries `program`, its text; `source`, the same and what it calls; `graph`, what it
    computes; and `stages`, the passes that led to it. It is not pickled: that is what `portable`
    is for.

    Parameters
    ----------
    declared : Graph
        What is computed, before simplification.
    changes : tuple of Shared
        What changes after each call: the last outputs are its new values.
    listed : bool
        Whether the result is a list, even of one.
    mode : {'ieee', 'safe', 'real', None}
        How it is simplified.
    name : str
        That of the function.
    target : str
        For what the program is written.
    answers : tuple, default: ()
        Of a function that asks conditions, the answers for which it goes on.
    check : {'', 'nan'}, default: ''
        Whether it stops at the first nan or inf that no operand had.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> f = ad.function(x, x * x)
    >>> f(3.0), f.stages
    (9.0, Pipeline(simplify → generate))
    """

    graph: Graph
    program: Program  # which prints as its text alone
    first: list[Stage]  # the passes before it was written
    general: Any  # the function for any lengths
    stated: tuple[Graph, tuple, tuple]  # as it was before simplification; what it changes; how

    def __new__(
        cls,
        declared: Graph,
        changes: Any,
        listed: bool,
        mode: Any,
        name: str,
        target: str,
        answers: tuple = (),
        check: str = "",
    ) -> Any:
        first = prepared(declared, mode, len(answers))
        graph = first[-1].after if first else declared
        how: Any = {"target": target, "answers": answers, "check": check}
        program = Program(graph, declared.inputs, declared, name, listed, changes, **how)
        run = general = program.run
        if any(i.name and program.text.names[i] != i.name for i in declared.inputs):
            from .entry import by_names  # of inputs such as `max`

            run = general = by_names(run, declared.inputs)
        options = listed, mode, name, target, answers, check
        if target == "numpy" and not check and any(None in i.type.shape for i in declared.inputs):
            fast = room_for_speed()
            anew = lambda graph: Compiled(graph, changes, *options)
            run = fast.specialising(run, declared, anew) if fast else run
        self = super().__new__(cls, run)
        functools.update_wrapper(self, run)
        self.general, self.graph, self.program, self.first = general, graph, program, first
        self.stated = declared, changes, options
        return self

    @cached_property
    def stages(self) -> Pipeline:
        """The passes that led to the program."""
        return Pipeline([*self.first, Generated("generate", self.graph, self.program)])

    def __state__(self) -> list[Any]:
        """The arrays on which results depend beside the arguments: those of shared values. So one
        who calls it knows whether it will answer as before."""
        return [n.held for n in self.stated[0].leaves if isinstance(n, Shared)]

    @property
    def specialised(self) -> "tuple[Specialised, ...]":
        """The programs for lengths that came again, where those of inputs were not known."""
        programs = getattr(self, "specialisations", None)  # which the function carries
        return programs.listed() if programs else ()

    @cached_property
    def source(self) -> str:
        """The text of the program and of what it calls: a file that runs with NumPy and SciPy."""
        return self._completed[0]

    @property
    def parameters(self) -> dict[str, Any]:
        """What such a file is to be given: large constants, own operations, shared values."""
        return self._completed[1]

    @property
    def _completed(self) -> tuple[str, dict[str, Any]]:
        """Both of them."""
        from .standalone import completed  # loaded when it is first needed

        return completed(self.program)

    @property
    def lowered(self) -> str:
        """What the compiler is given: StableHLO, in a program for JAX."""
        if not hasattr(self.func, "lowered"):
            raise AttributeError('only target="jax" has a compiler: this program is `source`')
        return self.func.lowered()

    def __dir__(self) -> list[str]:
        """What it carries, and not how it is made."""
        compiled = () if hasattr(self.func, "lowered") else ("lowered",)
        return sorted({*super().__dir__()} - {*HIDDEN, *compiled})

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError(
            f"the function {self.func.__name__} is code, which pickle does not store: store "
            f"ad.portable({self.func.__name__}), which is called like it"
        )

    def portrait(self) -> tuple:
        """What it is made of anew: the arguments of `restored`.

        Returns
        -------
        tuple
            The graph, the names of the outputs, how many there are, and the options.

        Examples
        --------
        >>> x = ad.scalar("x")
        >>> ad.function(x, x * x).portrait()[2]
        1
        """
        declared, changes, options = self.stated
        whole = Graph([*declared.outputs, *changes], declared.inputs)  # what is shared stays so
        return whole, declared.names, len(declared.outputs), options

    def __copy__(self) -> "Compiled":
        return restored(*self.portrait())

    def __deepcopy__(self, memo: dict) -> "Compiled":
        return restored(*copy.deepcopy(self.portrait(), memo))

    def profile(self, /, *values: Any, **named: Any) -> "Profile":
        """Call it, and tell what each line did: how often it ran, its time, bytes and flops.

        Parameters
        ----------
        *values : array_like
            The values of the inputs.
        **named : array_like
            The same by name.

        Returns
        -------
        Profile
            It is shown as a table; `draw()` gives the graph, coloured by time.

        Examples
        --------
        >>> x = ad.vector("x", shape=1000)
        >>> f = ad.function(x, ad.exp(x))
        >>> [line.text for line in f.profile(np.zeros(1000)).lines]
        ['x, = accept(x)', 'v1 = np.exp(x)', 'return v1']
        """
        from .profile import profiled  # loaded when it is first needed

        return profiled(self.general, self.program, values, named)

    def __repr__(self) -> str:
        return repr(self.func)


def restored(whole: Graph, names: Sequence[str], count: int, options: tuple) -> Compiled:
    """The function of a stored graph, whose last outputs are the shared values that it changes."""
    declared = Graph(whole.outputs[:count], whole.inputs, names)
    return Compiled(declared, whole.outputs[count:], *options)


def prepared(graph: Graph, mode: str | None, asked: int = 0) -> list[Stage]:
    """The stages before the program is written: no more derivatives will be taken."""
    operations = {n.op for n in graph.operations}
    stages: list[Stage] = []
    if any(isinstance(op, Nested) or op.name in GATES for op in operations):
        stages = [stage for stage in [release(graph)] if stage.steps]
    given = stages[0].after if stages else graph  # whose order is known
    if mode is None:
        return stages
    if asked:
        from .questions import with_exact_questions  # loaded with the first function that asks

        return [*stages, with_exact_questions(given, mode, asked)]
    stages.append(simplified(given, mode, final=True))
    if mode != "ieee" and matmul in operations:  # "ieee" keeps the order of products
        scaled = numbers_out_of_factors(stages[-1].after, mode)
        stages += [scaled] if scaled.steps else []
    quick = simplified(stages[-1], mode, rules=FOR_PROGRAMS, final=True)
    quick.name = "join"
    return [*stages, quick] if quick.steps else stages


# ---- what is refused; the words of most errors stand in `expr`


def check_inputs(inputs: Any) -> tuple[Input, ...]:
    given = check_expressions(inputs)
    for i in given:
        if not isinstance(i, Input):
            raise TypeError(f"inputs are leaves such as ad.scalar('x'), not {i}{at(i)}: the inputs "
                            f"come first, as in {exchanged('ad.function([x], y)')}")  # fmt: skip
    if len({*given}) < len(given):
        check_distinct(given)
    return given  # type: ignore[return-value]


def check_complete(graph: Graph) -> None:
    """Do the outputs need nothing but inputs?"""
    own = {*graph.inputs}
    missing = [n for n in graph.leaves if n not in own and not isinstance(n, (Constant, Shared))]
    if missing:
        for n in missing:
            check_has_value(n)
        check_listed(missing, graph.inputs)


def check_used(graph: Graph, what: str) -> None:
    if what not in ("raise", "ignore"):
        raise ValueError(f"on_unused_input is raise or ignore, not {shown(what)}")
    needed = set(graph.order)
    unused = [str(i) for i in graph.inputs if i not in needed]
    if unused and what == "raise":
        raise ValueError(
            f"the outputs do not depend on {', '.join(unused)}: drop it from the inputs, or pass "
            'on_unused_input="ignore"'
        )
