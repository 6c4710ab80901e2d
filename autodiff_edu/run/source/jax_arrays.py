"""The target `jax`: a pure function of JAX arrays, compiled by `jax.jit`.

Shared values are arguments of the function, behind the inputs, and their next values are its last
results; `jax_call` has what stands around it, `jax_loops` the lines of loops and branches. An
operation states its form for JAX by `targets=`, or it is its body, with jax.numpy for NumPy.
"""

from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import Any

import numpy as np

from ...expr import (
    Constant,
    Expr,
    Graph,
    LazyModule,
    TupleType,
    at,
    cached_property,
    computed_by,
    item,
    subscripts,
    word_of,
)
from ...nested.loops.scan_op import Scan
from ...ops import Loop
from ...ops.in_python import numpy_function, operator_of, ours
from ...ops.index import index
from .jax_call import Call, accept
from .jax_lengths import Lengths
from .jax_loops import Choose, Repeat, tuple_of
from .numpy_arrays import SAME_IN_NUMPY, Arrays
from .target import target
from .text import Lines

jax, jnp, lax = LazyModule("jax"), LazyModule("jax.numpy"), LazyModule("jax.lax")
special = LazyModule("jax.scipy.special")
MISSING = 'target="jax" needs JAX: write pip install "autodiff-edu[jax]", or target="numpy"'


@target("jax")
class JaxArrays(Arrays):
    """Programs over JAX."""

    namespace, library, target = "jnp", jnp, "jax"
    in_place, frames = False, (Choose, Repeat)
    accept = staticmethod(accept)

    def __init__(self, *args: Any, **options: Any):
        try:
            super().__init__(*args, **options)
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError(MISSING, name=error.name) from None
        self.space |= {"jax": jax, "lax": lax, "partial": partial}

    @cached_property
    def lengths(self) -> Lengths:
        """What must be known when JAX compiles."""
        return Lengths(self.plan.graph.outputs)

    @property
    def taken(self) -> list[Expr]:
        """What the function takes: inputs, then shared values."""
        return [*self.inputs, *self.shared]

    # ---- the text

    def decorators(self) -> list[str]:
        """Where lengths depend on the entries of arrays, JAX computes line by line."""
        if self.within or self.lengths.in_entries:
            return []
        static = [self.names[i] for i in self.taken if i in self.lengths.leaves]
        return [f"@partial(jax.jit, static_argnames={static})" if static else "@jax.jit"]

    def arguments(self, end: str = "") -> str:
        if self.loop:
            return self.loop.arguments
        return ", ".join(self.names[i] for i in self.taken)

    def beginning(self) -> list[str]:
        return []

    def operations(self) -> Lines:
        return [(f"{self.names[n]} = {self.call(n)}", n) for n in self.plan.order]

    def end(self) -> list[str]:
        results = self.results()
        alone = self.within and len(results) == 1
        return [f"return {results[0] if alone else tuple_of(results)}{self.remark(results)}"]

    def results(self) -> list[str]:
        return [self.operand(y, weak=False) for y in self.plan.graph.outputs]

    outputs = results

    def finished(self, run: Callable[..., Any], guard: Any) -> Callable[..., Any]:
        return run if self.within else Call(run, self, guard).function()

    # ---- a line

    def call(self, n: Expr, out: str = "") -> str:
        if n.op is item:
            return f"{self.names[n.inputs[0]]}[{computed_by(n)[1]}]"
        if n in self.lengths.known:
            return super().call(n)
        args = self.operands(n)
        if n.op is index and n.inputs[0].ndim:
            return f"{args[0]}[{subscripts(dict(n.static)['key'])}]"
        symbol = operator_of(n.op)
        if symbol and symbol not in "~&|":
            return f"{symbol}{args[0]}" if len(args) == 1 else f"{args[0]} {symbol} {args[1]}"
        settings = [f"{k}={v!r}" for k, v in n.static if v != n.op.parameters.get(k, ...)]
        return f"{self.callee(n)}({', '.join(args + settings)})"

    def operands(self, n: Expr) -> list[str]:
        """The operands, in the dtypes in which NumPy computes: JAX's rules for mixed ones are
        others. A number is written as one where a value of its dtype stands beside it."""
        dtypes = computed_in(n)
        met = {d for i, d in zip(n.inputs, dtypes, strict=True) if not isinstance(i, Constant)}
        weak, texts = n.op.elementwise and ours(n.op), []
        for k, (i, dtype) in enumerate(zip(n.inputs, dtypes, strict=True)):
            same = i.dtype == dtype
            text = self.operand(i, weak and same and met == {dtype}, not k and is_scan(n))
            texts.append(text if same else f"{text}.astype({str(dtype)!r})")
        return texts

    def operand(self, i: Expr, weak: bool = True, count: bool = False) -> str:
        whole = isinstance(i, Constant) and not i.ndim and i.dtype.kind == "i" and count
        if isinstance(i, Constant) and not weak and not whole:
            return self.bind(f"c{len(self.space)}", i.value)
        return super().operand(i, weak, count)

    def callee(self, n: Expr) -> str:
        if n in self.lengths.known:
            return self.bind(n.op.name, n.op.perform)
        if isinstance(n.op.body, Graph):
            return super().callee(n)
        known = numpy_function(n.op)
        plain = isinstance(known, np.ufunc) or (known is not None and n.op.name in SAME_IN_NUMPY)
        if plain and self.target not in n.op.targets:
            return f"{self.namespace}.{n.op.name}"
        key: Any = (n.op, frozenset())
        if key not in self.lowered:
            self.lowered[key] = self.bind(n.op.name if ours(n.op) else "operation", form_of(n))
        return self.lowered[key]


