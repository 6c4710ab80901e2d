"""Walks over old graphs: their inputs, their operations, what lies below, copies."""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from ...expr import Expr, Input, Shared, computed_by, item, postorder, put_in, same
from ..core import Apply, Constant, Variable, change_flags, unwrap, wrap
from ..core.variable import TABLES, TensorSharedVariable

Variables = Sequence[Any]


def roots_of(variables: Any) -> list[Expr]:
    several = variables if isinstance(variables, (list, tuple)) else [variables]
    return [unwrap(v) for v in several]


def inputs(variable_list: Variables, blockers: Any = None) -> list[Any]:
    """The leaves, constants and shared variables among them."""
    return [v for v in ancestors(variable_list, blockers) if v.owner is None]


def ancestors(variable_list: Variables, blockers: Any = None) -> list[Any]:
    """All variables from which these are made, and these: depth first, the last one first."""
    stops = {id(b) for b in blockers or ()}

    def expand(v: Any) -> list[Any] | None:
        inside = v.owner is not None and id(v) not in stops
        return list(reversed(v.owner.inputs)) if inside else None

    found: list[Any] = stack_search(deque(variable_list), expand, "dfs")
    return found


def stack_search(
    start: deque[Any], expand: Callable[[Any], Any], mode: str = "bfs", build_inv: bool = False
) -> Any:
    """What `expand` leads to from a deque, which is emptied; each thing once, in order."""
    if mode not in ("bfs", "dfs"):
        raise ValueError(f"mode should be bfs or dfs, not {mode!r}")
    take = start.popleft if mode == "bfs" else start.pop
    seen: dict[int, Any] = {}
    inverse: dict[Any, list[Any]] = {}
    while start:
        thing = take()
        if id(thing) in seen:
            continue
        seen[id(thing)] = thing
        further = list(expand(thing) or ())
        for other in further if build_inv else ():
            inverse.setdefault(other, []).append(thing)
        start.extend(further)
    return (list(seen.values()), inverse) if build_inv else list(seen.values())


def toposort(outputs: Variables) -> list[Apply]:
    """The operations in an order in which they can be computed."""
    found: dict[Expr, Apply] = {}
    for n in postorder(roots_of(outputs)):
        if n.op is not None and n.op is not item:
            found[n] = Apply.of(n)
    return list(found.values())


def io_toposort(inputs: Variables, outputs: Variables, orderings: Any = None) -> list[Apply]:
    """The operations between inputs and outputs, in order."""
    stops = {id(i) for i in inputs}
    return [n for n in toposort(outputs) if not any(id(y) in stops for y in n.outputs)]


def ops(i: Variables, o: Variables) -> set[Any]:
    """The operations between inputs and outputs."""
    return set(io_toposort(i, o))


def variables(i: Variables, o: Variables) -> set[Any]:
    """The variables between inputs and outputs."""
    return set(ancestors(o, i))


def orphans(i: Variables, o: Variables) -> list[Any]:
    """The leaves that are not among the inputs."""
    return [v for v in ancestors(o, i) if v.owner is None and all(v is not x for x in i)]


def shared_inputs(roots: Sequence[Expr]) -> list[Any]:
    """The shared variables that expressions read."""
    return [wrap(n) for n in postorder(roots) if isinstance(n, Shared)]


def clone_replace(
    output: Any,
    replace: Any = None,
    strict: bool = True,
    share_inputs: bool = True,
    copy_inputs: Any = None,
) -> Any:
    """`theano.clone`: the graph with other variables in the places of some."""
    share = share_inputs if copy_inputs is None else not copy_inputs
    rows = list(replace.items() if hasattr(replace, "items") else replace or [])
    put = {unwrap(a): unwrap(TABLES["as_tensor_variable"](b)) for a, b in rows}
    for a, b in put.items():
        if strict and a.dtype != b.dtype:
            raise TypeError(
                f"clone puts {wrap(b)}, {b.dtype}, in the place of {wrap(a)}, {a.dtype}"
            )
    several = isinstance(output, (list, tuple))
    roots = [unwrap(o) for o in (output if several else [output])]
    if not share:
        leaves = [n for n in postorder(roots) if n.op is None and n not in put]
        put |= {n: Input(n.name or "x", n.type) for n in leaves if isinstance(n, Input)}
        held = [w for w in map(wrap, leaves) if isinstance(w, TensorSharedVariable)]
        put |= {w.expr: w.clone().expr for w in held}
    sources = tuple(b for _, b in rows if isinstance(b, Variable))
    with change_flags(compute_test_value="off"):
        found = wrap(put_in(roots, put) if put else roots, sources)
    for old, new in zip(output if several else [output], found):
        if hasattr(old, "tag"):
            vars(new.tag).update(vars(old.tag) | vars(new.tag))
    return found if several else found[0]


def clone(i: Variables, o: Variables, copy_inputs: bool = True, **ignored: Any) -> tuple:
    """Copies of inputs and outputs."""
    new = {unwrap(x): Input(x.name or "x", unwrap(x).type) for x in i} if copy_inputs else {}
    found = put_in(roots_of(o), dict(new)) if new else roots_of(o)
    return [wrap(new.get(unwrap(x), unwrap(x))) for x in i], wrap(list(found))


def equal_computations(xs: Variables, ys: Variables, in_xs: Any = None, in_ys: Any = None) -> bool:
    """Do two lists compute the same, with equal leaves, or leaves that correspond?"""
    mine, others = roots_of(list(xs)), roots_of(list(ys))
    if in_xs is not None:
        pairs = dict(zip(roots_of(list(in_xs)), roots_of(list(in_ys)), strict=True))
        mine = list(put_in(mine, pairs))
    return len(mine) == len(others) and all(same(a, b) for a, b in zip(mine, others))


def is_same_graph(var1: Any, var2: Any, givens: Any = None, debug: bool = False) -> bool:
    """Do two variables compute the same?"""
    rows = givens.items() if hasattr(givens, "items") else givens or []
    a = put_in([unwrap(var1)], {unwrap(x): unwrap(y) for x, y in rows})[0] if rows else unwrap(var1)
    return bool(same(a, unwrap(var2)))


def view_roots(r: Any) -> list[Any]:
    """The variables of whose memory this one may be a view."""
    n, _ = computed_by(unwrap(r))
    return view_roots(wrap(n.inputs[0])) if n.op is not None and n.op.view else [r]


def list_of_nodes(inputs: Variables, outputs: Variables) -> list[Apply]:
    """The operations between inputs and outputs."""
    return io_toposort(inputs, outputs)


def is_in_ancestors(l_node: Any, f_node: Any) -> bool:
    """Is an operation needed for another?"""
    return any(v.owner == f_node for v in ancestors(l_node.inputs) if v.owner is not None)


TABLES["toposort"], TABLES["shared_inputs"], TABLES["leaves"] = toposort, shared_inputs, inputs
NAMES: dict[str, Any] = {
    f.__name__: f for f in (
        ancestors, clone, equal_computations, inputs, io_toposort, is_in_ancestors, is_same_graph,
        list_of_nodes, ops, orphans, stack_search, variables, view_roots)
} | {"Apply": Apply, "Constant": Constant, "Variable": Variable, "deque": deque,
     "general_toposort": toposort}  # fmt: skip
