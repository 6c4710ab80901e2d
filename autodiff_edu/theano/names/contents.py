"""What each module of Theano's has. A module that the table does not list has what its package
has."""

import sys
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from ...expr import MissingInputError
from .. import branches, derivatives, differences, loops, printers, text
from ..arrays import counting, factors, flags, fourier, leaves, linear, tensor_equations
from ..arrays import shared as shared_values
from ..core import Apply, Constant, SharedVariable, Variable, change_flags, config
from ..core.config import OPTIONS
from ..core.test_values import test_value_of
from ..core.types import DisconnectedType, NullType, Type
from ..core.variable import TABLES
from ..networks import (
    abstract_conv,
    activations,
    block_sparse,
    conv_shapes,
    convolution,
    losses,
    neighbours,
    normalization,
    pooling,
    upsampling,
)
from ..programs import as_op, builders, function_graph, function_module, graph, mode, op, stored
from ..programs.function import UnusedInputError, function
from ..programs.io import In, Out, Param, SymbolicInput, SymbolicOutput
from ..streams import mrg, random_state, random_streams, raw_random
from . import absent, scalars, testing
from .kinds import KINDS
from .tensor import arrays, get_scalar_constant_value

Names = dict[str, Any]
NNET: Names = {**KINDS, **activations.NAMES, **losses.NAMES, **abstract_conv.NAMES,
               **upsampling.NAMES, **conv_shapes.NAMES,
               **normalization.NAMES}  # fmt: skip
GOF: Names = {
    "Apply": Apply, "Variable": Variable, "Constant": Constant, "Op": op.Op, "PureOp": op.Op,
    "COp": op.Op, "OpenMPOp": op.Op, "Type": Type, "PureType": Type, "CLinkerOp": object,
    "MissingInputError": MissingInputError, "FunctionGraph": function_graph.FunctionGraph,
    "InconsistencyError": type("InconsistencyError", (Exception,), {}), "hashtype": op.hashtype,
    "MethodNotDefined": op.MethodNotDefined, "NullType": NullType, "CLinkerType": object,
    "DisconnectedType": DisconnectedType, "null_type": NullType,
    "get_test_value": lambda v: test_value_of(leaves.as_tensor_variable(v)),
    **{k: v for k, v in graph.NAMES.items() if k not in ("ops", "variables")},
    **dict.fromkeys(("CLinker", "DualLinker", "OpWiseCLinker", "PerformLinker", "VM_Linker"),
                    function_graph.Linker),
}  # fmt: skip
COMPILE: Names = {
    **mode.NAMES, **as_op.NAMES, "function": function, "In": In, "Out": Out, "Param": Param,
    "SymbolicInput": SymbolicInput, "SymbolicOutput": SymbolicOutput, "OpFromGraph":
    builders.OpFromGraph, "SharedVariable": SharedVariable, "shared": shared_values.shared,
    "UnusedInputError": UnusedInputError, "Function": function_module.Function, "pfunc": function,
    "rebuild_collect_shared": None, "ProfileStats": object, "AliasedMemoryError":
    type("AliasedMemoryError", (Exception,), {}), "specify_shape": flags.specify_shape,
    "shared_constructor": lambda f, *_, **__: f, "config": config, "ViewOp": op.ViewOp,
    "view_op": op.ViewOp(),
    "Rebroadcast": KINDS["Rebroadcast"], "SpecifyShape": KINDS["SpecifyShape"],
}  # fmt: skip
GRADIENT: Names = {
    **derivatives.NAMES,
    **differences.NAMES,
    **{
        k: KINDS[k]
        for k in (
            "ConsiderConstant",
            "DisconnectedGrad",
            "GradClip",
            "GradScale",
            "UndefinedGrad",
            "ZeroGrad",
        )
    },
}
ALGEBRA: Names = {**KINDS, **linear.ALGEBRA, **factors.NAMES, **tensor_equations.NAMES,
                  "eig": KINDS["Eig"]()}  # fmt: skip
