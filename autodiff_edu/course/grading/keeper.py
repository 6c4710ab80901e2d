"""The keeper: the parent of the process in which an answer runs, so that the grader is not.

An answer may end its parent. Then it has ended itself: the keeper's child ends with it. The keeper
adopts what its child leaves behind, and ends that. There is one where there are forks; elsewhere a
process is started by a keeper that is a program (`starter.py`).
"""

import os
import socket

from ..harness import starter
from ..harness.identity import seed
from ..harness.orphans import adopt, end_children, end_with_parent


class Keeper:
    """The keeper, seen from its child."""

    def __init__(self, line: socket.socket | None = None):
        self.line = line
        if line:
            os.register_at_fork(after_in_child=line.close)

    def ended(self) -> bool:
        """Has it? One to which the end was sent says nothing more, even if it is still there."""
        if not self.line:
            return False
        try:
            self.line.send(b"?")
            return not self.line.recv(1)
        except OSError:
            return True


def keep() -> Keeper:
    """Go on in a child of this process, where there are forks; this process is the keeper."""
    if not starter.FORKS:
        return Keeper()
    adopt()
    line, ours = socket.socketpair()
    if number := os.fork():
        line.close()
        for pipe in (0, 1):
            os.close(pipe)
        while word := ours.recv(1):
            ours.send(word)
        os.waitpid(number, 0)
        end_children()
        os._exit(0)
    ours.close()
    end_with_parent()
    seed()  # each fork draws anew
    return Keeper(line)
