"""What neurons do with a sum: sigmoid, softmax, relu and their kin, as Theano wrote them."""

from typing import Any

from ... import library, ops
from ...expr import Expr
from ...nested import custom_gradient
from ..arrays.elementwise import floating
from ..arrays.leaves import expression
from ..core import lift


@lift
def sigmoid(x: Any) -> Any:
    """1 / (1 + exp(-x))."""
    return library.sigmoid(floating(expression(x)))


@lift
def hard_sigmoid(x: Any) -> Any:
    """0.2 x + 0.5 between 0 and 1."""
    return ops.clip(floating(expression(x)) * 0.2 + 0.5, 0.0, 1.0)


def pieces(x: Expr) -> Expr:
    """A rational function and two lines, close to the sigmoid."""
    half = 0.5 * ops.abs(x)
    middle = 0.935409070603099 + 0.0458812946797165 * (half - 1.7)
    z = ops.where(half < 1.7, 1.5 * half / (1.0 + half),
                  ops.where(half < 3.0, middle, 0.99505475368673))  # fmt: skip
    return 0.5 * (ops.where(x >= 0, z, -z) + 1.0)


@custom_gradient
def near_sigmoid(x: Any) -> Any:
    y = pieces(x)
    return y, lambda ct: ct * y * (1.0 - y)


@lift
def ultra_fast_sigmoid(x: Any) -> Any:
    """A function close to the sigmoid, with the slope of one."""
    return near_sigmoid(floating(expression(x)))


@lift
def softplus(x: Any) -> Any:
    """log(1 + exp(x))."""
    return library.softplus(floating(expression(x)))


@lift
def softsign(x: Any) -> Any:
    """x / (1 + |x|)."""
    x = floating(expression(x))
    return x / (1.0 + ops.abs(x))


@lift
def relu(x: Any, alpha: Any = 0) -> Any:
    """0.5 (x + |x|), whose slope at 0 is one half; with alpha the slope below 0."""
    x = floating(expression(x))
    if isinstance(alpha, (int, float)) and alpha == 0:
        return 0.5 * (x + ops.abs(x))
    return 0.5 * (1 + alpha) * x + 0.5 * (1 - alpha) * ops.abs(x)


@lift
def elu(x: Any, alpha: Any = 1) -> Any:
    """x above 0, alpha (exp(x) - 1) below."""
    x = floating(expression(x))
    return ops.where(x > 0, x, alpha * ops.expm1(x))


@lift
def selu(x: Any) -> Any:
    """An elu that keeps mean 0 and variance 1."""
    return 1.0507009873554804934193349852946 * elu.plain(x, 1.6732632423543772848170429916717)


def rows(x: Any) -> Expr:
    """A vector as one row; Theano's softmax takes matrices."""
    x = floating(expression(x))
    if x.ndim not in (1, 2):
        raise ValueError(f"x must be 1-d or 2-d tensor of floats. Got {x.ndim} axes of {x.dtype}: "
                         "for more axes, write e = T.exp(x - x.max(axis=-1, keepdims=True)) and "
                         "e / e.sum(axis=-1, keepdims=True)")  # fmt: skip
    return ops.expand_dims(x, axis=0) if x.ndim == 1 else x


@lift
def softmax(c: Any) -> Any:
    """Each row as probabilities; of a vector, one row of shape (1, n)."""
    return ops.softmax(rows(c), axis=1)


@lift
def logsoftmax(c: Any) -> Any:
    """The logarithm of the softmax."""
    return ops.log_softmax(rows(c), axis=1)


@lift
def softmax_with_bias(x: Any, b: Any) -> Any:
    """The softmax of x + b."""
    return ops.softmax(rows(expression(x) + expression(b)), axis=1)


@lift
def softmax_grad(dy: Any, sm: Any) -> Any:
    """What comes back to the scores from the cotangent of their softmax."""
    dy, sm = expression(dy), expression(sm)
    return sm * (dy - ops.sum(dy * sm, axis=1, keepdims=True))


@lift
def h_softmax(
    x: Any,
    batch_size: Any,
    n_outputs: int,
    n_classes: int,
    n_outputs_per_class: int,
    W1: Any,
    b1: Any,
    W2: Any,
    b2: Any,
    target: Any = None,
) -> Any:
    """A softmax in two levels: of classes, and of the outputs in each class."""
    x, W1, b1, W2, b2 = map(expression, (x, W1, b1, W2, b2))
    first = ops.softmax(ops.dot(x, W1) + b1, axis=1)
    if target is None:
        each = library.einsum("bi,kij->bkj", x, W2) + b2
        every = ops.expand_dims(first, axis=2) * ops.softmax(each, axis=2)
        flat = ops.reshape(every, (every.shape[0], n_classes * n_outputs_per_class))
        return flat[:, :n_outputs]
    target = ops.reshape(expression(target), (-1,))
    group, inside = library.floor_divide(target, n_outputs_per_class), library.remainder(
        target, n_outputs_per_class)  # fmt: skip
    row = ops.arange(x.shape[0])
    second = ops.softmax(library.einsum("bi,bij->bj", x, W2[group]) + b2[group], axis=1)
    return first[row, group] * second[row, inside]


scalar_sigmoid = sigmoid
NAMES: dict[str, Any] = {
    f.__name__: f for f in (elu, h_softmax, hard_sigmoid, logsoftmax, relu, selu, sigmoid, softmax,
                            softmax_grad, softmax_with_bias, softplus, softsign, ultra_fast_sigmoid)
} | {"softmax_op": softmax, "softmax_graph": softmax, "logsoftmax_op": logsoftmax,
     "sigmoid_inplace": sigmoid, "scalar_sigmoid": sigmoid}  # fmt: skip
