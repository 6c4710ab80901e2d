"""Classes of what is not there: programs ask whether a variable is sparse, or on a card."""

from typing import Any

from ..arrays.leaves import as_tensor_variable
from ..core import Variable
from ..core.missing import missing


class Absent(type):
    """The class of these classes: nothing is an instance of one, and none can be made."""

    def __call__(cls, *args: Any, **how: Any) -> Any:
        raise missing(cls.__module__, cls.__name__, ())


def classes(module: str, names: str) -> dict[str, Any]:
    """Classes of a module, by name."""
    about = {"__module__": module, "__doc__": "Nothing is an instance of this class."}
    return {name: Absent(name, (), about) for name in names.split()}


SPARSE: dict[str, Any] = {
    **classes("theano.sparse", "SparseType SparseVariable SparseConstant SparseSharedVariable "
              "SparseConstantSignature SparseTensorSharedVariable"),
    "enable_sparse": False, "_is_sparse": lambda x: False, "_is_sparse_variable": lambda x: False,
    "_is_dense": lambda x: not isinstance(x, Variable),
    "_is_dense_variable": lambda x: isinstance(x, Variable),
    "as_sparse_or_tensor_variable": as_tensor_variable,
}  # fmt: skip
CARD: dict[str, Any] = {
    **classes("theano.sandbox.cuda", "CudaNdarray CudaNdarrayType CudaNdarrayVariable "
              "CudaNdarrayConstant CudaNdarraySharedVariable"),
    **classes("theano.gpuarray", "GpuArrayType GpuArrayVariable GpuArrayConstant "
              "GpuArraySharedVariable"),
}  # fmt: skip
