"""`f.calls`: how often a function was called, how often and why it was traced, what is compared."""

import warnings
from typing import Any

from ..expr import Remembered, user_place
from .captured import Look
from .kept import Kept
from .unsure import PROMISE, TracedAnew, Unsure, name_in_words

REASONS = 64  # that are remembered

WARNED = Kept()  # functions of which it was said that they are traced anew


class Calls(Remembered):
    """The calls of a traced function.

    Parameters
    ----------
    f : callable
        What the user wrote.

    See Also
    --------
    pure : A promise that nothing but the arguments matters.

    Examples
    --------
    >>> scale = 2.0
    >>> slope = ad.grad(lambda x: scale * x * x)
    >>> [slope(v) for v in (3.0, 4.0, 5.0)]
    [12.0, 16.0, 20.0]
    >>> slope.calls
    3 calls, traced once: for x: float64
    compared at each call: scale
    """

    def __init__(self, f: Any):
        self.f, self.count = f, 0
        self.reasons: list[str] = []  # of the latest traces
        self.traced = self.changes = 0
        self.compared: tuple[str, ...] = ()
        self.doubt: Unsure | None = None  # to be told when a trace ends well

    def note(self, reason: str) -> None:
        """It is traced for this reason.

        Parameters
        ----------
        reason : str
            In words.
        """
        self.traced += 1
        if self.doubt:
            self.tell(self.doubt.message(self.f))
            self.doubt = None
        self.reasons = [*self.reasons, reason][-REASONS:]

    def tell(self, message: str) -> None:
        """Say once for a function that it is traced anew at each call.

        Parameters
        ----------
        message : str
            Why, and what to write instead.
        """
        key = getattr(self.f, "__code__", None) or id(self.f)
        if key not in WARNED:
            WARNED.keep(key, self.f)
            place = user_place()
            where = place.where.partition(":")[0] if place else ""
            line = place.line if place else 1
            warnings.warn_explicit(message, TracedAnew, where or "notebook", line)

    def unsure(self, unsure: Unsure) -> str:
        """Why it is traced: it reads what nobody can compare.

        Parameters
        ----------
        unsure : Unsure
            The reason.

        Returns
        -------
        str
            The reason in words.
        """
        self.doubt = unsure
        return unsure.reason

    def changed(self, before: Any, now: Look) -> str:
        """Why it is traced: what it reads is not what it was.

        Parameters
        ----------
        before : Branches or None
            The paths for these types.
        now : Look
            The latest look at what it reads.

        Returns
        -------
        str
            The reason in words, "" where arguments of these types are new.
        """
        self.compared, self.doubt = tuple(now.loads), None
        if before is None:
            return ""
        if not before.look:
            return "it changes what it reads"
        return f"{now.changed_from(before.look)} changed"

    def changing(self, reads: Any, before: Look, after: Any) -> None:
        """Say that it changed what it reads while it was traced.

        Parameters
        ----------
        reads : list
            Not empty if it read a shared value.
        before, after : Look
            What it read before and after.
        """
        self.changes += 1
        if self.changes < 2:  # what is loaded at its first use changes once
            return
        name = name_in_words(self.f)
        names = ["a shared value, or reads one"] if reads else []
        names += [after.changed_from(before)] if isinstance(after, Look) else []
        self.tell(
            f"{name} is traced anew at each call: it changes "
            f"{', '.join(filter(None, names)) or 'something outside'}. Return the new value "
            f"instead, and keep it outside; {PROMISE.format(f=name)}"
        )

    def __repr__(self) -> str:
        times = "once" if self.traced == 1 else f"{self.traced} times"
        why = "; ".join(dict.fromkeys(self.reasons))
        head = f"{self.count} call{'s' * (self.count != 1)}, traced {times}: {why}"
        rest = f"\ncompared at each call: {', '.join(self.compared)}" if self.compared else ""
        return head + rest
