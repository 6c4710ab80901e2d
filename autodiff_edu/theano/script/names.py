"""The modern name of each of Theano's names, as the book's index lists them.

A line reads `their name = our name`, with a remark behind a bar where there is a difference. What
stands in brackets are names in one module, which are the same here unless it says so.
"""

import re
from typing import NamedTuple

THEANO = """
theano [OpFromGraph function scan shared]
theano.Op = Op
theano.clone = OpFromGraph | or `givens=` of `ad.function`
theano.grad = grad
theano.gradient [disconnected_grad grad grad_clip grad_scale hessian jacobian subgraph_grad
verify_grad zero_grad]
theano.gradient.Lop = pullback
theano.gradient.Rop = pushforward
theano.gradient.grad_undefined = undefined_grad | a gate here
theano.ifelse.ifelse = cond
theano.pp = Expr | its text is `repr(y)`
theano.printing.debugprint = draw
theano.printing.pydotprint = draw
theano.scan_module.until = until
theano.tensor [abs all any arange arccos arccosh arcsin arcsinh arctan arctan2 arctanh argmax argmin
argsort ceil clip concatenate cos cosh diag diagonal dot eq=equal erf erfc exp exp2 expm1 eye floor
ge=greater_equal grad gt=greater hessian=hessian jacobian=jacobian le=less_equal log log10 log1p
log2 lt=less matrix max maximum mean min minimum neg=negative neq=not_equal ones ones_like outer
prod ptp reshape roll scalar sin sinh sort sqr=square sqrt stack std sum tan tanh tensor3
tensordot tile tril triu trunc var vector where zeros zeros_like]
theano.tensor.Lop = pullback
theano.tensor.Rop = pushforward
theano.tensor.alloc = broadcast_to
theano.tensor.and_ = bitwise_and
theano.tensor.as_tensor_variable = constant
theano.tensor.batched_dot = matmul
theano.tensor.cast = astype
theano.tensor.constant = constant
theano.tensor.extra_ops.cumprod = cumprod
theano.tensor.extra_ops.cumsum = cumsum
theano.tensor.extra_ops.diff = diff
theano.tensor.extra_ops.repeat = repeat
theano.tensor.flatten = ravel | `ad.flatten` makes a vector of parameters
theano.tensor.gammaln = gammaln
theano.tensor.inc_subtensor = Expr.at | `x.at[k].add(v)`
theano.tensor.int_div = floor_divide
theano.tensor.inv = reciprocal | entry by entry; `ad.inv` inverts matrices
theano.tensor.invert = invert
theano.tensor.isinf = isinf
theano.tensor.isnan = isnan
theano.tensor.mod = remainder
theano.tensor.mul = multiply
theano.tensor.nlinalg.det = det
theano.tensor.nlinalg.eigh = eigh
theano.tensor.nlinalg.matrix_inverse = inv
theano.tensor.nlinalg.pinv = pinv
theano.tensor.nlinalg.qr = qr
theano.tensor.nlinalg.svd = svd
theano.tensor.nlinalg.trace = matrix_trace
theano.tensor.nnet.conv2d = conv2d | by default it flips the filters; here they are not flipped
theano.tensor.nnet.logsoftmax = log_softmax | along the last axis
theano.tensor.nnet.relu = maximum | `ad.maximum(x, 0)`
theano.tensor.nnet.sigmoid = sigmoid
theano.tensor.nnet.softmax = softmax
theano.tensor.nnet.softplus = softplus
theano.tensor.or_ = bitwise_or
theano.tensor.psi = digamma
theano.tensor.rad2deg = rad2deg
theano.tensor.set_subtensor = Expr.at | `x.at[k].set(v)`
theano.tensor.sgn = sign
theano.tensor.shape_padleft = expand_dims
theano.tensor.shared_randomstreams.RandomStreams = RandomStream
theano.tensor.signal.pool.pool_2d = max_pool2d | or `ad.mean_pool2d`
theano.tensor.slinalg.cholesky = cholesky
theano.tensor.slinalg.eigvalsh = eigvalsh | of one matrix, without a second one
theano.tensor.slinalg.kron = kron
theano.tensor.slinalg.solve = solve
theano.tensor.split = split | by the length of the parts; here by their number, as in NumPy
theano.tensor.sub = subtract
theano.tensor.switch = where
theano.tensor.true_div = divide
"""


class Modern(NamedTuple):
    """A name of ours, and how it differs from Theano's."""

    name: str
    remark: str = ""


LETTERS = {"b": "int8", "w": "int16", "i": "int32", "l": "int64", "f": "float32", "d": "float64"}
KINDS = {
    "scalar": ("scalar", ""),
    "vector": ("vector", ""),
    "matrix": ("matrix", ""),
    "row": ("matrix", "shape=(1, None)"),
    "col": ("matrix", "shape=(None, 1)"),
    "tensor3": ("tensor3", ""),
    "tensor4": ("tensor", "shape=(None,) * 4"),
}


class Leaf(NamedTuple):
    """What makes a leaf: our name, and the arguments that Theano's name says."""

    name: str
    arguments: str


def leaves() -> dict[str, Leaf]:
    """Theano's names for leaves, with and without a letter for the dtype."""
    found = {}
    for kind, (name, shape) in KINDS.items():
        for letter, dtype in {"": "", **LETTERS}.items():
            said = f"dtype={dtype!r}" * bool(dtype and dtype != "float64")
            found[f"theano.tensor.{letter}{kind}"] = Leaf(
                name, ", ".join(filter(None, [said, shape]))
            )
    return found


OTHER_ARGUMENTS = {  # names whose calls read differently, so that a new name is not enough
    "theano.Op": "states infer_type, perform and pullback",
    "theano.OpFromGraph": "takes pullback= and pushforward= in place of overrides",
    "theano.scan": "returns the outputs alone; shared values move on by themselves",
    "theano.tensor.alloc": "takes the shape as one tuple, behind the value",
    "theano.tensor.shape_padleft": "takes axis=",
    "theano.tensor.shared_randomstreams.RandomStreams": "draws take size= behind the parameters",
    "theano.tensor.signal.pool.pool_2d": "takes size and stride, and no border",
    "theano.tensor.stack": "takes one list",
    "theano.tensor.nnet.relu": "`ad.maximum(x, 0)`, whose slope at 0 is 1",
    "theano.tensor.nnet.conv2d": "does not flip the filters",
    "theano.gradient.jacobian": "takes what it differentiates by in a list, or one",
}  # fmt: skip


METHODS = {  # of old variables alone
    "dimshuffle": "ad.transpose and ad.expand_dims", "norm": "ad.norm(x)",
    "eval": "ad.evaluate(y, {x: 3.0})", "zeros_like": "ad.zeros_like(x)",
    "ones_like": "ad.ones_like(x)",
}  # fmt: skip
NEEDLESS = ("borrow", "mode", "profile", "accept_inplace")  # they told Theano how to compile


def table() -> dict[str, Modern]:
    """Our name for each of Theano's."""
    found: dict[str, Modern] = {}
    for module, names in re.findall(r"^(\S+) \[([^\]]*)\]", THEANO, re.MULTILINE):
        for name in names.split():
            theirs, _, ours = name.partition("=")
            found[f"{module}.{theirs}"] = Modern(ours or theirs)
    for theirs, ours, _, remark in re.findall(r"^(\S+) = (\S+)( \| (.*))?$", THEANO, re.MULTILINE):
        found[theirs] = Modern(ours, remark)
    rows = OTHER_ARGUMENTS.items()
    return found | {
        theirs: Modern(found[theirs].name, why) for theirs, why in rows if theirs in found
    }
