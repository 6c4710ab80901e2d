"""An index by the names of other libraries: what they call a thing, and what it is called here.

A line reads `their name = our name`, with a remark behind a bar where there is a difference. What
stands in brackets are names in one module, which are the same here unless it says so.
"""

import re
from typing import NamedTuple

import subjects

from autodiff_edu.library.aliases import FUNCTIONS
from autodiff_edu.theano.script.names import THEANO


class Row(NamedTuple):
    """A name there, a name here, and how they differ."""

    theirs: str
    ours: str
    remark: str = ""


NUMPY = """
numpy [abs add all any append arange arccos arccosh arcsin arcsinh arctan arctan2 arctanh argmax
argmin argsort array array_split astype average bitwise_and bitwise_or bitwise_xor block
broadcast_to cbrt ceil clip column_stack compress concatenate convolve copysign corrcoef correlate
cos cosh cov cross cumprod cumsum deg2rad delete diag diagflat diagonal diff divide dot dsplit
dstack einsum equal exp exp2 expand_dims expm1 eye flip floor floor_divide fmax fmin fmod full
full_like gradient greater greater_equal heaviside hsplit hstack hypot inner insert interp invert
isclose isfinite isinf isnan ix_ kron less less_equal linspace log log10 log1p log2 logaddexp
logaddexp2 logical_and logical_not logical_or logical_xor logspace matmul matrix_transpose matvec
max maximum mean median meshgrid min minimum moveaxis multiply nanmax nanmean nanmin nanstd nansum
nanvar negative not_equal ones ones_like outer pad piecewise polyval power prod ptp quantile rad2deg
ravel reciprocal remainder repeat reshape roll rot90 round searchsorted select sign sin sinc sinh
size sort split sqrt square squeeze stack std subtract sum swapaxes take take_along_axis tan tanh
tensordot tile transpose trapezoid tril triu trunc unstack vander var vdot vecdot vecmat vsplit
vstack where zeros zeros_like]
numpy.linalg [cholesky cond det eigh eigvalsh inv lstsq matrix_norm matrix_power multi_dot norm pinv
qr slogdet solve svd svdvals vector_norm]
scipy.special [digamma erf erfc erfcx expit gammaln log_softmax logit logsumexp polygamma softmax
xlogy]
numpy.absolute = abs
numpy.acos = arccos
numpy.acosh = arccosh
numpy.amax = max
numpy.amin = min
numpy.around = round
numpy.asarray = array
numpy.asin = arcsin
numpy.asinh = arcsinh
numpy.atan = arctan
numpy.atan2 = arctan2
numpy.atanh = arctanh
numpy.bitwise_invert = invert
numpy.bitwise_not = invert
numpy.concat = concatenate
numpy.cumulative_prod = cumprod
numpy.cumulative_sum = cumsum
numpy.degrees = rad2deg
numpy.empty_like = zeros_like | zeros, so that it gives the same each time
numpy.fix = trunc
numpy.lib.stride_tricks.sliding_window_view = sliding_window_view
numpy.linalg.cross = cross
numpy.linalg.diagonal = diagonal
numpy.linalg.matmul = matmul
numpy.linalg.matrix_transpose = matrix_transpose
numpy.linalg.outer = outer
numpy.linalg.tensordot = tensordot
numpy.linalg.trace = matrix_trace
numpy.linalg.vecdot = vecdot
numpy.matrix = matrix | another thing: here it is an input with two axes
numpy.mod = remainder
numpy.permute_dims = transpose
numpy.pow = power
numpy.radians = deg2rad
numpy.random.Generator = RandomStream | draws are expressions
numpy.trace = matrix_trace | `ad.trace` is the table of all values at a point
numpy.true_divide = divide
numpy.vectorize = vectorize | another thing: here it gives a graph of many examples
scipy.differentiate.derivative = grad | exact, and not by differences
scipy.integrate.odeint = odeint
scipy.integrate.solve_ivp = odeint | the rate takes y first, then t
scipy.optimize.check_grad = verify_grad
scipy.optimize.fixed_point = fixed_point
scipy.optimize.root = root
scipy.signal.convolve = convolve | of vectors
scipy.special.psi = digamma
"""

