"""Classes of Theano's operations, of which programs ask `isinstance(node.op, T.Elemwise)`."""

import types
from typing import Any

from ..arrays import (
    counting,
    creation,
    factors,
    flags,
    indexing,
    linear,
    reductions,
    shaping,
    tensor_equations,
)
from ..arrays.leaves import as_tensor_variable
from ..arrays.lengths import shape
from ..branches import ifelse
from ..derivatives import disconnected_grad, grad_clip, grad_scale, undefined_grad, zero_grad
from ..networks import activations, conv_classes, losses, neighbours, normalization, pooling
from ..programs.op import Op


class Kind(type):
    """The class of these classes: an operation of ours is an instance by its name."""

    names: tuple[str, ...] = ()

    def __new__(cls, name: str, bases: tuple[type, ...], about: dict[str, Any]) -> Any:
        """A class of these; one of a user's that inherits from them is an operation of its own."""
        if not any(isinstance(base, Kind) for base in bases):
            return super().__new__(cls, name, bases, about)
        own = dict.fromkeys(Op if isinstance(base, Kind) else base for base in bases)
        return type(name, tuple(own), about)

    def __call__(cls, *args: Any, **how: Any) -> Any:
        """The operation with these options, as a function of variables."""
        if cls.__name__ not in MAKERS:
            raise NotImplementedError(f"the class {cls.__name__} is there for isinstance alone")
        made = MAKERS[cls.__name__](*args, **how)
        if not isinstance(made, types.FunctionType):
            return made
        found: Any = object.__new__(cls)  # type: ignore[arg-type]
        found.call, found.options = made, (args, tuple(sorted(how.items())))
        return found

    def __instancecheck__(cls, thing: Any) -> bool:
        if type.__instancecheck__(cls, thing):
            return True
        elementwise = cls.__name__ == "Elemwise" and getattr(thing, "elementwise", False)
        return bool(elementwise) or getattr(thing, "name", "") in cls.names


NAMES = {
    "Elemwise": "", "DimShuffle": "transpose expand_dims squeeze",
    "CAReduce": "sum prod max min all any",
    "Sum": "sum", "Prod": "prod", "Dot": "dot matmul", "Reshape": "reshape", "Join": "concatenate",
    "Subtensor": "index between", "AdvancedSubtensor": "gather", "AdvancedSubtensor1": "gather",
    "IncSubtensor": "set_at add_at", "AdvancedIncSubtensor1": "set_at add_at",
    "AdvancedIncSubtensor": "set_at add_at", "Alloc": "broadcast_to",
    "Gemm": "", "Gemv": "", "Ger": "",
    "Dot22": "", "Softmax": "softmax", "SoftmaxGrad": "", "LogSoftmax": "log_softmax",
    "Argmax": "argmax", "MaxAndArgmax": "argmax", "Scan": "scan", "IfElse": "branch",
    "ARange": "count", "Eye": "", "Nonzero": "places", "Shape": "length", "Shape_i": "length",
    "Split": "index between", "MakeVector": "concatenate", "Flatten": "reshape",
    "ConvOp": "correlate_images", "MatrixInverse": "inv",
    "Det": "det", "Cholesky": "lower_cholesky", "Solve": "solve_columns", "CumOp": "cumsum cumprod",
    "TensorDot": "tensordot", "Mean": "mean", "All": "all", "Any": "any",
    "SortOp": "sort", "ArgSortOp": "argsort", "TopKOp": "argsort", "Images2Neibs": "windows",
    **conv_classes.BY_NAME,
}  # fmt: skip


def reducing(function: Any) -> Any:
    """An operation that takes its axis first: Sum(axis=0)(x)."""
    return lambda axis=None, **how: lambda x: function(x, axis)


def plain(function: Any) -> Any:
    """An operation without options: Dot()(x, y)."""
    return lambda *_, **__: function


def solving(A_structure: str = "general", *_: Any, **__: Any) -> Any:
    """Solve(A_structure)(a, b): of a triangular matrix one triangle is read."""
    if A_structure not in SOLVERS:
        raise ValueError("Invalid matrix structure argument", A_structure)
    return SOLVERS[A_structure]


def top_entries(
    axis: Any = -1,
    sorted: bool = True,
    idx_dtype: str = "int64",
    return_values: bool = True,
    return_indices: bool = True,
) -> Any:
    """TopKOp(axis)(x, k): the k largest entries, their places, or both."""
    wanted = slice(0 if return_values else 1, 2 if return_indices else 1)

    def call(x: Any, kth: Any) -> Any:
        found = counting.topk_and_argtopk(x, kth, axis, sorted, idx_dtype)[wanted]
        return found if len(found) > 1 else found[0]

    return call


