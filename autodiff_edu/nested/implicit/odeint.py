"""`odeint`: the solution of a differential equation, with derivatives that are such solutions."""

from collections.abc import Callable, Sequence
from numbers import Real
from typing import Any

from ...expr import Expr, Input, ShapeError, TensorType, at, located
from .equation import as_float, beginning, call, check_function, check_type, parameters, read
from .integrate import METHODS, Tolerances
from .ode_op import OdeSolution


@located
def odeint(
    f: Callable[..., Any],
    y0: Any,
    ts: Any,
    args: Sequence[Any] = (),
    *,
    rtol: float = 1e-8,
    atol: float = 1e-10,
    method: str = "DOP853",
    name: str = "odeint",
) -> Expr:
    r"""The solution of dy/dt = f(y, t) that begins with y0, at the times ts, by SciPy.

    The derivatives are differential equations, too, and not those of the solver's steps. With c
    for what else f needs, and a for the adjoint of y, which is solved back in time:

    .. math:: \dot v = \frac{\partial f}{\partial y} v + \frac{\partial f}{\partial c} \dot c,
              \qquad \frac{da}{dt} = -a \frac{\partial f}{\partial y}, \quad
              \bar c = \int a \frac{\partial f}{\partial c} \, dt

    At each of the times, what comes from the row there is added to a. So the solution is kept at
    the times alone, and there are derivatives of any order.

    Parameters
    ----------
    f : callable
        A function f(y, t, \*args) of expressions that returns one of the shape of y0. It is called
        while the graph is built, and may use other expressions; there are derivatives with
        respect to these, too.
    y0 : Expr, array_like or float
        What y is at the first time, of any shape.
    ts : Expr or array_like
        A vector of times that go one way, forward or back. They have derivatives too.
    args : tuple, default: ()
        What else f takes.
    rtol : float, default: 1e-8
        How far a step may be off, relative to y. Derivatives are solved by the same tolerances.
    atol : float, default: 1e-10
        How far a step may be off besides.
    method : str, default: 'DOP853'
        That of `scipy.integrate.solve_ivp`: 'DOP853', 'RK45' or 'RK23', and for stiff equations
        'LSODA', 'Radau' or 'BDF'.
    name : str, default: 'odeint'
        How the operation is called.

    Returns
    -------
    Expr
        A row for each time, the first of which is y0.

    Raises
    ------
    ShapeError
        If f returns another shape than y0 has, or the times are no vector.
    DTypeError
        If f returns another dtype than y0 has.
    ValueError
        If there is no such method, or a tolerance is negative.

    See Also
    --------
    scan : A recurrence in steps.
    root : The solution of an equation.

    Notes
    -----
    The adjoint of y starts anew from each row, so an interval is as far as it goes back; add
    times where an equation forgets where it began. Where the solver stops, the program raises
    ConvergenceError and says at which time. Derivatives are as exact as the tolerances, and not
    more: write smaller ones for a second derivative.

    References
    ----------
    .. [1] R. T. Q. Chen et al., "Neural ordinary differential equations", NeurIPS 2018.

    Examples
    --------
    >>> k = ad.scalar("k")
    >>> y = ad.odeint(lambda y, t: -k * y, 1.0, [0.0, 1.0, 2.0])
    >>> decay = ad.function([k], [y, ad.grad(y[-1], k)])
    >>> rows, slope = decay(0.5)
    >>> np.round(rows, 6), round(slope, 6)  # exp(-k·t), and -2·exp(-2k)
    (array([1.      , 0.606531, 0.367879]), np.float64(-0.735759))
    """
    check_function(f, "odeint", "ad.odeint(lambda y, t: ..., y0, ts)")
    check_tolerances(method, rtol, atol)
    others = tuple(args) if isinstance(args, (list, tuple)) else (args,)
    words = parameters(f, 2, "yt")
    now = Input(words[1], TensorType("float64"))
    first = beginning(y0, lambda y: call(f, "odeint", y, now.astype(y.dtype), *others), "odeint")
    times = as_times(ts, first)
    y, t = Input(words[0], first.type), Input(words[1], TensorType(first.dtype))
    rate = call(f, "odeint", y, t, *others)
    check_type(y, rate, "odeint")
    equation = read([rate], [y, t], "odeint")
    op = OdeSolution(equation.body, Tolerances(method, rtol, atol), name)
    return op.apply((first, times, *equation.outer))


def as_times(ts: Any, like: Expr) -> Expr:
    """The times as a vector, in the dtype of the states. Raises ShapeError, DTypeError."""
    if isinstance(ts, (list, tuple)) and any(isinstance(t, Expr) for t in ts):
        raise TypeError("odeint takes a vector of times, not a list with expressions: write "
                        "ad.stack([...]) around it")  # fmt: skip
    times = as_float(ts, "odeint")
    if times.ndim != 1:
        raise ShapeError(f"odeint takes a vector of times, not {times.type!r}{at(times)}: write "
                         "ad.stack([t0, t1])")  # fmt: skip
    if times.type.shape[0] == 0:
        raise ShapeError("odeint takes at least one time, that of y0: write [t0, t1]")
    return times if times.dtype == like.dtype else times.astype(like.dtype)


def check_tolerances(method: str, rtol: float, atol: float) -> None:
    """Raises ValueError for what no solver can be told."""
    if method not in METHODS:
        raise ValueError(f"odeint has no method {method!r}: choose {', '.join(METHODS)}")
    numbers = isinstance(rtol, Real) and isinstance(atol, Real)
    if not (numbers and rtol >= 0 and atol >= 0 and rtol + atol > 0):
        raise ValueError(f"tolerances are 0 or more, and one of them is: rtol={rtol!r} and "
                         f"atol={atol!r} are not")  # fmt: skip
