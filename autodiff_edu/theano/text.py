"""Pickles of Theano's years, and `theano.compat`: what both Pythons call by one name."""

import pickle
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Sequence
from typing import Any


def dump(obj: Any, file_handler: Any, protocol: int = pickle.DEFAULT_PROTOCOL, **_: Any) -> None:
    """Store an object."""
    pickle.dump(obj, file_handler, protocol)


def load(f: Any, persistent_load: Any = None) -> Any:
    """The object that is stored; one of Python 2's is read as latin1."""
    return pickle.load(f, encoding="latin1")


PICKLES: dict[str, Any] = {"dump": dump, "load": load, "StripPickler": pickle.Pickler}


def exc_message(e: BaseException) -> str:
    """The message of an error."""
    return str(e.args[0] if e.args else e)


def izip(*rows: Any) -> Any:
    return zip(*rows)


def imap(f: Any, *rows: Sequence[Any]) -> Any:
    return map(f, *rows)


COMPAT: dict[str, Any] = {
    "PY3": True, "exc_message": exc_message, "izip": izip, "imap": imap, "OrderedDict": OrderedDict,
    "defaultdict": defaultdict, "Counter": Counter, "operator_div": lambda a, b: a / b,
    "cmp": lambda a, b: (a > b) - (a < b), "decode": str, "get_unbound_function": lambda f: f,
}  # fmt: skip
