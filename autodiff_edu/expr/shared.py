"""State: a value that lives on between the calls of a function.

Reading, computing and writing is one step: whoever changes shared values holds their locks. A fork
copies the thread that asks for it, and no other: in the child the locks of the others are free, and
the steps in which they were have not begun.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from itertools import count
from operator import attrgetter
from threading import RLock
from typing import Any
from weakref import ref

import numpy as np

from ..core import node
from ..core.node import Expr, origin_now
from ..core.seams import HOOKS
from ..core.types import TensorType
from .methods import give


def not_yet() -> None:
    """The owner of an identity that was not copied."""


class Identity:
    """The mark that a leaf has to itself. Of objects that are pickled or copied together, pickle
    makes one copy of each identity. So a copy knows the leaf that came with it: expressions that
    shared the leaf share its copy."""

    __slots__ = ("owner",)

    def __init__(self) -> None:
        self.owner: Callable[[], Any] = not_yet

    def owned(self, by: Any) -> None:
        """Say whose it is; an identity keeps nothing alive."""
        self.owner = ref(by)

    def __reduce__(self) -> Any:
        return type(self), ()


give(node, Identity=Identity)  # where inputs that were stored before look for it


class Lock(Identity):
    """What a thread holds while it changes a value. Locks are always taken in the order in which
    they were made, so that no two threads wait for each other. A copy is a lock of its own."""

    __slots__ = ("number", "inner", "__weakref__")
    numbers = count()

    def __init__(self) -> None:
        super().__init__()
        self.number, self.inner = next(self.numbers), RLock()
        _locks.add(ref(self, _locks.discard))  # no function of ours: it may die in a student's code


_locks: set[Callable[[], Lock | None]] = set()  # all that live
_steps: dict[int, tuple[Sequence["Shared"], list[Any]]] = {}  # under way: the values before each


def renew() -> None:
    """In the child of a fork: undo the steps of threads that are not here, and free their locks."""
    for step, (values, before) in list(_steps.items()):
        if is_held_elsewhere(values[0].lock):
            del _steps[step]
            for w, value in zip(values, before, strict=True):
                w.held = value
    for lock in [find() for find in list(_locks)]:
        if lock is not None and is_held_elsewhere(lock):
            lock.inner = RLock()


def is_held_elsewhere(lock: Lock) -> bool:
    """Does another thread hold it?"""
    if lock.inner.acquire(blocking=False):
        lock.inner.release()
        return False
    return True


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=renew)


# ---- who looks at values while functions are traced

_watch: ContextVar[list | None] = ContextVar("watch", default=None)


def noticed() -> None:
    """A value is read, or made, just now: a graph that is being traced may depend on it."""
    watch = _watch.get()
    if watch is not None:
        watch.append(True)


@contextmanager
def watched() -> Iterator[list]:
    """A list that is empty as long as no value is read."""
    reads: list[bool] = []
    token = _watch.set(reads)
    try:
        yield reads
    finally:
        _watch.reset(token)
        if reads:
            noticed()


class Shared(Expr):
    """A leaf whose value every program finds in one place, and that `updates` may change.

    `default_update`, where there is one, is what a function puts in its place after each
    call. A copy, deep or not, is a shared value of its own.

    Parameters
    ----------
    value : array_like
        The first value.
    name : str or None
        How it is called.
    type : TensorType
        That of every value.

    See Also
    --------
    shared : How a user makes one.

    Examples
    --------
    >>> w = ad.shared([1.0, 2.0], "w")
    >>> w.set_value([3.0, 4.0])
    >>> w.get_value()
    array([3., 4.])
    """

    __slots__ = {
        "held": "The array itself. That it is read is not noted by a trace.",
        "default_update": "What a function puts in its place after each call, or None.",
        "lock": "What a thread holds while it changes the value.",
        "__weakref__": "What the lock of a copy has of it.",
    }

    def __init__(self, value: Any, name: str | None, type: TensorType):
        super().__init__(None, (), (), type, origin_now(), name)
        self.default_update: Expr | None = None
        self.lock = Lock()
        noticed()
        self.set_value(value)

    @property
    def value(self) -> Any:
        """The array itself, as it is now."""
        noticed()
        return self.held

    @value.setter
    def value(self, value: Any) -> None:
        self.held = value

    def get_value(self, borrow: bool = False) -> Any:
        """The value now.

        Parameters
        ----------
        borrow : bool, default: False
            Whether to give the array itself, which a later call may replace, and no copy.

        Returns
        -------
        array
            The value.

        Examples
        --------
        >>> ad.shared([1.0, 2.0]).get_value()
        array([1., 2.])
        """
        value = self.value
        return value if borrow else np.array(value)[()]

    def set_value(self, value: Any, borrow: bool = False) -> None:
        """Put a value of the same type in its place.

        Parameters
        ----------
        value : array_like
            The new value.
        borrow : bool, default: False
            Whether to keep the array itself, and no copy.

        Raises
        ------
        DTypeError
            If it cannot be held without loss.
        ShapeError
            If its shape does not fit.

        Examples
        --------
        >>> w = ad.shared(1.0)
        >>> w.set_value(2.0)
        >>> w.get_value()
        np.float64(2.0)
        """
        array = self.accepted(value)
        array = array if borrow else np.array(array)[()]
        with self.lock.inner:
            self.value = array

    def accepted(self, value: Any) -> Any:
        """A value that has been checked, as an array of the declared type.

        Parameters
        ----------
        value : array_like
            A value.

        Returns
        -------
        array
            The same.

        Raises
        ------
        DTypeError
            If it cannot be held without loss.
        ShapeError
            If its shape does not fit.

        Examples
        --------
        >>> ad.shared(1.0).accepted(3)
        np.float64(3.0)
        """
        return HOOKS["accept"](self, value)

    def __copy__(self) -> Expr:
        return self.__deepcopy__({})


def locks_of(shared: Sequence[Shared]) -> list[Lock]:
    """The locks of these values in the order in which they are taken."""
    return sorted([w.lock for w in shared], key=attrgetter("number"))


def snapshot(*shared: Shared) -> list[Any]:
    """The values at one moment, at which nobody is changing any of them."""
    locks = locks_of(shared)
    for lock in locks:
        lock.inner.acquire()
    try:
        return [w.value for w in shared]
    finally:
        for lock in locks:
            lock.inner.release()


def one_step(*shared: Shared) -> Callable[..., Any]:
    """A decorator of a function that reads and changes these: one call after the other."""
    locks = locks_of(shared)

    def decorate(run: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(run)
        def alone(*values: Any, **named: Any) -> Any:
            for lock in locks:
                lock.inner.acquire()
            before = shared, [w.held for w in shared]
            _steps[id(before)] = before
            try:
                return run(*values, **named)
            finally:
                del _steps[id(before)]
                for lock in locks:
                    lock.inner.release()

        return alone

    return decorate
