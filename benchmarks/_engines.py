"""The engines that programs.py compares: each makes a program of a workload.

An engine speaks NumPy's words by a module of its own, with `scan` added; a maker takes a workload
and values, and gives a function of the values, whose results are the value and its gradients.
"""

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
from _workloads import Workload

Maker = Callable[[Workload, list], Callable[..., Any]]


class Words:
    """A module of NumPy's words, and a few that an engine says otherwise."""

    def __init__(self, module: Any, **others: Any):
        self.__dict__.update(others)
        self.module = module

    def __getattr__(self, name: str) -> Any:
        return getattr(self.module, name)


def unrolled(stack: Callable[[list], Any]) -> Callable[..., Any]:
    """A loop in Python, for an engine that has none."""

    def scan(step: Callable[..., Any], xs: Any, h: Any) -> Any:
        states = []
        for k in range(xs.shape[0]):
            h = step(xs[k], h)
            states.append(h)
        return stack(states)

    return scan


# ---- ours


def ours(workload: Workload, values: list) -> Callable[..., Any]:
    """All lengths are declared."""
    return compiled(workload, [np.shape(v) for v in values])


def of_any_lengths(workload: Workload, values: list) -> Callable[..., Any]:
    """No length is declared, as most users write it."""
    return compiled(workload, [(None,) * np.ndim(v) for v in values])


def compiled(workload: Workload, shapes: list) -> Callable[..., Any]:
    import autodiff_edu as ad

    inputs = [ad.tensor(f"x{k}", shape=shape) for k, shape in enumerate(shapes)]
    words = Words(ad, scan=lambda step, xs, h: ad.scan(step, sequences=xs, outputs_info=h))
    cost = workload.cost(words, *(inputs[:-1] if workload.product else inputs))
    wrt = [inputs[k] for k in workload.wrt]
    if workload.product:
        slope = ad.sum(ad.grad(cost, wrt[0]) * inputs[-1])
        return ad.function(inputs, [ad.grad(slope, wrt[0])], on_unused_input="ignore")
    return ad.function(inputs, [cost, *ad.grad(cost, wrt)])


def as_called(workload: Workload, values: list) -> Callable[..., Any]:
    """A function of arrays in NumPy's words, of which the user asks the gradient."""
    import autodiff_edu as ad

    words = ModuleType("words")  # as a user's module has imported them
    vars(words).update(
        {name: getattr(np, name) for name in PLAIN}, softplus=lambda x: np.logaddexp(0.0, x),
        scan=lambda step, xs, h: ad.scan(step, sequences=xs, outputs_info=h))  # fmt: skip
    cost = partial(workload.cost, words)
    if workload.product:
        slope = ad.grad(cost)
        turned = ad.grad(lambda *args: slope(*args[:-1]) @ args[-1])
        return lambda *args: [turned(*args)]
    return ad.value_and_grad(cost, workload.wrt)


# ---- peers


def by_jax(workload: Workload, values: list) -> Callable[..., Any]:
    import jax
    from jax import numpy as jnp

    words = Words(jnp, softplus=jax.nn.softplus, scan=lambda step, xs, h: jax.lax.scan(
        lambda h, x: (step(x, h),) * 2, h, xs)[1])  # fmt: skip

    def cost(*args: Any) -> Any:
        return workload.cost(words, *args)

    if workload.product:
        run = jax.jit(lambda w, X, t, v: (
            jax.jvp(lambda w: jax.grad(cost)(w, X, t), (w,), (v,))[1],))  # fmt: skip
    else:
        run = jax.jit(jax.value_and_grad(cost, workload.wrt))
    return lambda *args: jax.block_until_ready(run(*args))


