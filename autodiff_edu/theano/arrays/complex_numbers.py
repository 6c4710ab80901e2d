"""What is complex in Theano: functions, which are refused by name, and variables, which can be made
but computed with nowhere."""

from collections.abc import Callable
from typing import Any

INSTEAD = {
    "complex": "the real and the imaginary part as two variables",
    "complex_from_polar": "r * T.cos(theta) and r * T.sin(theta)",
    "angle": "T.arctan2(imaginary, real)",
}


def refused(name: str, instead: str) -> Callable[..., Any]:
    def refusal(*_: Any, **__: Any) -> Any:
        raise NotImplementedError(f"theano.tensor.{name} is not there, since expressions are real: "
                                  f"write {instead}")  # fmt: skip

    refusal.__name__, refusal.__doc__ = name, f"Refused: write {instead}."
    return refusal


class ComplexVariable:
    """A variable of a complex dtype. Old programs may name one; who uses it is told what to do."""

    def __init__(self, type: Any, name: str | None):
        self.type, self.name, self.owner = type, name, None
        self.dtype, self.broadcastable = type.dtype, type.broadcastable
        self.ndim = len(type.broadcastable)

    def use(self, *_: Any) -> Any:
        """Whatever is done with it."""
        raise NotImplementedError(f"{self} cannot be computed with: write the real and the "
                                  "imaginary part as two variables")  # fmt: skip

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = use
    __rtruediv__ = __pow__ = __rpow__ = __neg__ = __abs__ = __getitem__ = __iter__ = use

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self.use()

    def __repr__(self) -> str:
        return f"a {self.dtype} variable {self.name or ''}".strip()


NAMES: dict[str, Any] = {name: refused(name, instead) for name, instead in INSTEAD.items()}
