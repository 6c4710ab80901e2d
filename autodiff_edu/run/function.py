"""`function`: from inputs and outputs to a Python function, the generated one itself."""

import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..expr import Constant, Expr, Graph, Input, Shared, Stage, as_graph, check_expressions
from ..expr.lazy import LazyModule
from ..nested import Nested, release
from ..ops import GATES, matmul
from ..rewrite import FOR_PROGRAMS, numbers_out_of_factors
from ..rewrite import simplify as simplified
from .compiled import Compiled
from .plan import room_for_speed
from .program import Program

refused = LazyModule(f"{__package__}.refused")

Pairs = Mapping[Any, Any] | Iterable[tuple[Any, Any]]


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
) -> Compiled:
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
    ins: Any = check_expressions(inputs)
    roots = as_graph(outputs)
    if len({*ins}) < len(ins) or not all(isinstance(i, Input) for i in ins):
        refused.inputs(ins)
    changes: dict[Shared, Expr] = {}
    declared = Graph(roots.outputs, ins, lambda: roots.names)
    stated = any(not isinstance(p, (tuple, list, dict)) or p for p in (updates, givens))
    if stated or any(isinstance(n, Shared) for n in roots.leaves):
        from .updates import with_state  # loaded when there is any

        declared, changes = with_state(roots, ins, updates, givens)
    own = {*declared.inputs}
    leaves = [n for n in declared.leaves if n not in own]
    if not all(isinstance(n, (Constant, Shared)) for n in leaves):
        refused.missing(leaves, declared.inputs)
    unused = own.difference(declared.leaves)
    if on_unused_input != "ignore" and (unused or on_unused_input != "raise"):
        refused.unused(declared, on_unused_input)
    if name != "program" or check:
        refused.options(name, target, check)
    listed = isinstance(outputs, (list, tuple))
    return compiled(declared, tuple(changes), listed, simplify, name, target, (), check or "")


def compiled(
    declared: Graph,
    changes: Sequence[Any],
    listed: bool,
    mode: str | None,
    name: str,
    target: str,
    answers: tuple = (),
    check: str = "",
) -> Compiled:
    """The function of a graph, whose last outputs are the next values of what it changes; one of
    one output gives a list where it is `listed`. Of a function that asks conditions, the answers
    for which it goes on come first among its outputs."""
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
        anew = lambda graph: compiled(graph, changes, *options)
        run = fast.specialising(run, declared, anew) if fast else run
    new = Compiled(run)
    functools.update_wrapper(new, run)
    new.general, new.graph, new.program, new.first = general, graph, program, first
    new.stated = declared, tuple(changes), options
    return new


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
