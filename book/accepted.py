"""The table of what expressions take: every public function of NumPy and of scipy.special.

`python3 book/accepted.py` writes it anew, and a test says where it differs from the package.
"""

import re
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy
from scipy import special

import autodiff_edu as ad
from autodiff_edu.library import protocol, scipy_functions

PAGE = Path(__file__).parent / "accepted.md"
ROOMS = {"numpy": np, "numpy.linalg": np.linalg, "numpy.fft": np.fft, "scipy.special": special}
DISPATCHED = type(np.sum)  # of what NumPy hands over to its arguments
BY_PLACE = {"clip", "where"}  # whose operands have other names here, and are read by place
UNSAID = {"out", "where", "casting", "order", "subok", "like", "device", "signature", "copy"}
MAKES = set(  # arrays from what is no array, text, types and settings: no expression goes in
    """arange array2string bartlett base_repr binary_repr blackman bmat broadcast_shapes can_cast
    dtype empty eye finfo format_float_positional format_float_scientific from_dlpack frombuffer
    fromfile fromfunction fromiter frompyfunc fromregex fromstring full genfromtxt get_include
    get_printoptions getbufsize geterr geterrcall hamming hanning identity iinfo in1d indices info
    isdtype isfortran iterable kaiser load loadtxt mask_indices memmap nested_iters ndindex ones
    printoptions promote_types save savetxt savez savez_compressed set_printoptions setbufsize
    seterr seterrcall show_config show_runtime test tri tril_indices triu_indices typename zeros
    fftfreq rfftfreq errstate ndenumerate issubdtype diag_indices mintypecode may_share_memory
    shares_memory busday_count busday_offset busdaycalendar is_busday datetime_as_string
    datetime_data isnat poly1d ufunc vectorize unpackbits packbits require broadcast nditer
    asmatrix matrix recarray rec record char chararray SpecialFunctionWarning SpecialFunctionError
    roots poly ravel_multi_index unravel_index isscalar bernoulli euler factorialk
    stirling2 legendre chebyt chebyu chebyc chebys jacobi laguerre genlaguerre hermite hermitenorm
    gegenbauer sh_legendre sh_chebyt sh_chebyu sh_jacobi""".split()
)
PLACE = r" \((?:in|made at) \S+ `[^`]*`\)"  # the line of this file in an error
TABLES = re.compile(r"roots_\w+|\w+_(zeros|roots|seq|coef)")  # numbers for orders that are numbers
CONVERTS = set(
    "array asarray asanyarray ascontiguousarray asfortranarray asarray_chkfinite".split()
)


ARRAYS = "on arrays, or make an operation of it by ad.op"
WAY = "→"
GENERAL = ("around a list of expressions", "for `if`", "to compute it")  # no way of its own


class Verdict(NamedTuple):
    """whole, in part, refused or not applicable; and what is refused, or what to write."""

    kind: str
    words: str = ""


def functions(room: str) -> Iterator[tuple[str, Any]]:
    """The public functions of a module, by name."""
    module = ROOMS[room]
    for name in sorted(set(module.__all__)):
        f = getattr(module, name)
        if callable(f) and not (isinstance(f, type) and name not in MAKES):
            yield name, f


def verdict(room: str, name: str, f: Any) -> Verdict:
    """What expressions get from this function."""
    if name in MAKES or TABLES.fullmatch(name) or isinstance(f, type):
        return Verdict("not applicable")
    if name in CONVERTS:
        return Verdict("refused", "`ad.array(...)`")
    try:
        if isinstance(f, np.ufunc):
            return of_ufunc(room, f)
        if isinstance(f, DISPATCHED):
            return of_dispatched(f)
    except TypeError as error:
        return Verdict("refused", remedy(error))
    return of_call(f)


def of_ufunc(room: str, f: np.ufunc) -> Verdict:
    ours = protocol.find(f.__name__, room)
    if f.__name__ in scipy_functions.RESULTS:
        return of_slopes(*[scipy_functions.row_of(p) for p in scipy_functions.parts(f.__name__)])
    row = scipy_functions.ROWS.get(f.__name__)
    if getattr(ours, "__module__", "") != scipy_functions.__name__:
        return Verdict("whole")
    if f.__name__ in scipy_functions.JUMPS:
        return Verdict("whole")
    if row is None:
        return Verdict("in part", "no slope")
    return of_slopes(row)


