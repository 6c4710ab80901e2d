"""Modules by the names that they had before the core: pickles and old imports find them."""

import sys
from importlib import import_module

FORMER = {
    "core.broadcasting": "derivative_rules", "core.items": "op", "core.origin": "node",
    "differentiate.forward": "forward", "differentiate.reverse": "reverse",
    "differentiate.seeds": "seeds", "differentiate.symbolic": "symbolic",
    "expr.errors.classes": "errors", "expr.expr": "node", "expr.graph": "graph",
    "expr.hooks": "seams", "expr.identity": "node", "expr.multi_output": "op", "expr.op": "op",
    "expr.op_class": "op", "expr.operands": "operands", "expr.origin": "node",
    "expr.passes": "stage", "expr.passes.log": "stage", "expr.passes.stage": "stage",
    "expr.passes.substitute": "graph", "expr.placeholders": "placeholders",
    "expr.sanitize": "sanitize", "expr.types": "types",
}  # fmt: skip
HOUSE = __name__.partition(".")[0]
CORE = {name: import_module(f"{HOUSE}.core.{name}") for name in FORMER.values()}
sys.modules.update((f"{HOUSE}.{old}", CORE[name]) for old, name in FORMER.items())
