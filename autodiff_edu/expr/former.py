"""Modules by the names that they had before the core: pickles and old imports find them."""

import sys
from importlib import import_module

FORMER = {
    "core.broadcasting": "derivative_rules", "core.items": "op", "core.operands": "op",
    "core.record": "derivative_rules",
    "core.origin": "node",
    "core.placeholders": "node", "core.seeds": "reverse",
    "differentiate.forward": "forward", "differentiate.reverse": "reverse",
    "differentiate.seeds": "reverse", "differentiate.symbolic": "symbolic",
    "expr.errors.classes": "errors", "expr.expr": "node", "expr.graph": "graph",
    "expr.hooks": "seams", "expr.multi_output": "op", "expr.op": "op",
    "expr.op_class": "op", "expr.operands": "op", "expr.origin": "node",
    "expr.passes": "stage", "expr.passes.stage": "stage",
    "expr.passes.substitute": "graph", "expr.placeholders": "node",
    "expr.types": "types",
}  # fmt: skip
ELSEWHERE = {
    "core.sanitize": "expr.text",
    "expr.sanitize": "expr.text",
    "expr.passes.log": "expr.replacement",
    "expr.identity": "expr.shared",
}
HOUSE = __name__.partition(".")[0]


def hand_on(names: dict[str, str]) -> None:
    """Let old names of modules stand for the modules that they are now."""
    modules = {f"{HOUSE}.{old}": import_module(f"{HOUSE}.{new}") for old, new in names.items()}
    sys.modules.update(modules)


hand_on({old: f"core.{new}" for old, new in FORMER.items()} | ELSEWHERE)