def is_scan(n: Expr) -> bool:
    return isinstance(n.op, Scan)


def computed_in(n: Expr) -> list[np.dtype]:
    """For each operand the dtype to which it is converted before anything is computed."""
    dtypes = [i.dtype for i in n.inputs]
    known = numpy_function(n.op)
    if isinstance(known, np.ufunc):
        return list(known.resolve_dtypes((*dtypes, None)))[: len(dtypes)]
    if not ours(n.op) or isinstance(n.op.body, Graph) or "dtype" in dict(n.static):
        return dtypes
    result = n.type.items[0].dtype if isinstance(n.type, TupleType) else n.dtype
    numbers = n.op.differentiable(len(n.inputs))
    return [result if k in numbers and widens(d, result) else d for k, d in enumerate(dtypes)]


def widens(dtype: np.dtype, result: np.dtype) -> bool:
    """Are these numbers added up, or otherwise computed, as those of a wider dtype?"""
    return result.kind != "b" and np.result_type(dtype, result) == result


# ---- the form of an operation


def form_of(n: Expr) -> Callable[..., Any]:
    """What computes an operation on arrays of JAX. Raises NotImplementedError if nothing does."""
    found = form(n.op)
    if found is None:
        raise NotImplementedError(
            f'{word_of(n.op)} has no form for JAX{at(n)}: state targets={{"jax": f}}, with a '
            'function f of JAX arrays (it may call jax.pure_callback), or write target="numpy"'
        )
    return found


def form(op: Any) -> Callable[..., Any] | None:
    if isinstance(op, Loop):
        one = form(op.op)
        axes = [0 if flag else None for flag in op.flags]
        return one and jax.vmap(partial(one, **dict(op.static)), in_axes=axes)
    if "jax" in op.targets:
        return op.targets["jax"]
    return with_jax(op.body) if ours(op) and isinstance(op.body, FunctionType) else None


def with_jax(body: FunctionType) -> FunctionType:
    """The body of an operation with JAX's modules in the places of NumPy's and SciPy's."""
    space = body.__globals__ | {"np": jnp, "special": special}
    made = FunctionType(body.__code__, space, body.__name__, body.__defaults__)
    made.__kwdefaults__ = body.__kwdefaults__
    return made