def of_slopes(*rows: Any) -> Verdict:
    """By the rows of slopes, one for each result."""
    names = rows[0].names.split()
    operands = [ad.constant(1 if n == "n" else 0.5) for n in names]
    slopes = [row.slopes(*operands, ad.constant(0.5)) for row in rows]
    none = [n for n, *column in zip(names, *slopes, strict=True) if any(s is None for s in column)]
    return Verdict("in part", f"no slope by {', '.join(none)}") if none else Verdict("whole")


def of_dispatched(f: Any) -> Verdict:
    ours = protocol.find(f.__name__, f.__module__)
    if f.__name__ in BY_PLACE:
        return Verdict("whole")
    theirs, known = protocol.parameters(f), protocol.parameters(ours)
    if any(p.kind is p.VAR_KEYWORD for p in known.values()) and not known.keys() - {"how"}:
        return Verdict("whole")
    refused = [
        p.name for p in theirs.values()
        if p.default is not p.empty and p.name not in known and p.name not in UNSAID
    ]  # fmt: skip
    more = any(p.kind is p.VAR_KEYWORD for p in known.values())
    if not refused or more or not known:
        return Verdict("whole")
    return Verdict("in part", f"without {', '.join(f'{p}=' for p in refused)}")


def of_call(f: Any) -> Verdict:
    """By calling it: with a vector, and with numbers before it."""
    x, words = ad.vector("x", shape=3), ""
    for args in ((x,), (1, x), (x, 1), (1, 1, x), (1, x, x), (x, x)):
        try:
            found = f(*args)
        except Exception as error:
            words = remedy(error) if words in ("", ARRAYS) else words
            continue
        parts = found if isinstance(found, (tuple, list)) else (found,)
        if all(isinstance(part, ad.Expr) for part in parts):
            return Verdict("whole")
    return Verdict("refused", words)


def remedy(error: Exception) -> str:
    """What an error says to write instead."""
    text = re.sub(PLACE, "", str(error))
    text = re.sub(r"[Ww]rite |call it ", WAY, text, count=1)
    found = re.search(f"{WAY}(.*)", text)
    if not found or any(word in text for word in GENERAL):
        return ARRAYS
    return found[1].strip().removesuffix(".")


def table() -> dict[str, dict[str, Verdict]]:
    """The verdicts, by module and name."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {
            room: {name: verdict(room, name, f) for name, f in functions(room)} for room in ROOMS
        }


HEAD = """# What of NumPy and SciPy is taken

The script `book/accepted.py` wrote this page from the package, with NumPy {numpy} and SciPy
{scipy}. It lists every public function of four modules, as a user calls it on expressions.

- *whole*: with every keyword that has a meaning for expressions. No function takes `out=`,
  `where=`, `casting=`, `order=` and their like.
- *in part*: without these keywords, or without these slopes, which have no closed form.
- *refused*: an error says what to write.
- *not applicable*: nothing that could be an expression goes in.

"""
KINDS = ("whole", "in part", "refused", "not applicable")


def lines(found: dict[str, dict[str, Verdict]]) -> Iterator[str]:
    yield "| module | " + " | ".join(KINDS) + " |"
    yield "|---" * 5 + "|"
    for room, rows in found.items():
        counts = Counter(v.kind for v in rows.values())
        yield f"| `{room}` | " + " | ".join(str(counts[kind]) for kind in KINDS) + " |"
    for room, rows in found.items():
        yield f"\n## {room}\n"
        yield "| taken | how | functions |"
        yield "|---|---|---|"
        groups: dict[Verdict, list[str]] = {}
        for name, v in rows.items():
            groups.setdefault(v, []).append(f"`{name}`")
        for v in sorted(groups, key=lambda v: (KINDS.index(v.kind), v.words)):
            words = v.words.replace("|", r"\|")
            yield f"| {v.kind} | {words} | {', '.join(groups[v])} |"


def page() -> str:
    head = HEAD.format(numpy=short(np.__version__), scipy=short(scipy.__version__))
    return head + "\n".join(lines(table())) + "\n"


def short(number: str) -> str:
    return ".".join(number.split(".")[:2])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
