"""The results of methods that stand on an upper floor, such as `stage.draw()`, as type checkers and
editors are told: protocols of the classes in `show` and `check`, and of the methods themselves.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NoReturn, Protocol, TypeVar, overload

from .node import Expr
from .types import Shape, TensorType, TupleType

__all__ = [
    "Checks", "Draws", "Evaluates", "Explains", "Film", "Films", "Formulas", "Picture", "Report",
    "Shown", "SideBySide", "Table", "Tables", "Trace", "Traces",
]  # fmt: skip

Gives = Callable[..., Expr]
Refuses = Callable[..., NoReturn]

# ---- what is shown

class Shown(Protocol):
    """Text by `repr`, and HTML."""

    def image(self, widest: int = 0) -> str: ...
    @property
    def widths(self) -> tuple[int, int]: ...
    @property
    def brief(self) -> str: ...
    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]: ...

class Picture(Shown, Protocol):
    """A drawing."""

    @property
    def dot(self) -> str: ...
    @property
    def alt(self) -> str: ...
    @property
    def listing(self) -> str: ...
    @property
    def svg(self) -> str: ...
    @property
    def digest(self) -> str: ...
    def save(self, path: str | Path) -> Path: ...

class Frame(Protocol):
    """A picture under its caption."""

    @property
    def caption(self) -> str: ...
    @property
    def picture(self) -> Shown: ...

class SideBySide(Shown, Protocol):
    """Two pictures, and how large each is."""

    @property
    def left(self) -> Frame: ...
    @property
    def right(self) -> Frame: ...
    @property
    def counts(self) -> Sequence[tuple[str, int, int]]: ...

class Film(Shown, Protocol):
    """Frames in order."""

    @property
    def frames(self) -> Sequence[Frame]: ...
    @property
    def captions(self) -> tuple[str, ...]: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Shown]: ...
    @overload
    def __getitem__(self, k: int) -> Shown: ...
    @overload
    def __getitem__(self, k: slice) -> Film: ...

class Table(Shown, Protocol):
    """Rows of cells under headings."""

    @property
    def columns(self) -> tuple[str, ...]: ...
    @property
    def rows(self) -> tuple[tuple[str, ...], ...]: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[tuple[str, ...]]: ...
    def __getitem__(self, k: Any) -> Any: ...

class Row(Protocol):
    """One value of a trace."""

    @property
    def name(self) -> str: ...
    @property
    def formula(self) -> Expr: ...
    @property
    def value(self) -> Any: ...
    @property
    def node(self) -> Expr: ...

class Trace(Shown, Protocol):
    """The values of a graph at a point."""

    @property
    def values(self) -> Sequence[Row]: ...
    @property
    def tangents(self) -> Sequence[Row]: ...
    @property
    def adjoints(self) -> Sequence[Row]: ...
    @property
    def rows(self) -> Sequence[Row]: ...
    def table(self) -> Table: ...
    def latex(self) -> str: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Row]: ...

class Entry(Protocol):
    """Something that an operation states."""

    @property
    def words(self) -> str: ...
    @property
    def formulas(self) -> tuple[tuple[str, str], ...]: ...

class Explanation(Shown, Protocol):
    """All that an operation states."""

    call: str
    summary: str

    @property
    def entries(self) -> Mapping[str, Entry]: ...

class Report(Protocol):
    """The result of a check."""

    subject: str
    findings: list[str]
    passed: list[str]
    notes: list[str]

    @property
    def ok(self) -> bool: ...
    @property
    def verdict(self) -> str: ...
    def __bool__(self) -> bool: ...

# ---- the methods

P_co = TypeVar("P_co", covariant=True)
R_co = TypeVar("R_co", covariant=True)
Direction = Literal["TB", "BT", "LR"]

class Draws(Protocol[P_co]):
    def __call__(
        self,
        *,
        layout: Literal["graph", "tree"] = "graph",
        direction: Direction | None = None,
        types: bool | None = None,
        values: Mapping[Any, Any] | None = None,
        highlight: Expr | Sequence[Expr] = (),
        open: bool | int | Expr | Sequence[Expr] = False,
    ) -> P_co: ...

class Films(Protocol):
    def __call__(
        self,
        *,
        rule: str | None = None,
        phase: str | None = None,
        node: Expr | None = None,
        direction: Direction | None = None,
        **options: Any,
    ) -> Film: ...

class Tables(Protocol):
    def __call__(
        self,
        *,
        by: Literal["step", "rule"] = "step",
        rule: str | None = None,
        phase: str | None = None,
        node: Expr | None = None,
    ) -> Table: ...

class Traces(Protocol):
    def __call__(self, at: Mapping[Any, Any]) -> Trace: ...

class Evaluates(Protocol):
    def __call__(self, at: Mapping[Any, Any] = {}) -> Any: ...

class Formulas(Protocol):
    def __call__(self) -> str: ...

class Explains(Protocol):
    def __call__(self) -> Explanation: ...

class Checks(Protocol[R_co]):
    def __call__(self, *example: Any, **static: Any) -> R_co: ...

# ---- what classes of the core have beside their own: `expr/methods.py` gives it to them

class OfExpr:
    """Of an expression: what NumPy's arrays have, and what Python asks."""

    @property
    def size(self) -> Any: ...
    @property
    def T(self) -> Expr: ...
    @property
    def mT(self) -> Expr: ...
    @property
    def real(self) -> Expr: ...
    @property
    def at(self) -> Any: ...
    sum: Gives
    mean: Gives
    prod: Gives
    var: Gives
    std: Gives
    max: Gives
    min: Gives
    argmax: Gives
    argmin: Gives
    all: Gives
    any: Gives
    cumsum: Gives
    cumprod: Gives
    dot: Gives
    clip: Gives
    round: Gives
    astype: Gives
    argsort: Gives
    reshape: Gives
    ravel: Gives
    flatten: Gives
    transpose: Gives
    swapaxes: Gives
    squeeze: Gives
    take: Gives
    repeat: Gives
    trace: Gives
    diagonal: Gives
    copy: Gives
    conj: Gives
    conjugate: Gives
    searchsorted: Gives
    nonzero: Callable[..., Any]
    item: Refuses
    tolist: Refuses
    fill: Refuses
    put: Refuses
    partition: Refuses
    resize: Refuses
    sort: Refuses
    __array_ufunc__: Callable[..., Any]
    __array_function__: Callable[..., Any]
    def __pos__(self) -> Expr: ...
    def __abs__(self) -> Expr: ...
    def __invert__(self) -> Expr: ...
    def __round__(self, decimals: int = 0) -> Expr: ...
    def __floordiv__(self, other: Any) -> Expr: ...
    def __rfloordiv__(self, other: Any) -> Expr: ...
    def __mod__(self, other: Any) -> Expr: ...
    def __rmod__(self, other: Any) -> Expr: ...
    def __divmod__(self, other: Any) -> tuple[Expr, Expr]: ...
    def __rdivmod__(self, other: Any) -> tuple[Expr, Expr]: ...
    def __and__(self, other: Any) -> Expr: ...
    def __rand__(self, other: Any) -> Expr: ...
    def __or__(self, other: Any) -> Expr: ...
    def __ror__(self, other: Any) -> Expr: ...
    def __xor__(self, other: Any) -> Expr: ...
    def __rxor__(self, other: Any) -> Expr: ...
    def __lshift__(self, other: Any) -> Expr: ...
    def __rlshift__(self, other: Any) -> Expr: ...
    def __rshift__(self, other: Any) -> Expr: ...
    def __rrshift__(self, other: Any) -> Expr: ...
    def __iter__(self) -> Iterator[Expr]: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __index__(self) -> int: ...
    def __int__(self) -> int: ...
    def __trunc__(self) -> int: ...
    def __floor__(self) -> int: ...
    def __ceil__(self) -> int: ...
    def __contains__(self, item: object) -> bool: ...
    def __float__(self) -> float: ...
    def __complex__(self) -> complex: ...
    def __array__(self, *args: Any, **kwargs: Any) -> Any: ...
    def __setitem__(self, key: Any, value: Any) -> None: ...
    def __delitem__(self, key: Any) -> None: ...
    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]: ...