SOLVERS = {
    "general": factors.solve, "symmetric": factors.solve,
    "lower_triangular": linear.solve_lower_triangular, "hermitian": factors.solve,
    "upper_triangular": linear.solve_upper_triangular, "banded": factors.solve,
    "diagonal": factors.solve, "toeplitz": factors.solve,
}  # fmt: skip
REDUCED = {"add": reductions.sum, "mul": reductions.prod, "maximum": reductions.max,
           "minimum": reductions.min, "and_": reductions.all, "or_": reductions.any}  # fmt: skip
MAKERS: dict[str, Any] = {
    "Elemwise": lambda scalar_op, *_, **__: scalar_op,
    "DimShuffle": lambda flags, order, *_, **__: lambda x: shaping.dimshuffle(x, *order),
    "CAReduce": lambda op, axis=None, **_: lambda x: REDUCED[op.__name__](x, axis),
    "Sum": reducing(reductions.sum), "Prod": reducing(reductions.prod),
    "Mean": reducing(reductions.mean), "All": reducing(reductions.all),
    "Any": reducing(reductions.any), "Argmax": reducing(reductions.argmax),
    "MaxAndArgmax": reducing(reductions.max_and_argmax), "Dot": plain(linear.dot),
    "Reshape": lambda ndim, **_: lambda x, shape: shaping.reshape(x, shape, ndim),
    "Join": plain(shaping.join), "Alloc": plain(creation.alloc), "Nonzero": plain(indexing.nonzero),
    "Eye": lambda dtype=None: lambda n, m, k: creation.eye(n, m, k, dtype),
    "ARange": lambda dtype: lambda *n: creation.arange(*n, dtype=dtype),
    "Split": lambda n: lambda x, axis, sizes: shaping.split(x, sizes, n, axis),
    "Flatten": lambda outdim=1: lambda x: shaping.flatten(x, outdim),
    "AdvancedSubtensor1": plain(indexing.getitem), "AdvancedSubtensor": plain(indexing.several),
    "Softmax": plain(activations.softmax), "LogSoftmax": plain(activations.logsoftmax),
    "MatrixInverse": plain(linear.matrix_inverse), "Det": plain(linear.det),
    "Cholesky": lambda lower=True, on_error="raise": lambda x: factors.cholesky(
        x, lower, on_error), "Solve": solving, "Shape": plain(shape),
    "Eig": plain(tensor_equations.eig), "Eigh": plain(linear.eigh),
    "MatrixPinv": plain(linear.pinv), "SVD": plain(factors.svd),
    "Eigvalsh": plain(factors.eigvalsh), "Tile": lambda ndim: lambda x, reps: shaping.tile(
        x, reps, ndim), "TensorFromScalar": plain(as_tensor_variable),
    "Expm": plain(linear.ALGEBRA["expm"]),
    "RepeatOp": lambda axis=None: lambda x, n: shaping.repeat(x, n, axis),
    "DiffOp": lambda n=1, axis=-1: lambda x: counting.diff(x, n, axis),
    "Pool": pooling.Pool, "MaxPoolGrad": pooling.MaxPoolGrad,
    "AveragePoolGrad": pooling.AveragePoolGrad,
    "IfElse": lambda n_outs=1, **_: lambda c, *sides: ifelse(c, sides[:n_outs], sides[n_outs:]),
    "SearchsortedOp": lambda side="left": lambda x, v, sorter=None: counting.searchsorted(
        x, v, side, sorter),
    "SortOp": lambda *_, **__: counting.sort, "ArgSortOp": lambda *_, **__: counting.argsort,
    "Shape_i": lambda i: lambda x: shape(x)[i],
    "SoftmaxWithBias": plain(activations.softmax_with_bias),
    "SoftmaxGrad": plain(activations.softmax_grad),
    "CrossentropySoftmaxArgmax1HotWithBias": plain(
        losses.crossentropy_softmax_argmax_1hot_with_bias),
    "CrossentropySoftmax1HotWithBiasDx": plain(losses.crossentropy_softmax_1hot_with_bias_dx),
    "CrossentropyCategorical1Hot": plain(losses.crossentropy_categorical_1hot),
    "CrossentropyCategorical1HotGrad": plain(losses.crossentropy_categorical_1hot_grad),
    "UnravelIndex": lambda order="C": lambda i, dims: counting.unravel_index(i, dims, order),
    "RavelMultiIndex": lambda mode="raise", order="C": lambda *given: counting.ravel_multi_index(
        given[:-1], given[-1], mode, order),
    "MakeVector": lambda dtype="int64": lambda *x: shaping.stack(list(x)),
    "CumOp": lambda axis=None, mode="add": lambda x: (
        counting.cumsum if mode == "add" else counting.cumprod)(x, axis),
    "CumsumOp": lambda axis=None: lambda x: counting.cumsum(x, axis),
    "CumprodOp": lambda axis=None: lambda x: counting.cumprod(x, axis),
    "TopKOp": top_entries, "PermuteRowElements": plain(counting.permuted),
    "FillDiagonal": plain(counting.fill_diagonal), "Bartlett": plain(creation.bartlett),
    "FillDiagonalOffset": plain(counting.fill_diagonal_offset),
    "AllocDiag": lambda offset=0, axis1=0, axis2=1: lambda v: factors.alloc_diag(v, offset),
    "ExtractDiag": lambda offset=0, axis1=0, axis2=1, view=False: lambda x: linear.diagonal(
        x, offset, axis1, axis2),
    "AllocEmpty": lambda dtype: lambda *shape: creation.zeros(shape, dtype),
    "Tri": lambda dtype=None: lambda N, M, k: creation.tri(N, M, k, dtype),
    "Choose": lambda mode: lambda a, choices: indexing.choose(a, choices, mode=mode),
    "QRFull": lambda mode: lambda x: factors.qr(x, mode),
    "QRIncomplete": lambda mode: lambda x: factors.qr(x, mode),
    "TensorInv": lambda ind=2: lambda a: tensor_equations.tensorinv(a, ind),
    "TensorSolve": lambda axes=None: lambda a, b: tensor_equations.tensorsolve(a, b, axes),
    "BatchedDot": plain(linear.batched_dot), "CpuContiguous": plain(as_tensor_variable),
    "ScalarFromTensor": plain(as_tensor_variable),
    "ZeroGrad": plain(zero_grad), "ConsiderConstant": plain(zero_grad),
    "DisconnectedGrad": plain(disconnected_grad), "UndefinedGrad": plain(undefined_grad),
    "GradClip": lambda low, high: lambda x: grad_clip(x, low, high),
    "GradScale": lambda factor: lambda x: grad_scale(x, factor),
    "Images2Neibs": neighbours.by_mode, **conv_classes.MAKERS,
    **normalization.MAKERS,
}  # fmt: skip


