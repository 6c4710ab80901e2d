"""A call of a program for JAX: values come in, shared ones are read and written, results given.

It computes in double precision whatever JAX is set to. Arrays of JAX stay where they are, sharded
or not, and then the results are such arrays, too; NumPy's arrays give NumPy's.
"""

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from ...expr import Expr, LazyModule, one_step, snapshot
from ...expr import accept as accept_array

jax, jnp = LazyModule("jax"), LazyModule("jax.numpy")


def accept(n: Any, value: Any) -> Any:
    """A user's value as an array of the input's type; one of JAX is not moved."""
    if not isinstance(value, jax.Array):
        return accept_array(n, value)
    accept_array(n, np.broadcast_to(np.zeros((), value.dtype), value.shape))
    with jax.enable_x64(True):
        value = automatic(value)
        return value if value.dtype == n.dtype else value.astype(n.dtype)


def automatic(value: Any) -> Any:
    """The array on a mesh whose axes are the compiler's affair: it divides the work by how the
    inputs are sharded, and no line of a program says how its result is to be."""
    sharding: Any = None if isinstance(value, jax.core.Tracer) else value.sharding
    mesh = getattr(sharding, "mesh", None)
    automatic = jax.sharding.AxisType.Auto
    if mesh is None or all(kind == automatic for kind in mesh.axis_types):
        return value
    mesh = jax.sharding.Mesh(mesh.devices, mesh.axis_names, (automatic,) * mesh.devices.ndim)
    return jax.device_put(value, jax.NamedSharding(mesh, sharding.spec))


class Call:
    """What calls the compiled function `run` of a source; `guard` takes the values in."""

    def __init__(self, run: Callable[..., Any], source: Any, guard: Any):
        self.run, self.source, self.guard = run, source, guard
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        names = [source.names[i] for i in source.inputs]
        self.signature = inspect.Signature([inspect.Parameter(name, kind) for name in names])
        self.static = [i in source.lengths.leaves for i in source.taken]

    def function(self) -> Callable[..., Any]:
        """The function that users call."""

        def program(*given: Any, **named: Any) -> Any:
            return self(self.signature.bind(*given, **named).args)

        program.__name__ = program.__qualname__ = self.source.function
        program.__signature__ = self.signature  # type: ignore[attr-defined]
        program.lowered = self.lowered  # type: ignore[attr-defined]
        held = dict.fromkeys([*self.source.shared, *self.source.updated])
        return one_step(*held)(program) if self.source.updated else program

    def __call__(self, given: tuple) -> Any:
        source = self.source
        values = self.guard(*given)
        theirs = any(isinstance(v, jax.Array) for v in values)
        taken = [*values, *snapshot(*source.shared)]
        pairs = zip(taken, self.static, strict=True)
        with jax.enable_x64(True):
            found = self.run(*[np.asarray(v)[()] if static else v for v, static in pairs])
            count = len(found) - len(source.updated)
            self.write(found[count:])
            results = [jnp.asarray(y) if theirs else np.array(y)[()] for y in found[:count]]
        return results if source.listed else results[0]

    def write(self, values: tuple) -> None:
        """Shared values become these; all are checked before any is written."""
        pairs = zip(self.source.updated, values, strict=True)
        checked = [(w, w.accepted(np.array(value)[()])) for w, value in pairs]
        for w, value in checked:
            w.value = value

    def lowered(self) -> str:
        """What is given to the compiler, StableHLO. Raises ValueError where a length is unknown."""
        if self.source.lengths.in_entries:
            raise ValueError("nothing is compiled: lengths depend on the entries of arrays")
        for i, static in zip(self.source.taken, self.static, strict=True):
            if static:
                raise ValueError(f"it is compiled for each value of {i}, which tells lengths: "
                                 f"put a number in its place, as by givens={{{i}: 3}}")  # fmt: skip
        with jax.enable_x64(True):
            types = [described(i) for i in self.source.taken]
            compiled: Any = getattr(self.run, "__wrapped__", None)
            compiled = compiled if hasattr(compiled, "lower") else self.run
            return compiled.lower(*types).as_text()


def described(i: Expr) -> Any:
    """The type of an argument as JAX states it."""
    if not i.type.known:
        raise ValueError(f"lengths of {i} are not known: declare them, as in shape=3 or (3, 4)")
    return jax.ShapeDtypeStruct(i.type.shape, i.dtype)