def by_autograd(workload: Workload, values: list) -> Callable[..., Any]:
    import autograd
    from autograd import numpy as anp

    words = Words(
        anp, scan=unrolled(lambda states: anp.array(states)),
        softplus=lambda x: anp.logaddexp(0.0, x))  # fmt: skip

    def cost(selected: tuple, args: Sequence) -> Any:
        args = list(args)
        for k, v in zip(workload.wrt, selected, strict=True):
            args[k] = v
        return workload.cost(words, *args)

    if workload.product:
        slope = autograd.grad(lambda w, X, t: workload.cost(words, w, X, t))
        turned = autograd.grad(lambda w, X, t, v: anp.dot(slope(w, X, t), v))
        return lambda *args: [turned(*args)]
    both = autograd.value_and_grad(cost)
    return lambda *args: both(tuple(args[k] for k in workload.wrt), args)


def by_torch(workload: Workload, values: list) -> Callable[..., Any]:
    import torch

    torch.set_num_threads(1)

    def maximum(x: Any, y: Any) -> Any:
        return torch.clamp(x, min=y)

    scan = unrolled(torch.stack)
    words = Words(torch, scan=scan, maximum=maximum, softplus=torch.nn.functional.softplus)

    def run(*args: Any) -> list:
        given = [torch.as_tensor(v, dtype=torch.float64) for v in args]
        wrt = [given[k].requires_grad_() for k in workload.wrt]
        if workload.product:
            (slope,) = torch.autograd.grad(workload.cost(words, *given[:-1]), wrt,
                                           create_graph=True)  # fmt: skip
            return list(torch.autograd.grad(slope @ given[-1], wrt))
        cost = workload.cost(words, *given)
        return [cost.detach(), *torch.autograd.grad(cost, wrt)]

    return run


def by_pytensor(workload: Workload, values: list) -> Callable[..., Any]:
    import pytensor
    from pytensor import tensor as pt

    def scan(step: Callable[..., Any], xs: Any, h: Any) -> Any:
        return pytensor.scan(step, sequences=xs, outputs_info=h, return_updates=False)

    words = Words(pt, scan=scan)
    inputs = [pt.tensor(f"x{k}", shape=np.shape(v), dtype="float64") for k, v in enumerate(values)]
    cost = workload.cost(words, *(inputs[:-1] if workload.product else inputs))
    wrt = [inputs[k] for k in workload.wrt]
    outputs = [cost, *pt.grad(cost, wrt)]
    if workload.product:
        outputs = [pt.grad(pt.sum(outputs[1] * inputs[-1]), wrt[0])]
    run = pytensor.function(inputs, outputs, on_unused_input="ignore")
    return lambda *args: run(*map(np.asarray, args))


def by_casadi(workload: Workload, values: list) -> Callable[..., Any]:
    """Formulas of one vector or of numbers, which is what CasADi's scalar graphs are for."""
    import casadi as ca

    if any(np.ndim(v) > 1 for v in values) or np.size(values[0]) > 10_000:
        raise NotImplementedError("matrices are not what scalar graphs are for")
    words = Words(ca, sum=ca.sum1)
    inputs = [ca.SX.sym(f"x{k}", np.size(v)) for k, v in enumerate(values)]
    cost = workload.cost(words, *inputs)
    slopes = [ca.gradient(cost, inputs[k]) for k in workload.wrt]
    run = ca.Function("f", inputs, [cost, *slopes])
    return lambda *args: run.call(args)


PLAIN = ("cos", "exp", "log", "maximum", "mean", "sin", "sqrt", "sum", "tanh")
UNKNOWN, CALLED = "ours, unknown lengths", "ours, as called"
PEERS: dict[str, Maker] = {
    "jax": by_jax, "pytensor": by_pytensor, "torch": by_torch, "autograd": by_autograd,
    "casadi": by_casadi,
}  # fmt: skip


def installed() -> dict[str, Maker]:
    """The engines that can be imported, ours first, in three ways to call it."""
    there = {name: make for name, make in PEERS.items() if find_spec(name) is not None}
    return {"autodiff_edu": ours, UNKNOWN: of_any_lengths, CALLED: as_called, **there}


def versions(names: Sequence[str]) -> str:
    found = SimpleNamespace(**{n: import_module(n) for n in names if n in PEERS})
    return ", ".join(f"{n} {getattr(m, '__version__', '')}".strip() for n, m in vars(found).items())
