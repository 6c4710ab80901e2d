"""Plain Python arithmetic for programs on single numbers.

`math` is ten times faster than NumPy on one float but raises where NumPy answers inf or nan;
a program that meets such a case starts again with NumPy. The body of a branch is such a program
too, called by another one.
"""

from collections.abc import Sequence
from functools import partial

from ...expr import Constant, Expr, Graph, TensorType, TupleType, computed_by, item
from ...nested import Branch
from ...ops import equal, greater, greater_equal, less, less_equal, not_equal, power, sqrt, where
from ...ops.statement import scalar_form
from .inline import bracketed, inlined
from .loops import Lines, plain
from .writer import Source

NUMBER = TensorType("float64")
COMPARISONS = (less, less_equal, greater, greater_equal, equal, not_equal)


def scalar_text(source: Source, strict: bool = False) -> str:
    """The program for single numbers; `careful` is the same program by NumPy. A `strict` one gives
    NumPy's numbers: 1/0 is an error of Python's."""
    source.forms = forms(source.plan.order)
    source.inlined = inlined(source.plan, source.forms, source.guards.asked)
    whole, source.names = source.names, renamed(source)
    outputs = source.plan.graph.outputs[source.guards.count :]
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
    given = arguments(source)
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


def operations(source: Source) -> Lines:
    """A line for each operation that has one, and lines that ask. What stands in another's line is
    known by its text instead of a name."""
    names, asked, write = source.names, source.guards.asked, partial(operand, source)
    lines: Lines = plain(source.guards.before(write))
    for n in source.plan.order:
        text = call(source, n)
        if n in source.inlined:
            names[n] = text
            continue
        lines.append((f"{names[n]} = {text}", n))
        if n in asked:
            lines += plain(source.guards.after(n, write))
    return lines


def arguments(source: Source) -> list[str]:
    return [source.arguments()] if source.arguments() else []


def guarded(source: Source) -> list[str]:
    """The lines that take anything but floats in."""
    tests = [f"type({source.names[i]}) is not float" for i in source.inputs]
    return [
        f"if {' or '.join(tests)}:",
        f"    {source.arguments(',')} = accept({source.arguments()})",
    ]


def call(source: Source, n: Expr) -> str:
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


def operand(source: Source, i: Expr) -> str:
    """A number, the name of a value, or the operation that stands in this line, too."""
    return literal(i) if isinstance(i, Constant) else source.names[i]


def renamed(source: Source) -> dict[Expr, str]:
    """The names where some operations need none: those that are numbered are numbered anew."""
    names, inlined = source.names, source.inlined
    numbered = [n for n in source.plan.order if names[n] != n.name]
    numbers = [names[n] for n in numbered]
    free = [n for n in numbered if n not in inlined]
    return {**names, **dict(zip(free, numbers, strict=False))}


def only_numbers(source: Source) -> bool:
    """Are all values single numbers, none of which is changed?"""
    graph, shared = source.plan.graph, source.shared or source.updated
    if not graph.outputs or shared:
        return False
    truths = only_asked(graph) if source.within else set()
    values = (*source.inputs, *graph.order)
    return all(n.type is NUMBER or is_truth(n) or are_numbers(n) or n in truths for n in values)


def without_bodies(source: Source) -> bool:
    """Is every operation one expression of Python? Then the text for arrays may wait."""
    return source.loop is None and all(map(scalar_form, {n.op for n in source.plan.order}))


def gives_numbers(source: Source) -> bool:
    """Does its function give Python's own numbers?"""
    operations = source.plan.order
    return only_numbers(source) and all(
        n.op is item or bool(scalar_form(n.op)) or isinstance(n.op, Branch) for n in operations
    )


def fits(source: Source) -> bool:
    """Can all its operations be written in Python? Its text for arrays has been written."""
    return all(n.op is None or has_form(source, n) for n in source.plan.graph.order)


def only_asked(graph: Graph) -> set[Expr]:
    """The inputs that are truth values of which nothing but a choice depends."""
    asked: set[Expr] = {i for i in graph.inputs if i.dtype == "bool" and not i.ndim}
    asked -= set(graph.outputs)
    for n in graph.operations:
        chooses = n.op is where or isinstance(n.op, Branch)
        asked -= set(n.inputs[1:] if chooses else n.inputs)
    return asked


def is_truth(n: Expr) -> bool:
    """Is it a truth value fresh from a comparison? Python adds truth values like integers, NumPy
    does not."""
    return not n.ndim and n.op in COMPARISONS


def are_numbers(n: Expr) -> bool:
    """Has it several results, all of them single numbers?"""
    return isinstance(n.type, TupleType) and all(t is NUMBER for t in n.type.items)


def has_form(source: Source, n: Expr) -> bool:
    return n.op is item or bool(scalar_form(n.op)) or is_branch(source, n)


def is_branch(source: Source, n: Expr) -> bool:
    """Is it a branch whose sides are programs of single numbers?"""
    return isinstance(n.op, Branch) and source.callee(n) in source.numbers


def forms(order: Sequence[Expr]) -> dict[Expr, str]:
    """The Python expression for each operation, with {0} and {1} for its operands; nothing where
    there is none."""
    stated = {op: scalar_form(op) for op in {n.op for n in order}}
    root = scalar_form(sqrt)  # as in NumPy: C's power of -inf would be inf, not nan
    return {n: root if n.op is power and is_root(n) else stated[n.op] for n in order}


def is_root(n: Expr) -> bool:
    """Is a power a square root?"""
    return isinstance(n.inputs[1], Constant) and n.inputs[1].value == 0.5


def literal(c: Constant) -> str:
    """The number as Python writes it, bracketed where a sign would bind wrongly."""
    text = repr(float(c.value))
    return f"({text})" if text.startswith("-") else text
