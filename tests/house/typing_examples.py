"""What a type checker knows of the package: mypy and pyright read this page; a test runs it too.

Each line says what an editor shows at its end. Nothing here is computed, but for types.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, assert_type
from unittest.mock import MagicMock

import numpy as np

import autodiff_edu as ad
from autodiff_edu import Expr, Graph, Stage
from autodiff_edu.check.report import Report
from autodiff_edu.expr import Growing, Input, Rewriting
from autodiff_edu.rewrite import Simplification
from autodiff_edu.rewrite.override import Overriding
from autodiff_edu.run.compiled import Compiled
from autodiff_edu.run.plan import Plan
from autodiff_edu.run.program import Program
from autodiff_edu.show.html.film_strip import Film
from autodiff_edu.show.html.picture import Picture
from autodiff_edu.show.html.side_by_side import SideBySide
from autodiff_edu.show.html.table import Table
from autodiff_edu.show.views.explanation import Explanation
from autodiff_edu.show.views.trace import Trace

if TYPE_CHECKING:
    from autodiff_edu.core import protocols
else:  # a stub, which is never run
    protocols = MagicMock()

# ---- leaves and operations

x, v, A = ad.scalar("x"), ad.vector("v", shape=3), ad.matrix("A", shape=(3, 3))
assert_type(x, Input)
assert_type(ad.tensor("t", shape=(2, 3)), Input)
assert_type(ad.shared(1.0), ad.Shared)
assert_type(x * x + 1, Expr)
assert_type(2 - x / 3, Expr)
assert_type(-(x**2), Expr)
assert_type(A @ v, Expr)
assert_type(v[0], Expr)
assert_type((v > 0) & (v < 1), Expr)
assert_type(v.sum(axis=0), Expr)
assert_type(A.T.reshape(9), Expr)
assert_type(ad.exp(x), Expr)
assert_type(ad.sum(v, axis=0, keepdims=True), Expr)
assert_type(ad.where(v > 0, v, 0.0), Expr)
assert_type(ad.concatenate([v, v]), Expr)
assert_type(ad.bitwise_and(v > 0, v < 1), Expr)
assert_type(ad.array([x, 1.0]), Expr)
assert_type(list(A), list[Expr])

# ---- derivatives of expressions: one for one, a list for a list, a tuple for a tuple

y = x * x + ad.sum(v)
assert_type(ad.grad(y, x), Expr)
assert_type(ad.grad(y, [x]), list[Expr])
assert_type(ad.grad(y, [x, v], disconnected_inputs="ignore"), list[Expr])
assert_type(ad.grad(y, (x, v)), tuple[Expr, ...])
parameters = [x, v]  # a list of inputs
assert_type(ad.grad(y, parameters), list[Expr])
assert_type(ad.value_and_grad(y, x), tuple[Expr, Expr])
assert_type(ad.value_and_grad(y, [x]), tuple[Expr, list[Expr]])
assert_type(ad.jacobian(ad.exp(v), v), Expr)
assert_type(ad.jacobian(ad.exp(v), [v]), list[Expr])
assert_type(ad.hessian(y, x), Expr)
assert_type(ad.hessian(y, [x]), list[Expr])
assert_type(ad.hessian_vector_product(y, x, 1.0), Expr)
assert_type(ad.pullback(ad.exp(v), v, np.ones(3)), Expr)
assert_type(ad.pullback(ad.exp(v), [v], np.ones(3)), list[Expr])
assert_type(ad.pushforward(ad.exp(v), v, np.ones(3)), Expr)

# ---- stages

assert_type(ad.symbolic_derivative(y, x), Rewriting)
assert_type(ad.forward_mode(y, x), Growing)
assert_type(ad.reverse_mode(y, x), Growing)
assert_type(ad.vectorize(y), Growing)
assert_type(ad.simplify(y), Simplification)
assert_type(ad.override_gradient(y, ad.wild("a") ** 2, lambda found, y, ct: ct), Overriding)
assert_type(ad.simplify(y).output, Expr)
assert_type(ad.simplify(y).graph, Graph)
assert_type(ad.simplify(y).steps[0].rule, str)
assert_type(ad.simplify(y).after, Graph)
assert_type(ad.simplify(y).before, Graph)
assert_type(ad.forward_mode(y, x).after, Graph)
assert_type(ad.generate(y).after, Program)
assert_type(ad.generate(y).after.source, str)
assert_type(ad.plan(y).after, Plan)
assert_type(ad.pipeline(y).graphs, tuple[Graph, ...])
assert_type(ad.pipeline(y, x).after.source, str)

# ---- programs

f = ad.function([x, v], y)
assert_type(f, Compiled)
assert_type(f.source, str)
assert_type(f.graph, Graph)
assert_type(f.stages[0], Stage)

# ---- pictures

assert_type(ad.draw(y), Picture)
assert_type(ad.draw([x, y], types=True).svg, str)
assert_type(ad.draw(ad.simplify(y)), SideBySide)
assert_type(ad.draw(ad.pipeline(y)), Film)
assert_type(ad.compare(x, y), SideBySide)
assert_type(ad.film(ad.simplify(y)), Film)
assert_type(ad.explain(ad.exp), Explanation)
assert_type(ad.trace(y, at={x: 1.0, v: np.ones(3)}), Trace)
assert_type(ad.trace(y, at={x: 1.0, v: np.ones(3)}).rows[0].name, str)
ad.draw(ad.RULES[0]).image()

# ---- the same as methods, which know of these classes by protocols

at = {x: 1.0, v: np.ones(3)}
stage, graph = ad.simplify(y * 1), ad.Graph(y)
assert_type(graph.draw(types=True), protocols.Picture)
assert_type(graph.draw().svg, str)
assert_type(graph.latex(), str)
assert_type(graph.trace(at).rows[0].formula, Expr)
assert_type(stage.draw(direction="LR"), protocols.SideBySide)
assert_type(stage.draw().left.picture.image(), str)
assert_type(stage.film(rule="times one"), protocols.Film)
assert_type(stage.film().captions, tuple[str, ...])
assert_type(stage.film()[0], protocols.Shown)
assert_type(stage.film()[:1], protocols.Film)
assert_type(stage.table(by="rule"), protocols.Table)
assert_type(stage.table().rows, tuple[tuple[str, ...], ...])
assert_type(stage.trace(at).table().columns, tuple[str, ...])
assert_type(ad.pipeline(y, x).draw(), protocols.Film)
assert_type(ad.pipeline(y, x)["simplify"].draw().counts, Sequence[tuple[str, int, int]])
assert_type(ad.RULES[0].draw().image(), str)
assert_type(ad.RULES[0].latex(), str)
assert_type(ad.RULES.table(), protocols.Table)
assert_type(f.stages.film(), protocols.Film)

# ---- and the classes keep the protocols

pictures: list[protocols.Shown] = [ad.draw(y), ad.draw(stage), ad.film(stage), ad.why(y)]
picture: protocols.Picture = ad.draw(y)
pair: protocols.SideBySide = ad.compare(x, y)
film: protocols.Film = ad.film(stage)
table: protocols.Table = Table(["a"], [["b"]])
trace: protocols.Trace = ad.trace(y, at=at)
explanation: protocols.Explanation = ad.explain(ad.exp)
report: protocols.Report = Report("nothing")

# ---- derivatives of Python functions keep the parameters


def loss(p: dict[str, float], data: Sequence[float], *, power: int = 2) -> float:
    return sum((p["a"] * d) ** power for d in data)


Loss = Callable[[dict[str, float], Sequence[float]], float]
slope = ad.grad(loss)
slope({"a": 1.0}, [1.0], power=3)
both: Callable[[dict[str, float], Sequence[float]], tuple[float, Any]] = ad.value_and_grad(loss)
assert_type(ad.value_and_grad(loss)({"a": 1.0}, [1.0])[0], float)
assert_type(ad.value_and_grad(loss, argnums=(0, 1))({"a": 1.0}, [1.0])[0], float)
ad.jacobian(loss, mode="forward")({"a": 1.0}, [1.0], power=3)
ad.hessian(loss)({"a": 1.0}, data=[1.0])
print(slope.paths[0], len(slope.paths), slope.draw_paths())
slope.film_path({"a": 1.0}, [1.0], power=3)


def wrong() -> None:
    """What is an error, and stays one: an ignore that is not needed is an error, too."""
    slope({"a": 1.0})  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    slope(3.0, [1.0])  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    slope.film_path(3.0, [1.0])  # type: ignore[arg-type]  # pyright: ignore
    print(ad.simplify(y).no_such)  # type: ignore[attr-defined]  # pyright: ignore
    print(f.no_such)  # type: ignore[attr-defined]  # pyright: ignore
    print(ad.grad(y, [x]).shape)  # type: ignore[attr-defined]  # pyright: ignore


@ad.checkpoint
def layer(h: Expr, W: Expr) -> Expr:
    return ad.tanh(W @ h)


assert_type(layer(v, W=A), Expr)

# ---- what stands beside the loss, and vectors


@dataclass
class Line:
    slope: float
    height: float


def with_errors(p: Line, x: Sequence[float]) -> tuple[float, list[float]]:
    errors = [p.slope * one + p.height for one in x]
    return sum(e * e for e in errors), errors


(value, errors), steps = ad.value_and_grad(with_errors, has_aux=True)(Line(1.0, 0.0), [1.0, 2.0])
assert_type(value, float)
assert_type(errors, list[float])
assert_type(ad.grad(with_errors, has_aux=True)(Line(1.0, 0.0), [1.0])[1], list[float])
vector, unflatten = ad.flatten(Line(1.0, 0.0))
unflatten(vector)


# ---- operations of one's own


@ad.op(partials=lambda x, out: (3 * x**2,))
def third_power(x):
    return x**3


assert_type(third_power(x), Expr)


class Cube(ad.Op):
    def infer_type(self, x: ad.TensorType) -> ad.TensorType:
        return x

    def perform(self, x: np.ndarray) -> np.ndarray:
        return x**3

    def pullback(
        self, inputs: Sequence[Expr], outputs: Sequence[Expr], cotangents: Sequence[Expr]
    ) -> list[Expr]:
        return [3 * inputs[0] ** 2 * cotangents[0]]


assert_type(Cube().check(2.0), protocols.Report)
assert_type(Cube().check(2.0).ok, bool)
assert_type(Cube().explain().entries["derivative"].words, str)
