"""Plain entries of `HOOKS`: what the core does until the rooms are there that know better."""

from contextlib import nullcontext
from inspect import signature
from typing import Any

import numpy as np

from .forward import zero_derivative
from .node import Constant
from .seams import HOOKS


def plain(n: Any) -> str:
    """The formula as calls of functions, until the room is there that writes it as Python does."""
    if n.op is None:
        return n.name or str(getattr(n, "value", n.type))
    return f"{n.op.name}({', '.join(map(plain, n.inputs))})"


HOOKS |= {
    # of what a user gives: types, operands, changes, steps
    "dtype": np.dtype,
    "lengths": lambda dtype, shape: shape,
    "leaf": lambda value, name: Constant(value),
    "beyond": lambda error, name: error,
    "changes": lambda changes, of, kind: changes,
    "check_steps": lambda name, steps: None,
    "check_grown": lambda stage, grown: None,
    # of nodes: their text, the lines of the user's that make them, their values
    "text": plain,
    "shown": repr,
    "location": lambda inside: None,
    "bits": lambda array: array.tobytes(),
    "copied": np.array,
    "uncollected": nullcontext,
    # of refusals
    "no_attribute": lambda n, name: AttributeError(f"an expression has no attribute {name!r}"),
    "body_error": lambda op, error: error,
    "misfit": lambda op, inputs, error, **about: error,
    "no_parameter": lambda op, static: TypeError(f"{op.name} has not all of {[*static]}"),
    "wrong_parameter": lambda op, full: TypeError(f"{op.name} needs values, not {full}"),
    "wrong_type": lambda op, type: TypeError(f"{op.name} infers {type!r}, which is no type"),
    "wrong_count": lambda result, of, *about: TypeError(f"{len(of)} changes, not {result!r}"),
    "wrong_change": lambda c, k, x, *about: TypeError(f"{c!r} does not fit {x}"),
    # of derivatives
    "result_names": lambda graph, wrt, *about: (),
    "differential_names": lambda graph, x: (),
    "marked": lambda name, mark: name and name + mark,
    "in_symbols": lambda rule, *about: rule(*about),
    "through": lambda op, *about: op.factored(*about),
    "joined": lambda old, term: old + term,
    "zero adjoints": lambda graph, of: {x: zero_derivative(x, x) for x in of},
    "compare": lambda kind: None,
    # of rewriting: what is stated, prices, proofs, types
    "check_new": lambda rule, example: None,
    "several": lambda needs: needs if isinstance(needs, tuple) else (needs,),
    "parameters": lambda function: tuple(signature(function).parameters),
    "as_bool": bool,
    "of_rule": lambda error, part, rule, node: error,
    "visible": str,
    "weight": lambda n: int(not n.op.free),
    "parse_fact": lambda condition: None,
    "refuted": lambda condition: False,
    "can_follow": lambda *fact: False,
    "obeys": lambda n, new: True,
    "restored": lambda result, n: Constant(result, n.dtype) if n.type.shape == () else None,
}
