"""Documents of the scene computed anew: what each part holds, evaluated by the operations."""

import numpy as np

import autodiff_edu as ad
from autodiff_edu.ops import OPS

WORDS = {"nan": np.nan, "inf": np.inf, "-inf": -np.inf}


def frames(document):
    """What each part holds, and which parts are the results, in each frame."""
    held, outs = dict(document["first"]), document["outs"]
    yield dict(held), outs
    for step in document["steps"]:
        held |= step["set"]
        for p in step["drop"]:
            del held[p]
        outs = step.get("outs", outs)
        yield dict(held), outs


def number(value):
    """The number, or the array, that the document writes so."""
    if isinstance(value, dict):
        return np.array([number(v) for v in value["data"]], float).reshape(value["shape"])
    return np.float64(WORDS.get(value, value) if isinstance(value, str) else value)


class Frame:
    """A frame, in which parts are computed when they are asked for."""

    def __init__(self, document, held):
        self.document, self.held, self.known = document, held, {}

    def __getitem__(self, part):
        if isinstance(part, dict):
            return number(part["c"])
        if part not in self.known:
            self.known[part] = self.compute(part, *self.held[part])
        return self.known[part]

    def compute(self, part, kind, operands=(), words=None):
        if kind == "input":
            return number(self.document["at"][part])
        if kind == "const":
            return number(operands)
        if kind == "tie":
            return self[operands[0]]
        if kind in ("D", "empty"):
            raise KeyError(kind)
        static = {k: tupled(v) for k, v in (words or {}).get("static", {}).items()}
        with np.errstate(all="ignore"):
            made = OPS[kind](*[ad.constant(self[p]) for p in operands], **static)
            return ad.evaluate(made)


def tupled(value):
    return tuple(map(tupled, value)) if isinstance(value, list) else value