TOP: Names = {
    **COMPILE, "Apply": Apply, "Constant": Constant, "Op": op.Op, "Type": Type,
    "Variable": Variable, "config": config, "change_flags": change_flags, "clone":
    graph.clone_replace, "grad": derivatives.grad, "Rop": derivatives.Rop, "Lop": derivatives.Lop,
    "subgraph_grad": derivatives.subgraph_grad, "pp": printers.pp, "pprint": printers.pp,
    "OrderedUpdates": loops.OrderedUpdates, **{k: loops.NAMES[k] for k in (
        "foldl", "foldr", "map", "reduce", "scan", "scan_checkpoints")},
    "generic": None, "dot": linear.dot, "_asarray": testing.as_array, "__version__": "1.0.5",
    "get_scalar_constant_value": get_scalar_constant_value, "sparse_grad": lambda x: x,
    "FunctionMaker": object, "predefined_linkers": {}, "predefined_optimizers": {},
    "as_op": as_op.NAMES["as_op"], "version": types.SimpleNamespace(version="1.0.5"),
}  # fmt: skip
NO_CARD: Names = {
    **absent.CARD,
    "cuda_available": False, "cuda_enabled": False, "use": lambda *_, **__: None,
    "dnn_available": lambda *_: False, "dnn_present": lambda *_: False, "pygpu_activated": False,
    "init_dev": lambda *_, **__: None, "host_from_gpu": lambda x: x, "gpu_from_host": lambda x: x,
    "shared_constructor": shared_values.shared, "gpu_contiguous": lambda x: x,
    "float32_shared_constructor": shared_values.shared, "version": lambda *_: -1,
    "dnn_conv": abstract_conv.conv2d, "as_cuda_ndarray_variable": leaves.as_tensor_variable,
}  # fmt: skip


OURS = sys.modules[
    __package__.rpartition(".")[0]
]  # what `import theano` gives, in these modules too
CONV: Names = {"ConvOp": KINDS["ConvOp"], "imported_scipy_signal": True}


def tables() -> dict[str, Names]:
    """The names of each module that has some of its own."""
    tensor = arrays()
    opt: Names = {"register_canonicalize": same, "register_specialize": same,
                  "register_stabilize": same, "local_optimizer": lambda *_, **__: same,
                  "check_stack_trace": lambda *_, **__: True}  # fmt: skip
    found: dict[str, Names] = {
        "theano": TOP, "theano.tensor": tensor, "theano.tensor.nnet": NNET,
        "theano.tensor.nnet.conv": {**CONV, "conv2d": abstract_conv.conv2d},
        "theano.tensor.nnet.abstract_conv": {**NNET, **CONV},
        "theano.tensor.nnet.nnet": NNET, "theano.tensor.nnet.sigm": NNET,
        "theano.tensor.nnet.neighbours": {**KINDS, **neighbours.NAMES},
        "theano.tensor.nnet.blocksparse": block_sparse.NAMES,
        "theano.sandbox.neighbours": neighbours.NAMES, "theano.tensor.signal": {},
        "theano.tensor.signal.pool": {**KINDS, **pooling.NAMES},
        "theano.tensor.signal.downsample":
        pooling.NAMES, "theano.tensor.signal.conv": {"conv2d": convolution.signal_conv2d},
        "theano.tensor.extra_ops": {**tensor, **counting.NAMES},
        "theano.tensor.sort": {**tensor, **counting.SORT},
        "theano.tensor.nlinalg": ALGEBRA, "theano.tensor.slinalg": ALGEBRA,
        "theano.sandbox.linalg": ALGEBRA, "theano.tensor.opt": {**tensor, **opt},
        "theano.tensor.inplace": {**tensor, **{f"{k}_inplace": v for k, v in tensor.items()}},
        "theano.tensor.shared_randomstreams": {"RandomStreams": random_streams.RandomStreams,
            "RandomStateSharedVariable": random_state.RandomStateSharedVariable},
        "theano.tensor.randomstreams": {"RandomStreams": random_streams.RandomStreams},
        "theano.tensor.raw_random": {**raw_random.NAMES, "theano": OURS},
        "theano.tensor.sharedvar": {**tensor,
            "SharedVariable": SharedVariable, "scalar_constructor": shared_values.shared,
            "tensor_constructor": shared_values.shared},
        "theano.tensor.xlogx": scalars.XLOGX, "theano.tensor.blas": tensor,
        "theano.tensor.fft": fourier.NAMES,
        "theano.sandbox.rng_mrg": {"MRG_RandomStreams": mrg.MRG_RandomStreams},
    }  # fmt: skip
    return found | further(opt)


