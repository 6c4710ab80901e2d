"""The journal of a grading: a line of JSON for each answer, written as soon as its result is known.

Whatever ends the grader, nothing is lost: the next one reads the journal, and goes on. An answer is
known by a digest of its file and of all on which its result depends, and not by its name.
"""

import json
import os
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any

from .marks import Result, as_json, from_json
from .submission import LARGEST, contents


class Journal:
    """The results that are known, and the answers at which the grader was at work when it ended.

    Parameters
    ----------
    path : Path, optional
        Its file; without one, nothing is kept.
    version : str, default: ""
        That of the package: results of another one do not count.
    """

    def __init__(self, path: Path | None = None, version: str = ""):
        self.path, self.version, self.lock = path, version, Lock()
        self.results: dict[str, Result] = {}
        self.final: set[str] = set()
        self.begun: Counter[str] = Counter()
        self.is_over = self.is_ours = True
        for line in self.lines():
            self.take(line)

    def lines(self) -> Iterator[Any]:
        """Yield the lines that are JSON. The last line may not be whole."""
        if self.path and self.path.exists():
            self.is_ours = self.path.is_file()  # a device may have no end
            if not self.is_ours:
                return
            lines = self.path.read_text("utf-8", errors="replace").splitlines()
            self.is_ours = not lines or lines[0].startswith('{"begin": ')
            for line in lines:
                with suppress(ValueError):
                    yield json.loads(line)

    def take(self, said: Any) -> None:
        """One line of it."""
        match said:
            case {"begin": str(key)}:
                self.begun[key] += 1
                self.is_over = False
            case {"key": str(key), "final": bool(final), "result": dict(result)}:
                self.results[key] = from_json(result)
                self.final = self.final | {key} if final else self.final - {key}
                self.begun[key] = 0
            case {"pause": _}:
                self.begun.clear()
            case {"end": _}:
                self.is_over = True

    def write(self, **said: Any) -> None:
        """Add a line, and see to it that it is on the disk."""
        with self.lock:
            self.take(said)
            if not self.path:
                return
            with self.path.open("ab+") as file:
                file.seek(0, os.SEEK_END)
                if file.tell() and not self.ends_a_line(file):
                    file.write(b"\n")
                file.write(json.dumps(said).encode() + b"\n")
                file.flush()
                os.fsync(file.fileno())

    @staticmethod
    def ends_a_line(file: Any) -> bool:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"

    # ---- what is written

    def begin(self, key: str) -> None:
        """The grader is at work at this answer."""
        self.write(begin=key)

    def add(self, key: str, result: Result, final: bool) -> None:
        """A result; one that is not final is of an answer that is graded once more."""
        self.write(key=key, final=final, result=as_json(result))

    def pause(self) -> None:
        """A person ended the grading: no answer is to blame."""
        self.write(pause=True)

    def end(self) -> None:
        """All have their results."""
        self.write(end=True)


def digest(*parts: object) -> str:
    """That of their texts."""
    return sha256(repr(parts).encode()).hexdigest()


def key_of(path: Path, settings: str) -> str:
    """The digest of a file, and of what else a result depends on."""
    try:
        return digest(settings, contents(path, LARGEST))
    except OSError as error:
        return digest(settings, error.strerror)
