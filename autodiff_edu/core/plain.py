"""Plain entries of `HOOKS`: formulas and errors, until the rooms are there that write them well."""

from typing import Any

from .node import Constant
from .seams import HOOKS


def plain(n: Any) -> str:
    """The formula as calls of functions, until the room is there that writes it as Python does."""
    if n.op is None:
        return n.name or str(n.value)
    return f"{n.op.name}({', '.join(map(plain, n.inputs))})"


HOOKS |= {  # until the rooms are there that know better
    "text": plain,
    "format": lambda n, code: format(plain(n), code),
    "no_attribute": lambda n, name: AttributeError(f"an expression has no attribute {name!r}"),
    "misfit": lambda op, inputs, error, **about: error,
    "refuse_options": lambda name, options: None,
    "wrong_type": lambda op, type: TypeError(f"{op.name} infers {type!r}, which is no type"),
    "wrong_count": lambda result, of, words, name, n: TypeError(
        f"the {words[0]} of {name} must give a list of {len(of)}, not {result!r}"
    ),
    "wrong_change": lambda c, k, x, words, name, n: TypeError(
        f"number {k + 1} that the {words[0]} of {name} gives is {c!r}, which does not fit {x}"
    ),
    # of rewriting: prices, proofs, types
    "weight": lambda n: int(not n.op.free),
    "parse_fact": lambda condition: None,
    "refuted": lambda condition: False,
    "obeys": lambda n, new: True,
    "restored": lambda result, n: Constant(result, n.dtype) if n.type.shape == () else None,
}
