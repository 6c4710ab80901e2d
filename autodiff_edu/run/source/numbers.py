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
    Graph,
    LazyModule,
    Shared,
    TensorType,
    TupleType,
    accept,
    computed_by,
    item,
)
from ...ops import equal, greater, greater_equal, less, less_equal, not_equal, power, sqrt
from .scalar_functions import FUNCTIONS
from .text import Lines, Names, Order, Written, load, plain, together

by_numpy = LazyModule(f"{__package__}.careful")
NUMBER = TensorType("float64")
COMPARISONS = (less, less_equal, greater, greater_equal, equal, not_equal)
WIDEST = 4  # operations in a line


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


def is_written(graph: Graph) -> bool:
    """Is every operation one expression of Python?"""
    return all(map(scalar_form, {n.op for n in graph.operations}))


# ---- the text


def number_text(source: Names, strict: bool = False) -> str:
    """The program for single numbers. A `strict` one gives NumPy's numbers, to a program of arrays:
    of Python's, 1/0 is an error."""
    asked = source.guards.asked if source.guards else ()
    source.forms = forms(source.plan.order)
    source.inlined = inlined(source.plan, source.forms, asked)
    whole, source.names = source.names, renamed(source)
    outputs = source.plan.graph.outputs[source.guards.count if source.guards else 0 :]
    results = [operand(source, o) for o in outputs]
    if strict and (source.loop is None or source.loop.fresh):
        results = [f"np.{o.dtype}({r})" for o, r in zip(outputs, results, strict=True)]
    lines = operations(source)
    source.names = whole
    if source.loop:
        lines = source.loop.text(lines, results, numbers=True)
    else:
        lines += plain([f"return {source.together(results)}"])
    text = guarded(source) if source.inputs and not source.within else []
    given = [source.arguments()] if source.arguments() else []
    if source.loop and source.loop.moves_on:  # its arguments are not what they were
        name = source.new_name("given")
        text, given = [f"{name} = {given[0]}{',' * (',' not in given[0])}"], [f"*{name}"]
    text.append("try:")
    first = len(text) + 2  # the header is line 1
    source.number_lines = {k: n for k, (_, n) in enumerate(lines, first) if n is not None}
    text += [f"    {line}" for line, _ in lines]
    text += ["except (ValueError, OverflowError, ZeroDivisionError):"]
    text += [f"    return careful({', '.join([source.function, *given])})"]
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
    """A line for each operation that has one, and lines that ask. What stands in another's line is
    known by its text instead of a name."""
    names, guards, write = source.names, source.guards, partial(operand, source)
    lines: Lines = plain(guards.before(write)) if guards else []
    for n in source.plan.order:
        text = call(source, n)
        if n in source.inlined:
            names[n] = text
            continue
        lines.append((f"{names[n]} = {text}", n))
        if guards:
            lines += plain(guards.after(n, write))
    return lines


def call(source: Any, n: Expr) -> str:
    operands = [source.names.get(i) or operand(source, i) for i in n.inputs]
    if n.op is item:
        return f"{operands[0]}[{computed_by(n)[1]}]"
    outer = source.forms[n]
    if not outer:  # it is a branch
        return f"{source.callee(n)}({', '.join(operands)})"
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
    return {n: root if n.op is power and is_root(n) else stated[n.op] for n in order}


def is_root(n: Expr) -> bool:
    """Is a power a square root?"""
    return isinstance(n.inputs[1], Constant) and n.inputs[1].value == 0.5


# ---- operations in the line of another one


def inlined(plan: Order, forms: Mapping[Expr, str], asked: Iterable[Expr]) -> dict[Expr, Expr]:
    """The operations that stand in another's line, with that other one. Each has a form, the text
    of the operation; those that are asked keep their lines."""
    uses = Counter(chain(plan.graph.outputs, *[n.inputs for n in plan.order]))
    alone = {*plan.graph.outputs, *asked}
    free = {n for n in plan.order if uses[n] == 1 and not n.name and forms[n]} - alone
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


def by_numbers(source: Names) -> Written:
    """The program in plain Python."""
    return Written(source, *of_numbers(source, by_evaluating(source)))


def of_numbers(
    source: Any, careful: Callable[..., Any], strict: bool = False
) -> tuple[Callable[..., Any], str]:
    """The function, and its text with those of bodies before it."""
    text = number_text(source, strict)
    space = {**source.space, **source.numbers, **FUNCTIONS}
    space |= {"accept": accepting(source.inputs), "careful": careful}
    before = [by_numbers for _, by_numbers in source.before]
    return load(text, space, source.function), together(before, text)


def accepting(inputs: Sequence[Any]) -> Callable[..., list[float]]:
    """What takes values in: each becomes Python's own number."""

    def accept_numbers(*values: Any) -> list[float]:
        return [float(accept(i, v)) for i, v in zip(inputs, values, strict=True)]

    return accept_numbers


def by_evaluating(source: Names, strict: bool = False) -> Callable[..., Any]:
    """What a program calls with itself and its arguments where `math` raises an error."""
    roots = [n for n in source.plan.order if n.op is power and is_root(n)]

    def careful(function: Any, *values: Any) -> Any:
        own = (lambda v: v) if strict else by_numpy.of_python
        return by_numpy.evaluated(source, roots, own, values)

    return careful
