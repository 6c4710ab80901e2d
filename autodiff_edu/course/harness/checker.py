"""The way of a check: notebook → job → worker → verdict → notebook.

`@checker` marks a function that judges what a student wrote. Called in a notebook, it does not run
there: the call is pickled, with the student's function and all that it needs, and a second process,
the worker, runs it within the limits of `limits.py`. Back comes a verdict, in words. One worker is
kept for the next check. It is replaced where it had to be stopped, or is not as it was.

Where there can be no second process, as in a browser, the check runs here, and says so: limits of
steps and time hold then, and none of memory.

Random inputs are fresh ones in each check. Where AUTODIFF_EDU_SEED is set, equal checks
draw equal inputs: in tests, and where all of a class shall be graded alike.
"""

import io
import linecache
import os
import pickle
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, NamedTuple, ParamSpec

import cloudpickle

from ...expr import is_function
from ...run.compiled import Compiled
from ...run.portable import restored
from .docs import documented
from .feedback import Wrong, kind
from .guard import is_own, watched
from .limits import Limits, limits
from .supervisor import SUPERVISOR, NoWorker
from .verdict import JUDGING, Verdict, verdict

P = ParamSpec("P")
NAMELESS = "the answer"


def checker(check: Callable[P, None]) -> Callable[P, None]:
    """The same check, in the worker. One that another check calls runs where that one does."""

    @wraps(check)
    def judged(*args: P.args, **how: P.kwargs) -> None:
        if JUDGING.get():
            check(*args, **how)
            return
        args = with_function(check, args)  # type: ignore[assignment]
        how.update(seeded(check, how))
        try:
            found = SUPERVISOR.judge(job(judged, args, how))
        except NoWorker as reason:
            print(f"(checked without a second process, {reason}: memory has no limit)")
            found = here(check, args, how)
        found.deliver()

    judged.__doc__ = documented(check)
    return judged


def with_function(check: Callable[..., None], args: tuple) -> tuple:
    """The arguments; of a check of a student's function, with one that has a name in first place.

    Raises Wrong if there is none. Objects that can be called, such as partial(f, 2), have no name.
    """
    if not args or check.__code__.co_varnames[0] != "student":
        return args
    student, *others = args
    if not is_function(student):
        raise Wrong(f"the answer must be a function, and is {kind(student)}: write it with def, "
                    "and give it to the check without a call")  # fmt: skip
    if isinstance(getattr(student, "__name__", None), str):
        return args

    def answer(*given: Any, **options: Any) -> Any:
        return student(*given, **options)

    answer.__name__ = NAMELESS
    return (answer, *others)


def here(check: Callable[..., None], args: tuple, how: dict[str, Any]) -> Verdict:
    """The verdict of this process."""

    def watchful() -> None:
        with watched(by_hand=False):
            check(*args, **how)

    return verdict(watchful, name_of(args), alone=True)


# ---- chance


def seeded(check: Callable[..., None], how: dict[str, Any]) -> dict[str, int]:
    """The seed of a check that draws and is given none, where the environment asks for one.

    It differs from check to check, and between a visible check and a hidden one with more trials.
    """
    common, defaults = os.environ.get("AUTODIFF_EDU_SEED"), check.__kwdefaults__ or {}
    if not common or "seed" not in defaults or how.get("seed") is not None:
        return {}
    return {"seed": zlib.crc32(f"{common} {check.__name__} {how.get('trials')}".encode())}


# ---- a call as bytes


class Job(NamedTuple):
    """A call of a checker, and what the worker needs to run it."""

    name: str  # of the student's function
    limits: Limits
    path: list[str]  # where modules are looked for
    sources: dict[str, list[str]]  # the text of notebook cells, by the names that Python gives them
    work: bytes  # (checker, args, how), pickled


class Sender(cloudpickle.Pickler):
    """Sends what cloudpickle does, and programs as what they are made of."""

    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, Compiled):
            return restored, obj.portrait()
        return super().reducer_override(obj)


def job(check: Callable[..., None], args: tuple, how: dict[str, Any]) -> Job:
    """Raises NoWorker if something in it cannot be sent."""
    own = [f for f in (*args, *how.values()) if callable(f)]
    try:
        with by_value(own):
            room = io.BytesIO()
            Sender(room).dump((check, args, how))
            work = room.getvalue()
    except (pickle.PicklingError, TypeError, AttributeError, RecursionError) as error:
        raise NoWorker(f"since this answer cannot be sent to one ({error})") from None
    return Job(name_of(args), limits(), list(sys.path), sources(own), work)


@contextmanager
def by_value(functions: Iterable[Any]) -> Iterator[None]:
    """Functions of a student's own files are sent as they are now, not by the names of files."""
    found = {sys.modules.get(getattr(f, "__module__", None) or "") for f in functions}
    own = [m for m in found if m is not None and m.__name__ != "__main__" and is_own(m)]
    own = [m for m in own if m.__name__ not in cloudpickle.list_registry_pickle_by_value()]
    for module in own:
        cloudpickle.register_pickle_by_value(module)
    try:
        yield
    finally:
        for module in own:
            cloudpickle.unregister_pickle_by_value(module)


def sources(functions: Iterable[Any]) -> dict[str, list[str]]:
    """The lines of the cells in which the functions were written: no file has them."""
    files = {f.__code__.co_filename for f in functions if hasattr(f, "__code__")}
    return {file: linecache.getlines(file) for file in files if not os.path.exists(file)}


def name_of(args: tuple) -> str:
    """What the student's function is called."""
    return str(getattr(args[0], "__name__", NAMELESS)) if args else NAMELESS
