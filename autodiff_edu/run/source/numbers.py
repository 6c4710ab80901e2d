"""Plain Python arithmetic for programs on single numbers.

`math` is ten times faster than NumPy on one float, but raises an error where NumPy answers inf or
nan. Then `careful` answers, which computes node after node by NumPy.

A name for each result costs a tenth of the time. So an operation without a name of the user's, of
which one other operation makes use, stands in that one's line, as long as the line stays short:

v1 = x * x
v2 = sin(v1) + 3.0 * v1

Letters: n a node, i an operand of it, k its place.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any

from ...expr import (
    Constant,
    Expr,
    LazyModule,
    Shared,
    TensorType,
    TupleType,
    accept,
)
from ...ops import equal, greater, greater_equal, less, less_equal, not_equal, power, sqrt
from .scalar_functions import FUNCTIONS
from .text import Lines, Names, Order, Written, load, plain, together

by_numpy = LazyModule(f"{__package__}.careful")
NUMBER = TensorType("float64")
COMPARISONS = (less, less_equal, greater, greater_equal, equal, not_equal)
WIDEST = 4  # operations in a line


def written(program: Any) -> Written | None:
    """The program in plain Python, if it is one of numbers that nobody changes."""
    graph, target = program.graph, program.target
    if target != "numpy" or program.within or program.updated or program.check:
        return None
    order = Order(graph, tuple([n for n in graph.order if n.op is not None]))
    if not (graph.outputs and only_numbers((*program.inputs, *graph.order))):
        return None
    if not all(map(scalar_form, {n.op for n in order.order})):
        return None
    listed = program.listed or len(graph.outputs) != 1
    return by_numbers(Names(order, program.inputs, program.name, listed, program.answers))


def only_numbers(values: Iterable[Expr]) -> bool:
    """Are they all single numbers that nobody changes? A truth value fresh from a comparison is
    one, too: Python adds truth values like integers, NumPy does not."""
    return all(
        (n.type is NUMBER or is_truth(n) or are_numbers(n)) and not isinstance(n, Shared)
        for n in values
    )


def is_truth(n: Expr) -> bool:
    return not n.ndim and n.op in COMPARISONS


def are_numbers(n: Expr) -> bool:
    """Has it several results, all of them single numbers?"""
    return isinstance(n.type, TupleType) and all(t is NUMBER for t in n.type.items)


def scalar_form(op: Any) -> str:
    """The Python expression for single numbers, with {0} and {1} for the operands."""
    return getattr(op, "scalar", "")


# ---- the text


def by_numbers(source: Names) -> Written:
    """The program in plain Python."""
    lines, results = lines_and_results(source)
    lines += plain([f"return {source.together(results)}"])
    text = careful_text(source, guarded(source) if source.inputs else [], lines)
    return Written(source, *loaded(source, text, by_evaluating(source)))


def lines_and_results(source: Names) -> tuple[Lines, list[str]]:
    """The lines of the operations, and the texts of the results."""
    source.forms = forms(source.plan.order)
    source.inlined = inlined(source.plan, source.forms)
    whole, source.names = source.names, renamed(source)
    results = [operand(source, o) for o in source.plan.graph.outputs[source.questions :]]
    lines = operations(source)
    if source.guards:
        lines = source.guards.among(lines, partial(operand, source))
    source.names = whole
    return lines, results


def careful_text(source: Names, first: Sequence[str], lines: Lines, arguments: str = "") -> str:
    """The function: first lines, the others, and what is done where `math` raises an error."""
    above = len(first) + 3  # with the header, and the line `try`
    source.number_lines = {k: n for k, (_, n) in enumerate(lines, above) if n is not None}
    again = ", ".join(filter(None, [source.function, arguments or source.arguments()]))
    text = [*first, "try:", *(f"    {line}" for line, _ in lines)]
    text += ["except (ValueError, OverflowError, ZeroDivisionError):"]
    text += [f"    return careful({again})"]
    source.scalar = "\n".join([source.header(), *(f"    {line}" for line in text), ""])
    return source.scalar


def guarded(source: Names) -> list[str]:
    """The lines that take anything but floats in."""
    tests = [f"type({source.names[i]}) is not float" for i in source.inputs]
    return [
        f"if {' or '.join(tests)}:",
        f"    {source.arguments(',')} = accept({source.arguments()})",
    ]


def operations(source: Names) -> Lines:
    """A line for each operation that has one; one that stands in another's line is known by its
    text instead of a name."""
    names, lines = source.names, Lines()
    for n in source.plan.order:
        text = call(source, n)
        if n in source.inlined:
            names[n] = text
        else:
            lines.append((f"{names[n]} = {text}", n))
    return lines


def call(source: Any, n: Expr) -> str:
    outer, operands = source.forms[n], [operand(source, i) for i in n.inputs]
    if not outer:
        return source.other_call(n, operands)
    for k, i in enumerate(n.inputs):
        if i in source.inlined:
            operands[k] = bracketed(operands[k], source.forms[i], outer, k)
    return outer.format(*operands)


def operand(source: Names, i: Expr) -> str:
    """A number, the name of a value, or the operation that stands in this line, too."""
    return literal(i) if isinstance(i, Constant) else source.names[i]


def literal(c: Constant) -> str:
    """The number as Python writes it, bracketed where a sign would bind wrongly."""
    text = repr(float(c.value))
    return f"({text})" if text.startswith("-") else text


def forms(order: Sequence[Expr]) -> dict[Expr, str]:
    """The Python expression for each operation, with {0} and {1} for its operands; nothing where
    there is none."""
    stated = {op: scalar_form(op) for op in {n.op for n in order}}
    root = scalar_form(sqrt)  # as in NumPy: C's power of -inf would be inf, not nan
    return {n: root if is_root(n) else stated[n.op] for n in order}


def is_root(n: Expr) -> bool:
    """Is it a power that is a square root?"""
    return n.op is power and isinstance(n.inputs[1], Constant) and n.inputs[1].value == 0.5


# ---- operations in the line of another one


def inlined(plan: Order, forms: Mapping[Expr, str]) -> dict[Expr, Expr]:
    """The operations that stand in another's line, with that other one. Each has a form, the text
    of the operation."""
    uses = Counter(chain.from_iterable([n.inputs for n in plan.order]))
    single = {n for n in plan.order if uses[n] == 1 and not n.name and forms[n]}
    free = single.difference(plan.graph.outputs)
    inner: dict[Expr, Expr] = {}
    width = dict.fromkeys(plan.order, 1)  # how many operations stand in the line of each
    for n in plan.order:
        for k, i in enumerate(n.inputs):
            if i in free and width[n] + width[i] <= WIDEST and forms[n].count(f"{{{k}}}") == 1:
                inner[i] = n
                width[n] += width[i]
    return inner


def bracketed(text: str, inner: str, outer: str, k: int) -> str:
    """The text of an operand, in brackets where it needs them or is read more easily with them;
    `inner` and `outer` are the forms of the two, and k is the operand's place."""
    name, _, rest = outer.partition("(")
    is_call = name.isidentifier() and rest.endswith(")")  # whose brackets hold the operands
    if inner.endswith(")") or is_call:
        return text
    product = " * " in inner or " / " in inner
    first = k == 0 and inner in ("{0} + {1}", "{0} - {1}")
    bare = outer in ("{0} + {1}", "{0} - {1}") and (product or first)
    return text if bare else f"({text})"


def renamed(source: Names) -> dict[Expr, str]:
    """The names where some operations need none: those that are numbered are numbered anew."""
    names, inlined = source.names, source.inlined
    numbered = [n for n in source.plan.order if names[n] != n.name]
    numbers = [names[n] for n in numbered]
    free = [n for n in numbered if n not in inlined]
    return {**names, **dict(zip(free, numbers, strict=False))}


# ---- the function


def loaded(source: Any, text: str, careful: Callable[..., Any]) -> tuple[Callable[..., Any], str]:
    """The function of a text, and the text with those of bodies before it."""
    space = {**source.space, **source.numbers, **FUNCTIONS}
    space |= {"accept": accepting(source.inputs), "careful": careful}
    before = [by_numbers for _, by_numbers in source.before]
    return load(text, space, source.function), together(before, text)


def accepting(inputs: Sequence[Any]) -> Callable[..., list[float]]:
    """What takes values in: each becomes Python's own number."""
    return lambda *values: [float(accept(i, v)) for i, v in zip(inputs, values, strict=True)]


def by_evaluating(source: Names, strict: bool = False) -> Callable[..., Any]:
    """What a program calls with itself and its arguments where `math` raises an error."""
    return lambda function, *values: by_numpy.evaluated(source, values, strict)
