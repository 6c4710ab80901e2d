"""Modes told Theano how to compile. Here they are names: our simplification is the same in all."""

from typing import Any


class Mode:
    """A way to compile; including(...) and excluding(...) give the same."""

    def __init__(self, linker: Any = "cvm", optimizer: Any = "fast_run", *more: Any, **how: Any):
        self.linker, self.optimizer, self.provided_optimizer = linker, optimizer, optimizer

    def including(self, *tags: str) -> "Mode":
        return self

    excluding = requiring = register = including

    def clone(self, **how: Any) -> "Mode":
        return self

    def __repr__(self) -> str:
        return f"{type(self).__name__}(linker={self.linker}, optimizer={self.optimizer})"


class NanGuardMode(Mode):
    """A mode that looked for nan; it does not here."""

    def __init__(self, nan_is_error: Any = None, inf_is_error: Any = None, **how: Any):
        super().__init__()


class DebugMode(Mode):
    """A mode that computed everything in several ways; once is enough here."""

    def __init__(self, *how: Any, **named: Any):
        super().__init__()


class MonitorMode(Mode):
    """A mode that called a function at each operation; it does not here."""

    def __init__(self, pre_func: Any = None, post_func: Any = None, **how: Any):
        super().__init__()


MODES = {
    name: Mode(optimizer=name.lower())
    for name in ("Mode", "FAST_RUN", "FAST_COMPILE", "STABILIZE", "JAX", "NUMBA", "PROFILE_MODE")
} | {"DebugMode": DebugMode(), "DEBUG_MODE": DebugMode(), "NanGuardMode": NanGuardMode()}
FAST_RUN, FAST_COMPILE = MODES["FAST_RUN"], MODES["FAST_COMPILE"]


def get_mode(mode: Any) -> Mode:
    """The mode of a name."""
    if mode is None:
        return MODES["Mode"]
    if isinstance(mode, Mode):
        return mode
    if mode not in MODES:
        raise Exception(f"No predefined mode exist for string: {mode}")
    return MODES[mode]


def get_default_mode() -> Mode:
    """The mode that is used where none is given."""
    return MODES["Mode"]


def register_mode(name: str, mode: Mode) -> None:
    """Give a mode a name."""
    MODES[name] = mode


NAMES: dict[str, Any] = {
    "DebugMode": DebugMode, "FAST_COMPILE": FAST_COMPILE, "FAST_RUN": FAST_RUN, "Mode": Mode,
    "MonitorMode": MonitorMode, "NanGuardMode": NanGuardMode, "get_default_mode": get_default_mode,
    "get_mode": get_mode, "predefined_modes": MODES, "register_mode": register_mode,
}  # fmt: skip
