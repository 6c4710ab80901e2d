"""Modules by the names that they had before the core: pickles and old imports find them."""

import sys

from ..core import (
    errors,
    graph,
    items,
    node,
    op,
    operands,
    origin,
    placeholders,
    sanitize,
    seams,
    stage,
    types,
)  # fmt: skip

FORMER = {
    "errors.classes": errors, "expr": node,
    "graph": graph, "hooks": seams, "identity": node, "multi_output": items, "op": op,
    "op_class": op, "operands": operands, "origin": origin, "passes": stage, "passes.log": stage,
    "passes.stage": stage, "passes.substitute": graph, "placeholders": placeholders,
    "sanitize": sanitize, "types": types,
}  # fmt: skip
sys.modules.update({f"{__package__}.{name}": module for name, module in FORMER.items()})