class OfGraph:
    """Of a graph."""

    @property
    def size(self) -> int: ...
    @property
    def tree_size(self) -> int: ...
    @property
    def counts(self) -> Counter[str]: ...
    def same(self, other: Any) -> bool: ...
    evaluate: Evaluates
    draw: Draws[Picture]
    latex: Formulas
    trace: Traces
    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]: ...

class OfStage:
    """Of a stage."""

    @property
    def counts(self) -> Counter[str]: ...
    draw: Draws[SideBySide]
    film: Films
    table: Tables
    trace: Traces
    latex: Formulas
    evaluate: Evaluates
    explore: Any
    save: Any
    node: Any
    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]: ...

class OfOp:
    """Of an operation."""

    infer_type: Callable[..., TensorType | TupleType]
    perform: Callable[..., Any]
    pullback: Callable[..., Sequence[Expr | None]]
    pushforward: Callable[..., Sequence[Expr | None]]
    check: Checks[Report]
    explain: Explains
    def with_lengths(self, lengths: Sequence[Any]) -> Any: ...
    cores: Callable[..., Sequence[int] | None]
    is_ours: bool

class OfType:
    """Of the type of an array."""

    def __call__(self, name: str = "x") -> Any: ...
    fits: Callable[[Shape], bool]

class OfRules:
    """Of a set of rules."""

    named: Callable[[str], Any]
    candidates: Callable[[Expr], list[Any]]

class OfRule:
    """Of a rule."""

    check: Checks[Report]
    draw: Draws[Shown]
    latex: Formulas
    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]: ...