class Made:
    """An operation with its options, as a function of variables."""

    def __call__(self, *variables: Any, **how: Any) -> Any:
        return self.call(*variables, **how)  # type: ignore[attr-defined]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Made):
            return type(self) is type(other) and vars(self)["options"] == vars(other)["options"]
        return isinstance(other, type(self))

    def __hash__(self) -> int:
        return hash(type(self))

    def __str__(self) -> str:
        return type(self).__name__


def kind(name: str, ours: str) -> Any:
    about = {"names": tuple(ours.split()), "__doc__": f"The operation {name}."}
    return Kind(name, (Made,), about)


FURTHER = """
    Tri Tile Choose AllocEmpty AllocDiag ExtractDiag TensorFromScalar ScalarFromTensor Default
    PermuteRowElements SoftmaxWithBias CrossentropySoftmaxArgmax1HotWithBias MatrixPinv Eig Eigh
    SVD QRFull QRIncomplete CrossentropySoftmax1HotWithBiasDx CrossentropyCategorical1Hot Expm
    Eigvalsh CrossentropyCategorical1HotGrad Pool PoolGrad MaxPoolGrad AveragePoolGrad
    BaseAbstractConv DiffOp CumsumOp CumprodOp RepeatOp Bartlett FillDiagonal FillDiagonalOffset
    SearchsortedOp ScalarSigmoid ScalarSoftplus DeepCopyOp OutputGuard ZeroGrad DisconnectedGrad
    GradClip GradScale UndefinedGrad ConsiderConstant BatchedDot MulWithoutZeros
    ProdWithoutZeros CAReduceDtype RandomFunction Raise AdvancedBooleanSubtensor CpuContiguous
    AdvancedBooleanIncSubtensor CholeskyGrad EigvalshGrad EighGrad TensorInv TensorSolve
    UnravelIndex RavelMultiIndex Composite
""".split()
KINDS: dict[str, Any] = {name: kind(name, ours) for name, ours in NAMES.items()}
KINDS |= {name: kind(name, "") for name in (*FURTHER, *normalization.MAKERS)}
KINDS["Pool"].out_shape = staticmethod(pooling.out_shape)
KINDS |= {"Assert": flags.Assert, "assert_op": flags.Assert(), "assert_": flags.Assert(),
          "Rebroadcast": flags.Rebroadcast, "SpecifyShape": flags.SpecifyShape}  # fmt: skip