JAX = """
jax [checkpoint custom_gradient grad hessian jacobian value_and_grad]
jax.custom_jvp = OpFromGraph | `pushforward=`
jax.custom_vjp = custom_gradient
jax.experimental.jet.jet = jet | Taylor coefficients; JAX gives derivatives
jax.experimental.ode.odeint = odeint
jax.flatten_util.ravel_pytree = flatten
jax.jacfwd = jacobian | `mode="forward"`
jax.jacrev = jacobian | `mode="reverse"`
jax.jit = function | of expressions; derivatives of Python functions are compiled anyway
jax.jvp = pushforward
jax.lax.clamp = clip | it takes the lower bound first; here x comes first
jax.lax.cond = where | both branches are computed
jax.lax.conv_general_dilated = conv2d
jax.lax.custom_root = root
jax.lax.fori_loop = scan
jax.lax.logistic = sigmoid
jax.lax.reduce_window = max_pool2d | or `ad.mean_pool2d`
jax.lax.scan = scan | sequences and initial values are given by name
jax.lax.select = where
jax.lax.stop_gradient = zero_grad
jax.lax.while_loop = until | in a step of `ad.scan`
jax.make_jaxpr = draw | or `ad.trace`, at a point
jax.nn [log_softmax logsumexp sigmoid softmax softplus]
jax.nn.relu = maximum | `ad.maximum(x, 0)`
jax.numpy.ndarray.at = Expr.at
jax.random.key = RandomStream | a stream moves on by itself
jax.remat = checkpoint
jax.scipy.special [digamma erf erfc erfcx expit gammaln log_softmax logit logsumexp polygamma
softmax xlogy]
jax.test_util.check_grads = verify_grad
jax.vjp = pullback
jax.vmap = vectorize
"""

PYTORCH = """
torch [abs add all any arange argmax argmin argsort bitwise_and bitwise_or bitwise_xor broadcast_to
ceil column_stack concatenate copysign corrcoef cos cosh cov cumprod cumsum deg2rad diag diagflat
diagonal diff digamma dot dsplit dstack einsum erf erfc exp exp2 expm1 eye flip floor floor_divide
fmax fmin fmod full full_like heaviside hsplit hstack hypot inner isclose isfinite isinf isnan kron
linspace log log10 log1p log2 logaddexp logaddexp2 logical_and logical_not logical_or logical_xor
logit logspace logsumexp matmul maximum mean minimum moveaxis multiply nanmean nansum negative
not_equal ones ones_like outer prod quantile rad2deg ravel reciprocal remainder reshape roll rot90
round searchsorted sigmoid sign sin sinc sinh softmax sqrt square squeeze stack subtract sum
swapaxes tan tanh tensordot tile tril triu trunc trapezoid vander vdot vsplit vstack where xlogy
zeros zeros_like acos=arccos acosh=arccosh asin=arcsin asinh=arcsinh atan=arctan atan2=arctan2
atanh=arctanh bitwise_not=invert bmm=matmul cat=concatenate clamp=clip div=divide eq=equal
ge=greater_equal ger=outer gt=greater inverse=inv le=less_equal lgamma=gammaln lt=less mm=matmul
mul=multiply mv=matvec neg=negative permute=transpose pinverse=pinv pow=power
repeat_interleave=repeat sub=subtract tensor_split=array_split unbind=unstack unsqueeze=expand_dims
take_along_dim=take_along_axis]
torch.Generator = RandomStream | draws are expressions
torch.Tensor.backward = grad | gradients are returned, and never added up in the leaves
torch.Tensor.detach = disconnected_grad
torch.Tensor.repeat = tile
torch.Tensor.unfold = sliding_window_view
torch.autograd.Function = Op | or `ad.custom_gradient`
torch.autograd.functional.hessian = hessian
torch.autograd.functional.hvp = hessian_vector_product
torch.autograd.functional.jacobian = jacobian
torch.autograd.functional.jvp = pushforward
torch.autograd.functional.vjp = pullback
torch.autograd.grad = grad
torch.autograd.gradcheck = verify_grad
torch.bucketize = searchsorted | the table comes first here
torch.compile = function | of expressions
torch.cross = cross
torch.equal = same | of graphs; `torch.equal` compares numbers
torch.flatten = ravel | `ad.flatten` makes a vector of parameters
torch.func.grad = grad
torch.func.grad_and_value = value_and_grad | the value comes first
torch.func.hessian = hessian
torch.func.jacfwd = jacobian | `mode="forward"`
torch.func.jacrev = jacobian | `mode="reverse"`
torch.func.jvp = pushforward
torch.func.vjp = pullback
torch.func.vmap = vectorize
torch.fx.Graph = Graph
torch.gather = take_along_axis
torch.gradient = gradient | finite differences, in both
torch.index_select = take
torch.linalg [cholesky cond det eigh eigvalsh inv lstsq matrix_norm matrix_power multi_dot norm pinv
qr slogdet solve svd svdvals vecdot vector_norm cross diagonal vander matmul]
torch.max = max | with `dim=` it gives places, too: these are `ad.argmax`
torch.median = median | of an even number of entries the lower middle one; here their mean
torch.meshgrid = meshgrid | by default `indexing="ij"`; here `"xy"`, as in NumPy
torch.min = min | with `dim=` it gives places, too: these are `ad.argmin`
torch.nn.Parameter = shared
torch.nn.functional.avg_pool2d = mean_pool2d
torch.nn.functional.conv2d = conv2d
torch.nn.functional.log_softmax = log_softmax
torch.nn.functional.max_pool2d = max_pool2d
torch.nn.functional.pad = pad | widths from the last axis backwards; here as in NumPy
torch.nn.functional.relu = maximum | `ad.maximum(x, 0)`
torch.nn.functional.softmax = softmax
torch.nn.functional.softplus = softplus
torch.nn.utils.parameters_to_vector = flatten
torch.no_grad = disconnected_grad
torch.norm = norm
torch.optim.Adam = optimisers.adam
torch.optim.SGD = optimisers.sgd | or `ad.optimisers.momentum`
torch.sort = sort | it gives places, too: these are `ad.argsort`
torch.special [digamma erf erfc erfcx exp2 expit expm1 gammaln log1p log_softmax logit logsumexp
polygamma round sinc softmax xlogy psi=digamma]
torch.split = split | by the length of the parts; here by their number, as in NumPy
torch.std = std | it divides by n − 1; here by n, as in NumPy: `ddof=1`
torch.take = take
torch.trace = matrix_trace
torch.transpose = swapaxes
torch.utils.checkpoint.checkpoint = checkpoint
torch.utils.flop_counter.FlopCounterMode = cost
torch.var = var | it divides by n − 1; here by n, as in NumPy: `ddof=1`
"""

