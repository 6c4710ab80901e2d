"""Names that NumPy and the standard library removed since, for one script alone.

The script's own `import` gives it stand-ins, which have these names and hand on all others. A
module beside the script is converted as the script is.
"""

import builtins
import collections
import collections.abc
import functools
import importlib
import inspect
import io
import pickle
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from .python2 import classic_division, compiled, converted

Names = dict[str, Any]


def load(file: Any, **how: Any) -> Any:
    """pickle.load, for a file that Python 2 wrote, and opened as a text."""
    return pickle.load(getattr(file, "buffer", file), encoding="latin1", **how)


def loads(data: Any, **how: Any) -> Any:
    return pickle.loads(data, encoding="latin1", **how)


def dump(obj: Any, file: Any, protocol: Any = None, **how: Any) -> None:
    pickle.dump(obj, getattr(file, "buffer", file), protocol, **how)


class ArgSpec(NamedTuple):
    """What getargspec gave."""

    args: Any
    varargs: Any
    keywords: Any
    defaults: Any


def getargspec(function: Callable[..., Any]) -> Any:
    """inspect.getargspec, which Python 3.11 removed."""
    full = inspect.getfullargspec(function)
    return ArgSpec(full.args, full.varargs, full.varkw, full.defaults)


class Casts(dict):
    """np.cast: `np.cast["float32"](x)` was an array of that dtype."""

    def __missing__(self, dtype: Any) -> Callable[[Any], Any]:
        return lambda a: np.asarray(a, dtype)


NUMPY: Names = {
    "int": int, "float": float, "bool": bool, "object": object, "str": str, "complex": complex,
    "long": int, "unicode": str, "float_": np.float64, "unicode_": np.str_, "string_": np.bytes_,
    "Inf": np.inf, "Infinity": np.inf, "infty": np.inf, "PINF": np.inf, "NINF": -np.inf,
    "NaN": np.nan, "NAN": np.nan, "product": np.prod, "cumproduct": np.cumprod, "sometrue": np.any,
    "alltrue": np.all, "asscalar": lambda a: a.item(), "in1d": np.isin, "row_stack": np.vstack,
    "round_": np.round, "rank": np.ndim, "asfarray": lambda a, dtype=float: np.asarray(a, dtype),
    "trapz": getattr(np, "trapezoid", None), "msort": lambda a: np.sort(a, axis=0),
    "cast": Casts(), "int0": np.intp, "mat": np.asmatrix,
    "bool8": np.bool_, "find_common_type": lambda a, b: np.result_type(*a, *b),
}  # fmt: skip
REMOVED: dict[str, Names] = {
    "numpy": {k: v for k, v in NUMPY.items() if v is not None},
    "inspect": {"getargspec": getargspec},
    "time": {"clock": time.perf_counter},
    "collections": {n: getattr(collections.abc, n) for n in (
        "Mapping", "MutableMapping", "Sequence", "Iterable", "Callable", "Hashable", "Sized")},
    "pickle": {"load": load, "loads": loads, "dump": dump},
    "string": {"letters": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "join": (
        lambda words, sep=" ": sep.join(words))},
    "itertools": {"izip": zip, "imap": map, "ifilter": filter},
    "fractions": {"gcd": __import__("math").gcd},
    "os": {"getcwdu": __import__("os").getcwd},
}  # fmt: skip
ELSEWHERE = {  # modules that have another name today
    "cPickle": "pickle", "_pickle": "pickle", "six.moves.cPickle": "pickle", "cStringIO": "io",
    "StringIO": "io",
    "Queue": "queue", "ConfigParser": "configparser", "urllib2": "urllib.request",
    "sklearn.cross_validation": "sklearn.model_selection", "sklearn.externals.joblib": "joblib",
}  # fmt: skip
BUILTINS: Names = {
    "xrange": range, "unicode": str, "basestring": str, "long": int, "raw_input": input,
    "file": open, "reduce": functools.reduce, "unichr": chr, "cmp": lambda a, b: (a > b) - (a < b),
    "reload": importlib.reload, "StandardError": Exception,
    "__classic_division__": classic_division,
    "buffer": memoryview, "StringIO": io.StringIO,
}  # fmt: skip


class StandIn(ModuleType):
    """A module with the names that it lost; all others are its own."""

    def __init__(self, module: ModuleType, lost: Names):
        super().__init__(module.__name__, module.__doc__)
        vars(self).update(vars(module))
        vars(self).update({k: v for k, v in lost.items() if lost_name(module, k)})
        vars(self)["_module"] = module

    def __getattr__(self, name: str) -> Any:
        return getattr(vars(self)["_module"], name)


def lost_name(module: ModuleType, name: str) -> bool:
    return module.__name__ == "pickle" or name not in vars(module)


class Importer:
    """The `import` of one script."""

    def __init__(self, folder: Path, python_2: bool):
        self.folder, self.python_2 = folder, python_2
        self.stand_ins: dict[str, StandIn] = {}
        self.loaded: list[str] = []

    def builtins(self) -> Names:
        """What is built in for the script and the modules beside it."""
        return {**vars(builtins), **BUILTINS, "__import__": self}

    def __call__(
        self, name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0
    ) -> Any:
        name = ELSEWHERE.get(name, name)
        if level == 0 or not (globals or {}).get("__package__"):
            self.beside(name.partition(".")[0])
            level = 0
        found = builtins.__import__(name, globals, locals, fromlist, level)
        return self.stand_in(found)

    def beside(self, name: str) -> None:
        """Load a module that stands beside the script."""
        path = self.folder / f"{name}.py"
        if name in sys.modules or not path.is_file():
            return
        module = ModuleType(name)
        module.__file__ = str(path)
        sys.modules[name] = module
        self.loaded.append(name)
        try:
            execute(module, path, self)
        except BaseException:
            del sys.modules[name]
            raise

    def stand_in(self, module: Any) -> Any:
        name = getattr(module, "__name__", "")
        if name not in REMOVED:
            return module
        if name not in self.stand_ins:
            self.stand_ins[name] = StandIn(module, REMOVED[name])
        return self.stand_ins[name]


def execute(module: ModuleType, path: Path, importer: Importer) -> str:
    """Run a file as a module; the text that ran."""
    source = converted(path.read_text("utf-8", errors="surrogateescape"), path.name)
    vars(module)["__builtins__"] = importer.builtins()
    exec(compiled(source, str(path)), vars(module))
    return source.text
