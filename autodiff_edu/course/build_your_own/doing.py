"""What runs of a student's is watched, and what goes wrong is told, with what was being done."""

import re
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

import numpy as np

from ..harness.feedback import Unsolved, Wrong
from ..harness.guard import is_installed, watched
from ..harness.verdict import told

ADDRESS = re.compile(r" at 0x\w+")  # where something is in memory: another place each time


@contextmanager
def doing(
    what: str, depth: int | None = None, seconds: float | None = None, closely: bool = True
) -> Iterator[None]:
    """Run what stands inside under watch, our engine closed. `what` says what it is.

    With closely=False only the process is watched: that is quicker, where work is long.

    Raises Wrong for every error of the student's, and Unsolved where nothing has been written.
    """
    try:
        watch = watched(depth=depth, seconds=seconds) if closely else nullcontext()
        with np.errstate(all="ignore"), watch:
            yield
    except NotImplementedError as error:
        raise Unsolved(unwritten(error)) from None
    except Unsolved:
        raise
    except Wrong as wrong:
        raise wrong.rephrase(f"{wrong}\n  at        {what}") from None
    except MemoryError as error:
        error.add_note(what)
        raise
    except KeyboardInterrupt:  # of the person at the notebook
        raise
    except RecursionError as error:
        advice = "use a loop, and a list as a stack"
        raise Wrong(f"RecursionError: {error}: {advice}\n  at        {what}") from None
    except BaseException as error:
        said = ADDRESS.sub("", told(error))
        raise Wrong(f"it raised {said}\n  at        {what}") from None


def unwritten(error: NotImplementedError) -> str:
    """The file and the function in which a student has to write."""
    codes = [frame.f_code for frame, _ in traceback.walk_tb(error.__traceback__)]
    own = [code for code in codes if not is_installed(code.co_filename)]
    file = own[-1].co_filename if own else "the file"
    name = own[-1].co_name if own else "<module>"
    what = f"{file} is not" if name == "<module>" else f"{name} in {file} is not"
    return f"{what} written yet: replace `raise NotImplementedError()` there"
