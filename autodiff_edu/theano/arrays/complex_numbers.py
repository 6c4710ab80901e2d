"""Functions of Theano's that make complex numbers, and are refused by name."""

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


NAMES: dict[str, Any] = {name: refused(name, instead) for name, instead in INSTEAD.items()}
