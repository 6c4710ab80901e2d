"""What a check found, as sentences: what is wrong, what is right, and what is worth knowing."""

import textwrap
from collections.abc import Sized
from dataclasses import dataclass, field

WIDTH = 96


@dataclass
class Report:
    """What `op.check` found. It counts as true where nothing is wrong.

    Parameters
    ----------
    subject : str
        What was checked.
    findings : list of str, optional
        What is wrong, and what to write instead.
    passed : list of str, optional
        What was compared and is right.
    notes : list of str, optional
        What is no fault, but should be known.

    Examples
    --------
    >>> report = ad.sin.check([1.0])
    >>> report.ok, report.findings
    (True, [])
    """

    subject: str
    findings: list[str] = field(default_factory=list)
    passed: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Is nothing wrong?"""
        return not self.findings

    def __bool__(self) -> bool:
        return self.ok

    @property
    def verdict(self) -> str:
        """Right or not right, in words."""
        return "right" if self.ok else "not right"

    @property
    def kinds(self) -> dict[str, list[str]]:
        """What was found, by kind: wrong, right, and notes."""
        return {"wrong": self.findings, "right": self.passed, "note": self.notes}

    def __repr__(self) -> str:
        said = [entry(kind, text) for kind, texts in self.kinds.items() for text in texts]
        return "\n".join([f"{self.subject}: {self.verdict}", *said])


def entry(kind: str, text: str) -> str:
    """A sentence, wrapped, behind its kind; lines that begin with spaces are code and stay."""
    lines = []
    for line in text.split("\n"):
        lines += [line] if line.startswith(" ") else textwrap.wrap(line, WIDTH - 8)
    return f"  {kind:<6}" + ("\n" + " " * 8).join(lines)


def lengths(trials: Sized) -> str:
    """Where a claim was tried, if there is more than one place for it."""
    return f", for {len(trials)} combinations of lengths" if len(trials) > 1 else ""
