"""What to write in place of a name that there is not, such as those of other libraries."""

import ast
from collections.abc import Iterable
from typing import Any

from ...core.seams import HOOKS
from ..methods import hook
from .refusal import leaves
from .running import running_syntax

VALUE = "ad.evaluate({y}, {{{x}: 3.0}})"
SLOPE = "ad.grad({y}, {x})"
PROGRAM = "ad.function([{x}], {y})"
METHODS = {  # of the expressions, tensors and functions of other libraries
    **dict.fromkeys("eval evalf subs value numpy data n values get_value run".split(), VALUE),
    **dict.fromkeys("diff derivative differentiate grad gradient backward deriv".split(), SLOPE),
    **dict.fromkeys("compile lambdify jit".split(), PROGRAM),
    "flat": "{y}.ravel()",
    "detach": "ad.disconnected_grad({y})", "plot": "ad.draw({y})", "show": "ad.draw({y})",
    "append": "ad.append({y}, value)", "abs": "abs({y})", "pow": "{y}**2", "t": "{y}.T",
    "to": "{y}.astype(dtype)", "float": "{y}.astype('float64')", "view": "{y}.reshape(...)",
}  # fmt: skip
NAMES = {  # of functions of other libraries
    **dict.fromkeys("derivative deriv elementwise_grad D backward".split(), "grad"),
    **dict.fromkeys("Symbol symbol symbols variable Variable var placeholder Input".split(),
                    "scalar"),
    **dict.fromkeys("compile lambdify jit Function".split(), "function"),
    **dict.fromkeys("eval evalf subs".split(), "evaluate"),
    "jvp": "pushforward", "Rop": "pushforward", "vjp": "pullback", "Lop": "pullback",
    "jacrev": "jacobian", "jacfwd": "jacobian", "ln": "log", "vmap": "vectorize",
    "plot": "draw", "render": "draw", "hvp": "hessian_vector_product", "ifelse": "where",
    "switch": "where", "stop_gradient": "disconnected_grad", "check_grad": "verify_grad",
    "relu": "maximum",
}  # fmt: skip


def nearest(name: str, names: Iterable[str]) -> str:
    """The name that is spelt most like it, in small letters or large; empty if none is near."""
    from difflib import get_close_matches  # takes longer to load than this package may

    found = {n.lower(): n for n in names if n[0] != "_"}
    near = get_close_matches(name.lower(), found, 1, 0.7)
    return found[near[0]] if near else ""


@hook("no_attribute")
def no_attribute(node: Any, name: str) -> AttributeError:
    """The error for an attribute of an expression; the remedy in the user's words."""
    said = f"an expression has no attribute {name!r}"
    if name.startswith("_"):
        return AttributeError(said)
    syntax = running_syntax()
    y = ast.unparse(syntax.value) if isinstance(syntax, ast.Attribute) else node.name or "y"
    x = min([leaf.name for leaf in leaves(node)], default="x")
    if name in METHODS:
        return AttributeError(f"{said}: write {METHODS[name].format(y=y, x=x)}")
    if name in HOOKS["__all__"]:
        return AttributeError(f"{said}: write ad.{name}({y})")
    whole = [n for n in dir(node) if n.startswith(f"{name}_")]  # set leads to set_value
    if near := min(whole, default="") or nearest(name, dir(node)):
        return AttributeError(f"{said}: write {y}.{near}")
    near = nearest(name, HOOKS["__all__"])
    return AttributeError(f"{said}: write ad.{near}({y})" if near else said)


def no_attribute_of_stage(stage: Any, name: str) -> AttributeError:
    """The error for an attribute of a stage, which may be one of what the stage made."""
    said = f"a stage has no attribute {name!r}"
    if name.startswith("_"):
        return AttributeError(said)
    if name in METHODS or name in HOOKS["__all__"]:
        syntax = running_syntax()
        y = ast.unparse(syntax.value) if isinstance(syntax, ast.Attribute) else "stage"
        x = min([i.name for i in stage.graph.inputs], default="x")
        way = METHODS.get(name, f"ad.{name}({{y}})")
        return AttributeError(f"{said}: write {way.format(y=y, x=x)}")
    near = nearest(name, dir(stage))
    return AttributeError(f"{said}: write stage.{near}" if near else said)


def no_name(module: str, name: str) -> AttributeError:
    """The error for a name of the package that there is not."""
    said = f"module {module!r} has no attribute {name!r}"
    if name.startswith("_"):  # Python and its tools ask for such names, and often
        return AttributeError(said)
    near = NAMES.get(name) or nearest(name, HOOKS["__all__"])
    return AttributeError(f"{said}: write ad.{near}" if near else said)


def again(error: Exception, message: str) -> Exception:
    """An error of the same class, or the nearest above it that is new from a message."""
    for kind in type(error).__mro__:
        try:
            new = kind(message)
        except Exception:  # a class of the user's that is not new from a message
            new = error
            new.args = (message,)
        if message in str(new):
            return new
    return error
