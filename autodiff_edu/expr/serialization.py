"""Storing and copying: a graph as one flat list of rows, so that pickling needs no recursion.

Rows refer to earlier rows by number; the default update of a shared value, which contains that
value, to any row. Of an input or a shared value there is one copy in what is stored together
(`identity.py`). Origins, which hold running code, are not stored.
"""

import copy
import io
import pickle
import threading
from collections.abc import Sequence
from typing import IO, Any

from ..core.derivative_rules import Declared
from ..core.graph import Graph, postorder, substitute
from ..core.node import Expr, Input
from ..core.op import Item, Op
from ..core.stage import Stage
from .methods import give
from .shared import Identity, Shared

NOT_STORED = "inputs", "origin", "identity", "__weakref__"
IDENTITY: dict[type, str] = {Input: "identity", Shared: "lock"}  # leaves of one copy, and by what


def flatten(root: Expr) -> tuple[Any, tuple]:
    """An expression as one flat list, for pickling graphs of any depth."""
    return unflatten_one, rows_of([root])


def flatten_graph(graph: Graph) -> tuple[Any, tuple]:
    """A graph with its inputs and names, what its outputs share stored once."""
    rows, roots = rows_of([*graph.outputs, *graph.inputs])
    return unflatten_graph, (rows, roots, len(graph.outputs), graph.names)


GIVING = threading.Lock()  # threads that store one input give it one identity


def identity_of(n: Any) -> Identity:
    """The identity of an input, which is made when it is first asked for."""
    with GIVING:
        n.identity = n.identity or Identity()
        identity: Identity = n.identity
        return identity


def rows_of(roots: Sequence[Expr]) -> tuple[list[tuple], list[int]]:
    """The nodes as rows that refer to earlier rows, and the rows of the roots."""
    order = with_updates(roots)
    place: dict[Expr | None, int] = {n: k for k, n in enumerate(order)}
    rows = [(type(n), _fields(n), [place[i] for i in n.inputs]) for n in order]
    for n, (_, fields, _) in zip(order, rows, strict=True):
        if isinstance(n, Shared):
            fields["default_update"] = place.get(n.default_update)
    return rows, [place[r] for r in roots]


def with_updates(roots: Sequence[Expr]) -> list[Expr]:
    """Every node that the roots need, and that default updates of what they read need."""
    order = postorder(roots)
    read = [n for n in order if isinstance(n, Shared)]
    updates = [n.default_update for n in read if n.default_update is not None]
    known = set(order) if updates else set()
    return order if known.issuperset(updates) else with_updates([*roots, *updates])


def _fields(n: Expr) -> dict[str, Any]:
    own = ("op", "static", "type", "name", *getattr(type(n), "__slots__", ()))
    fields = {k: getattr(n, k) for k in own if k not in NOT_STORED}
    return fields | {"identity": identity_of(n)} if isinstance(n, Input) else fields


def unflatten_one(rows: list[tuple], roots: list[int]) -> Expr:
    return unflatten(rows, roots)[0]


def unflatten_graph(rows: list[tuple], roots: list[int], outputs: int, names: Any) -> Graph:
    exprs = unflatten(rows, roots)
    return Graph(exprs[:outputs], exprs[outputs:], names)  # type: ignore[arg-type]


def unflatten(rows: list[tuple], roots: list[int]) -> list[Expr]:
    nodes: list[Expr] = []
    new: list[Shared] = []
    for kind, fields, inputs in rows:
        known = fields[IDENTITY[kind]].owner() if kind in IDENTITY else None
        if known is None:
            known = restored(kind, fields, [nodes[k] for k in inputs])
            new += [known] if kind is Shared else []
        nodes.append(known)
    for w in new:
        if w.default_update is not None:
            w.default_update = nodes[w.default_update]
    return [nodes[k] for k in roots]


def restored(kind: Any, fields: dict[str, Any], inputs: Sequence[Expr]) -> Any:
    """The node of a row."""
    n = object.__new__(kind)
    n.inputs, n.origin = tuple(inputs), None
    for name, value in fields.items():
        setattr(n, name, value)
    if kind in IDENTITY:
        fields[IDENTITY[kind]].owned(n)
    return n


# ---- stages, whose graphs and steps have nodes in common


class Storing(pickle.Pickler):
    """Stores expressions as numbers, and remembers them."""

    def __init__(self, file: IO[bytes]):
        super().__init__(file)
        self.met: dict[Expr, int] = {}

    def persistent_id(self, value: Any) -> int | None:
        return self.met.setdefault(value, len(self.met)) if isinstance(value, Expr) else None

    def reducer_override(self, value: Any) -> Any:
        return parts(value) if isinstance(value, Graph) else NotImplemented


class Loading(pickle.Unpickler):
    """Puts these expressions where their numbers are stored."""

    def __init__(self, file: IO[bytes], nodes: list[Expr]):
        super().__init__(file)
        self.nodes = nodes

    def persistent_load(self, number: int) -> Expr:
        return self.nodes[number]


def parts(graph: Graph) -> tuple[Any, tuple]:
    return Graph, (graph.outputs, graph.inputs, graph.names)


def flatten_stage(stage: Stage) -> tuple[Any, tuple]:
    """A stage, each of its nodes stored once: it is by identity that frames find a node."""
    file = io.BytesIO()
    storing = Storing(file)
    storing.dump(vars(stage))
    return unflatten_stage, (type(stage), file.getvalue(), *rows_of(list(storing.met)))


def unflatten_stage(kind: Any, stored: bytes, rows: list[tuple], roots: list[int]) -> Stage:
    stage = object.__new__(kind)
    vars(stage).update(Loading(io.BytesIO(stored), unflatten(rows, roots)).load())
    return stage


# ---- copying


def deepcopy(root: Expr, memo: dict) -> Expr:
    """The expression with shared values of its own; itself, where it reads none."""
    return deepcopies([root], memo)[0]


def deepcopy_graph(graph: Graph, memo: dict) -> Graph:
    """The same for a graph, of the same inputs."""
    return Graph(deepcopies(graph.outputs, memo), graph.inputs, graph.names)


def deepcopies(roots: Sequence[Expr], memo: dict) -> Sequence[Expr]:
    became: dict[Expr, Expr] = memo.setdefault("expressions", {})
    for w in postorder(roots):
        if isinstance(w, Shared) and w not in became:
            became[w] = copied(w, memo)
    return substitute(roots, became)


def copied(w: Shared, memo: dict) -> Shared:
    """The copy of a shared value, which is also that of functions copied with it."""
    lock = copy.deepcopy(w.lock, memo)
    own = lock.owner()
    if own is None:
        own = memo["expressions"][w] = Shared(w.value, w.name, w.type)
        own.lock = lock
        lock.owned(own)
        if w.default_update is not None:
            own.default_update = deepcopy(w.default_update, memo)
    return own


def itself(thing: Any, memo: Any = None) -> Any:
    """The copy of what never changes."""
    return thing


def by_name(op: Op) -> str:
    """Stored as a function is: by the module and the name that it has there."""
    return op.name


give(Expr, __reduce__=flatten, __copy__=itself, __deepcopy__=deepcopy)
give(Graph, __reduce__=flatten_graph, __copy__=itself, __deepcopy__=deepcopy_graph)
give(Stage, __reduce__=flatten_stage, __copy__=itself, __deepcopy__=itself)
give(Op, __copy__=itself, __deepcopy__=itself)
give(Declared, __reduce__=by_name)
give(Item, __reduce__=by_name)