LIBRARIES = {"NumPy and SciPy": NUMPY, "Theano": THEANO, "JAX": JAX, "PyTorch": PYTORCH}
WORDS = {
    "NumPy and SciPy": "NumPy's functions may be called with expressions, too: `np.exp(x)` is "
    "`ad.exp(x)`. So can these, which have no name here: {only}.",
    "Theano": "Old programs run as they are with `import autodiff_edu.theano as theano`.",
    "JAX": "Functions of `jax.numpy` have NumPy's names. Derivatives are taken of Python functions "
    "as there, `ad.grad(f)(x)`, or of expressions, `ad.grad(y, x)`.",
    "PyTorch": "Axes are `axis=`, and not `dim=`; an axis is kept by `keepdims=`.",
}


def rows(text: str) -> list[Row]:
    """The table of one library, in the order of its names."""
    found = []
    for module, names in re.findall(r"^(\S+) \[([^\]]*)\]", text, re.MULTILINE):
        pairs = [name.partition("=") for name in names.split()]
        found += [Row(f"{module}.{theirs}", ours or theirs) for theirs, _, ours in pairs]
    for theirs, ours, _, remark in re.findall(r"^(\S+) = (\S+)( \| (.*))?$", text, re.MULTILINE):
        found.append(Row(theirs, ours, remark))
    return sorted(found)


def only_numpys() -> list[str]:
    """Functions that an expression may be given to, though they have no name here."""
    return sorted(name for name in FUNCTIONS if name not in subjects.public_names())


def page() -> str:
    """The index: of each library a table of other names, and the names that are the same."""
    parts = ["# Names in NumPy, Theano, JAX and PyTorch", ""]
    for library, text in LIBRARIES.items():
        only = ", ".join(f"`np.{name}`" for name in only_numpys())
        parts += [f"## {library}", "", WORDS[library].format(only=only), ""]
        parts += ["| there | here | remark |", "|---|---|---|"]
        parts += [cells(row) for row in rows(text) if not is_same(row)]
        parts += ["", *modules([row for row in rows(text) if is_same(row)])]
    return "\n".join(parts)


def is_same(row: Row) -> bool:
    """Is it the same function under the same name?"""
    return not row.remark and row.theirs.rpartition(".")[2] == row.ours


def modules(same: list[Row]) -> list[str]:
    """The names that are the same, a paragraph for each module of theirs."""
    found: dict[str, list[str]] = {}
    for row in same:
        found.setdefault(row.theirs.rpartition(".")[0], []).append(link(row.ours, row.ours))
    told = [
        f"The same names as in `{module}`: {', '.join(names)}." for module, names in found.items()
    ]
    return [line for words in told for line in (words, "")]


def link(ours: str, words: str) -> str:
    """To the entry of a name of ours."""
    return f"{{py:obj}}`{words} <autodiff_edu.{ours}>`"


def cells(row: Row) -> str:
    """One line of a table."""
    return f"| `{row.theirs}` | {link(row.ours, f'ad.{row.ours}')} | {row.remark} |"
