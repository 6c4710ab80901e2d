"""`root`: the solution of an equation, with derivatives by the implicit function theorem."""

from collections.abc import Callable, Sequence
from numbers import Integral, Real
from typing import Any

from ...expr import Expr, Input, located
from .equation import beginning, call, check_function, check_type, parameters, read
from .solution_op import FixedPoint, Root, Solution
from .solvers import BY_MATRIX, BY_VALUES, ITERATION, How


@located
def root(
    f: Callable[..., Any],
    x0: Any,
    args: Sequence[Any] = (),
    *,
    method: str = "hybr",
    tol: float = 1e-10,
    maxiter: int | None = None,
    name: str = "root",
) -> Expr:
    r"""The x at which f(x) = 0, found from x0 by SciPy.

    The derivative comes from the equation, by the implicit function theorem, and not from the
    steps of the search. With c for what else f needs:

    .. math:: \frac{\partial f}{\partial x} \dot x = -\frac{\partial f}{\partial c} \dot c, \qquad
              u \, \frac{\partial f}{\partial x} = \bar x, \quad
              \bar c = -u \, \frac{\partial f}{\partial c}

    Both are linear equations, and operations too. So there are derivatives of any order.

    Parameters
    ----------
    f : callable
        A function f(x, \*args) that takes and returns expressions of one shape. It is called while
        the graph is built, and may use other expressions; there are derivatives with respect to
        these, too.
    x0 : Expr, array_like or float
        Where the search begins, of any shape. The root does not depend on it smoothly, so a
        derivative with respect to it does not exist.
    args : tuple, default: ()
        What else f takes.
    method : str, default: 'hybr'
        That of `scipy.optimize.root`: 'hybr' and 'lm' use the derivative of f, as a matrix;
        'krylov', 'anderson', 'broyden1', 'broyden2' and 'df-sane' are for many unknowns, and use
        values of f alone.
    tol : float, default: 1e-10
        The largest residual. It is relative to what a change of x by its own size changes in f
        or, for a method without derivatives, to f(x0) where that is more than 1.
    maxiter : int, optional
        After how many steps the search ends; by default SciPy's limit.
    name : str, default: 'root'
        How the operation is called.

    Returns
    -------
    Expr
        The root, of the type of x0.

    Raises
    ------
    ShapeError
        If f returns another shape than it takes.
    DTypeError
        If f returns another dtype than it takes.
    ValueError
        If there is no such method.

    See Also
    --------
    fixed_point : The x with x = step(x).
    odeint : The solution of a differential equation.

    Notes
    -----
    A search that finds no root raises ConvergenceError when the program runs. Of several roots,
    the one that the search meets is the result. Up to 1,000 unknowns, the equation of a
    derivative is solved by LAPACK, with more of them by GMRES. A root of higher order, as that of
    x\*\*2, has no derivative: LinAlgError says so. Where f is flat, as exp(-x\*\*2) is at 30, any
    point passes for a root, and the result may be the guess: a warning says so.

    References
    ----------
    .. [1] M. Blondel et al., "Efficient and modular implicit differentiation", NeurIPS 2022.

    Examples
    --------
    >>> a = ad.scalar("a")
    >>> x = ad.root(lambda x: x**3 + x - a, 1.0)
    >>> slope = ad.function([a], [x, ad.grad(x, a)])
    >>> slope(10.0)
    [np.float64(2.0), np.float64(0.07692307692307693)]
    """
    return solution(Root, f, x0, args, How(method, tol, maxiter), name, "root")


@located
def fixed_point(
    step: Callable[..., Any],
    x0: Any,
    args: Sequence[Any] = (),
    *,
    method: str = ITERATION,
    tol: float = 1e-12,
    maxiter: int | None = None,
    name: str = "fixed_point",
) -> Expr:
    r"""The x with x = step(x), found by repeating the step from x0.

    The derivative comes from the equation, and not from the repetitions. So no states are kept.
    With c for what else the step needs:

    .. math:: \dot x = \frac{\partial s}{\partial x} \dot x + \frac{\partial s}{\partial c} \dot c,
              \qquad u = \bar x + u \, \frac{\partial s}{\partial x}, \quad
              \bar c = u \, \frac{\partial s}{\partial c}

    Both are linear equations, and operations too. So there are derivatives of any order.

    Parameters
    ----------
    step : callable
        A function step(x, \*args) that takes and returns expressions of one shape. It is called
        while the graph is built, and may use other expressions; there are derivatives with
        respect to these, too.
    x0 : Expr, array_like or float
        Where the search begins, of any shape. The result does not depend on it smoothly.
    args : tuple, default: ()
        What else the step takes.
    method : str, default: 'iteration'
        Repeat the step; or a method of `root`, for x - step(x), where a repeated step does not
        come nearer, or comes nearer slowly.
    tol : float, default: 1e-12
        By how much the last step may move x, relative to its largest entry where that is more
        than 1.
    maxiter : int, optional
        How many steps are made at most, by default 1,000.
    name : str, default: 'fixed_point'
        How the operation is called.

    Returns
    -------
    Expr
        The fixed point, of the type of x0.

    Raises
    ------
    ShapeError
        If the step returns another shape than it takes.
    DTypeError
        If the step returns another dtype than it takes.
    ValueError
        If there is no such method.

    See Also
    --------
    root : The x with f(x) = 0.
    scan : A loop with so many steps, all of which are differentiated.

    Notes
    -----
    A search that does not end raises ConvergenceError when the program runs, and says by how much
    the last step moved x.

    References
    ----------
    .. [1] B. Christianson, "Reverse accumulation and attractive fixed points", Optimization
       Methods and Software 3, 1994.

    Examples
    --------
    >>> t = ad.scalar("t")
    >>> half = ad.fixed_point(lambda x: (x + t / x) / 2, 1.0)  # the square root, as in Babylon
    >>> root = ad.function([t], [half, ad.grad(half, t)])
    >>> root(4.0)
    [np.float64(2.0), np.float64(0.25)]
    """
    how = How(method, tol, maxiter)
    return solution(FixedPoint, step, x0, args, how, name, "fixed_point", ITERATION)


def solution(
    op: type[Solution], f: Any, x0: Any, args: Any, how: How, name: str, who: str, *more: str
) -> Expr:
    """The node of a solution."""
    check_function(f, who, f"ad.{who}(lambda x: ..., x0)")
    check_how(how, (*more, *BY_MATRIX, *BY_VALUES))
    others = tuple(args) if isinstance(args, (list, tuple)) else (args,)
    start = beginning(x0, lambda x: call(f, who, x, *others), who)
    (word,) = parameters(f, 1, "x")
    x = Input(word, start.type)
    y = call(f, who, x, *others)
    check_type(x, y, who)
    equation = read([y], [x], who)
    return op(equation.body, how, name).apply((start, *equation.outer))


def check_how(how: How, methods: Sequence[str]) -> None:
    """Raises ValueError for what no search can be told."""
    if how.method not in methods:
        raise ValueError(f"there is no method {how.method!r}: choose {', '.join(methods)}")
    if not (isinstance(how.tol, Real) and how.tol > 0):
        raise ValueError(f"tol is the largest residual, and more than 0, not {how.tol!r}")
    if how.maxiter is not None and not (isinstance(how.maxiter, Integral) and how.maxiter >= 1):
        raise ValueError(f"maxiter is a number of steps, 1 or more, not {how.maxiter!r}")
