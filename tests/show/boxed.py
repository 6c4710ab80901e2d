"""Small operations with a graph inside, which the tests of the show open and close."""

from autodiff_edu.differentiate import grad
from autodiff_edu.expr import Graph, Op, TensorType, TupleType, evaluate
from autodiff_edu.ops import exp, scalar, sin, tanh


class Boxed(Op):
    """The least that an operation with a graph inside has to be."""

    arity = None

    def __init__(self, name, inputs, outputs, names=None):
        super().__init__()
        self.name = self.label = name
        self.body = Graph(outputs, inputs, names)

    def infer_type(self, *types):
        found = [y.type for y in self.body.outputs]
        return found[0] if len(found) == 1 else TupleType(found)

    def perform(self, *values):
        found = evaluate(self.body, dict(zip(self.body.inputs, values)))
        return tuple(found) if isinstance(found, list) else found

    def pullback(self, inputs, outputs, cotangents):
        xs, c = self.body.inputs, scalar("c")
        found = grad(self.body.output, list(xs), known_grads={self.body.output: c})
        back = Boxed(f"pullback of {self.name}", [*xs, c], found, [f"d{x.name}" for x in xs])
        return list(back(*inputs, cotangents[0]))


class Looped(Boxed):
    """h becomes tanh(w h + 0.5), ten times: the last h, every h, and the rows 2 h."""

    operand_words = ("steps", "h", "w")
    result_words = ("last h", "every h", "rows")
    inside = (None, 0, 1)
    feedback = ((0, 0),)

    def __init__(self):
        h, w = scalar("h"), scalar("w")
        super().__init__("scan × 10", [h, w], [tanh(w * h + 0.5), 2 * h])

    def infer_type(self, *types):
        t = types[1]
        return TupleType([t, TensorType(t.dtype, (11,)), TensorType(t.dtype, (10,))])

    def perform(self, *values):
        raise NotImplementedError


def product(name="f", names=None):
    """f(x, y) = x y + sin x."""
    x, y = scalar("x"), scalar("y")
    return Boxed(name, [x, y], [x * y + sin(x)], names)


def nested():
    """g(x, y) = (f(x, y) + x, f(y, y)), in exp(u) v."""
    f, x, y = product(), scalar("x"), scalar("y")
    g = Boxed("g", [x, y], [f(x, y) + x, f(y, y)], ["u", "v"])
    u, v = g(scalar("a"), scalar("b"))
    return exp(u) * v


def twice():
    """z = f(a, b) f(b, a)."""
    a, b, f = scalar("a"), scalar("b"), product()
    z = f(a, b) * f(b, a)
    z.name = "z"
    return z, a


def lines(picture, word):
    """The lines of a picture's text in which the word stands."""
    return [line for line in picture.listing.splitlines() if word in line]
