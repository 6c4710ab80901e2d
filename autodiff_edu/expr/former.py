"""Modules by the names that they had before the core: pickles and old imports find them."""

import sys

from ..core import (
    derivative_rules,
    errors,
    forward,
    graph,
    items,
    node,
    op,
    operands,
    origin,
    placeholders,
    reverse,
    sanitize,
    seams,
    seeds,
    stage,
    symbolic,
    types,
)  # fmt: skip

FORMER = {
    "core": {"broadcasting": derivative_rules},
    "differentiate": {
        "forward": forward, "reverse": reverse, "seeds": seeds, "symbolic": symbolic,
    },
    "expr": {
        "errors.classes": errors, "expr": node, "graph": graph, "hooks": seams, "identity": node,
        "multi_output": items, "op": op, "op_class": op, "operands": operands, "origin": origin,
        "passes": stage, "passes.log": stage, "passes.stage": stage, "passes.substitute": graph,
        "placeholders": placeholders, "sanitize": sanitize, "types": types,
    },
}  # fmt: skip
HOUSE = __name__.partition(".")[0]
sys.modules.update(
    (f"{HOUSE}.{room}.{name}", module)
    for room, modules in FORMER.items()
    for name, module in modules.items()
)