def further(opt: Names) -> dict[str, Names]:
    """The same for the modules beside `theano.tensor`."""
    return {
        "theano.sandbox": {}, "theano.sandbox.cuda": NO_CARD, "theano.gpuarray": NO_CARD,
        "theano.sandbox.gpuarray": NO_CARD, "theano.gof": GOF,
        "theano.gof.graph": {**GOF, **graph.NAMES}, "theano.gof.opt": {**GOF, **opt},
        "theano.compile": COMPILE, "theano.ifelse": {"ifelse": branches.ifelse, "IfElse":
            KINDS["IfElse"]},
        "theano.printing": printers.NAMES, "theano.gradient": GRADIENT,
        "theano.scan_module": {
            **loops.NAMES, "clone": graph.clone_replace, "Scan": KINDS["Scan"]},
        "theano.scalar": scalars.NAMES, "theano.misc": {}, "theano.misc.pkl_utils": text.PICKLES,
        "theano.misc.safe_asarray": {"_asarray": testing.as_array}, "theano.tests": {},
        "theano.tests.unittest_tools": testing.NAMES, "theano.sparse": absent.SPARSE,
        "theano.updates": {"OrderedUpdates": loops.OrderedUpdates}, "theano.configparser": {
            "config": config, "change_flags": change_flags, "_config_var_list": OPTIONS},
        "theano.raise_op": {"Assert": KINDS["Assert"], "assert_op": KINDS["assert_op"]},
        "theano.tensor.opt_uncanonicalize": {},
        "theano.d3viz": {"d3viz": printers.d3viz}, "theano.version": {"version": "1.0.5"},
        "theano.compat": text.COMPAT, "theano.typed_list": {}, "theano.configdefaults": {
            "config": config, "local_bitwidth": lambda: 64, "python_int_bitwidth": lambda: 64},
        "theano.sandbox.softsign": NNET, "theano.sandbox.multinomial": {},
    }  # fmt: skip


def same(thing: Any = None, *_: Any, **__: Any) -> Any:
    """What registered a rewrite of graphs; ours are rules."""
    return thing if isinstance(thing, Callable) else same  # type: ignore[arg-type]


TABLE: dict[str, Names] = {}
HANDED_ON: Names = {  # nearly every module imported these, and so has them: T.Constant
    "Apply": Apply, "Constant": Constant, "Op": op.Op, "Type": Type, "Variable": Variable,
    "DisconnectedType": DisconnectedType, "NullType": NullType, "hashtype": op.hashtype, "np": np,
    "grad_undefined": GRADIENT["grad_undefined"], "theano": OURS, "config": config,
    "_tensor_py_operators": Variable, "grad_not_implemented": GRADIENT["grad_not_implemented"],
}  # fmt: skip


def contents(path: str) -> Names:
    """The names of a module; of one without a table, those of its package."""
    if not TABLE:
        TABLE.update(tables())
    while path not in TABLE:
        path = path.rpartition(".")[0]
    return {**HANDED_ON, **TABLE[path]}


TABLES["function"], TABLES["default_mode"] = function, mode.get_default_mode
TABLES["eval"], TABLES["stored"] = stored.value, stored.stored
