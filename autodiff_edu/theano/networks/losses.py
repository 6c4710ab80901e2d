"""Costs: cross entropies, as Theano wrote them."""

from typing import Any

import numpy as np

from ... import library, ops
from ...expr import Expr, constant
from ..arrays.leaves import expression
from ..core import lift
from ..core.own_op import own
from .activations import rows


@lift
def binary_crossentropy(output: Any, target: Any) -> Any:
    """-(t log y + (1 - t) log(1 - y)), entry by entry."""
    output, target = expression(output), expression(target)
    return -(target * ops.log(output) + (1.0 - target) * ops.log(1.0 - output))


@lift
def sigmoid_binary_crossentropy(output: Any, target: Any) -> Any:
    """The same for what goes into the sigmoid."""
    x, t = expression(output), expression(target)
    return x * (1.0 - t) + library.softplus(-x)


@lift
def categorical_crossentropy(coding_dist: Any, true_dist: Any) -> Any:
    """-Σ t log y of each row, or -log y[t] where the targets are whole numbers."""
    coding, true = expression(coding_dist), expression(true_dist)
    if true.ndim == coding.ndim:
        return -ops.sum(true * ops.log(coding), axis=coding.ndim - 1)
    if true.ndim == coding.ndim - 1:
        return crossentropy_categorical_1hot.plain(coding, true)
    raise TypeError("rank mismatch between coding and true distributions")


@lift
def crossentropy_categorical_1hot(coding_dist: Any, true_one_of_n: Any) -> Any:
    """-log y[t] of each row."""
    coding, true = expression(coding_dist), expression(true_one_of_n)
    return -ops.log(coding[ops.arange(coding.shape[0]), whole(true)])


@own(type=lambda y: y, nondifferentiable="whole numbers have no derivative")
def labels(y):
    """Places of classes; numpy would count negative ones from the end."""
    if np.any(y < 0):
        raise ValueError(f"y_i value out of bounds: {np.min(y)}")
    return y


def whole(y: Expr) -> Expr:
    if y.dtype.kind not in "iu":
        raise TypeError(f"y_idx must be an integer vector, got {y.type!r}")
    return y


@lift
def crossentropy_softmax_argmax_1hot_with_bias(x: Any, b: Any, y_idx: Any) -> Any:
    """-log softmax(x + b)[y], softmax(x + b), and the place of its largest entry."""
    summed = rows(expression(x) + expression(b))
    logs = ops.log_softmax(summed, axis=1)
    picked = logs[ops.arange(summed.shape[0]), labels(whole(expression(y_idx)))]
    return [-picked, ops.softmax(summed, axis=1), library.argmax(summed, axis=1)]


@lift
def crossentropy_softmax_1hot_with_bias(x: Any, b: Any, y_idx: Any, **how: Any) -> Any:
    """The first two of these."""
    return crossentropy_softmax_argmax_1hot_with_bias.plain(x, b, y_idx)[:2]


@lift
def crossentropy_softmax_1hot(x: Any, y_idx: Any, **how: Any) -> Any:
    """The same without a bias."""
    return crossentropy_softmax_1hot_with_bias.plain(x, constant(0.0).astype(x.dtype), y_idx)


@lift
def crossentropy_softmax_max_and_argmax_1hot_with_bias(x: Any, b: Any, y_idx: Any) -> Any:
    """-log softmax(x + b)[y], softmax(x + b), its largest entry and the place of that."""
    nll, p, place = crossentropy_softmax_argmax_1hot_with_bias.plain(x, b, y_idx)
    return [nll, p, ops.max(p, axis=1), place]


@lift
def crossentropy_softmax_max_and_argmax_1hot(x: Any, y_idx: Any, **how: Any) -> Any:
    """The same four without a bias."""
    x = expression(x)
    zero = constant(0.0).astype(x.dtype)
    return crossentropy_softmax_max_and_argmax_1hot_with_bias.plain(x, zero, y_idx)


@lift
def crossentropy_softmax_1hot_with_bias_dx(dy: Any, sm: Any, y_idx: Any) -> Any:
    """What comes back to the scores from the cotangents dy of the losses: dy · (sm − one-hot y)."""
    dy, sm, y = expression(dy), expression(sm), labels(whole(expression(y_idx)))
    dy = ops.expand_dims(dy, axis=1) if dy.ndim else dy
    return dy * (sm - one_hot(y, sm))


@lift
def crossentropy_categorical_1hot_grad(g_y: Any, coding_dist: Any, true_one_of_n: Any) -> Any:
    """What comes back to the probabilities from the cotangents of the losses."""
    coding, y = expression(coding_dist), whole(expression(true_one_of_n))
    return -ops.expand_dims(expression(g_y), axis=1) * one_hot(y, coding) / coding


def one_hot(y: Expr, like: Expr) -> Expr:
    hot = ops.equal(ops.expand_dims(y, axis=1), ops.arange(like.shape[1]))
    return hot.astype(like.dtype)


@lift
def confusion_matrix(actual: Any, pred: Any) -> Any:
    """How often each pair (actual, predicted) occurs, and the classes in order."""
    from ..arrays.unique import unique_entries

    actual, pred = expression(actual), expression(pred)
    order = unique_entries(library.concatenate([actual, pred], axis=0))
    hot = [ops.equal(ops.expand_dims(v, axis=1), order).astype("int64") for v in (actual, pred)]
    return [ops.dot(ops.transpose(hot[0]), hot[1]), order]


@lift
def prepend_scalar_to_each_row(val: Any, mat: Any) -> Any:
    """A column of this number before the others."""
    mat = expression(mat)
    column = ops.broadcast_to(expression(val).astype(mat.dtype), (mat.shape[0], 1))
    return library.concatenate([column, mat], axis=1)


NAMES: dict[str, Any] = {
    f.__name__: f for f in (
        binary_crossentropy, categorical_crossentropy, confusion_matrix,
        crossentropy_categorical_1hot, crossentropy_softmax_1hot,
        crossentropy_softmax_1hot_with_bias_dx,
        crossentropy_softmax_1hot_with_bias, crossentropy_softmax_argmax_1hot_with_bias,
        crossentropy_softmax_max_and_argmax_1hot,
        crossentropy_softmax_max_and_argmax_1hot_with_bias, prepend_scalar_to_each_row,
        sigmoid_binary_crossentropy)
} | {"Prepend_scalar_constant_to_each_row": lambda val=0: lambda mat: prepend_scalar_to_each_row(
        getattr(val, "value", val), mat),
     "Prepend_scalar_to_each_row": lambda: prepend_scalar_to_each_row,
     "prepend_0_to_each_row": lambda mat: prepend_scalar_to_each_row(0.0, mat),
     "prepend_1_to_each_row": lambda mat: prepend_scalar_to_each_row(1.0, mat)}  # fmt: skip
