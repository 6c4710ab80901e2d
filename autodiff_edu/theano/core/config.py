"""`theano.config`: options that a program reads and sets, first those of THEANO_FLAGS and
.theanorc.

Of them floatX, on_unused_input, compute_test_value and int_division have an effect. The others told
Theano how to compile; they keep what they are set to.
"""

import os
from collections.abc import Iterator
from configparser import ConfigParser, Error
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .missing import missing

DEFAULTS: dict[str, Any] = {
    "floatX": "float64", "device": "cpu", "force_device": False, "init_gpu_device": "",
    "mode": "Mode", "optimizer": "fast_run", "optimizer_verbose": False, "linker": "cvm",
    "optimizer_including": "", "optimizer_excluding": "", "optimizer_requiring": "",
    "on_unused_input": "raise", "on_opt_error": "warn", "on_shape_error": "warn",
    "compute_test_value": "off", "compute_test_value_opt": "off", "print_test_value": False,
    "exception_verbosity": "low", "allow_gc": True, "openmp": False, "openmp_elemwise_minsize": 0,
    "cast_policy": "custom", "int_division": "int", "warn_float64": "ignore", "inputs": "",
    "profile": False, "profile_optimizer": False, "profile_memory": False, "cxx": "",
    "base_compiledir": "", "compiledir": "", "compiledir_format": "",
    "reoptimize_unpickled_function": False,
    "deterministic": "default", "assert_no_cpu_op": "ignore", "unpickle_function": True,
    "pickle_test_value": True, "check_input": True, "print_active_device": False,
    "print_global_stats": False, "enable_initial_driver_test": False, "allow_pre_compile": False,
    "warn.ignore_bug_before": "0.9", "warn.round": False, "warn.sum_sum_bug": False,
    "warn.argmax_pushdown_bug": False, "warn.gpusum_01_011_0111_bug": False,
    "warn.sum_div_dimshuffle_bug": False, "warn.subtensor_merge_bug": False,
    "warn.gpu_set_subtensor1": False, "warn.vm_gc_bug": False, "warn.reduce_join": False,
    "warn.signal_conv2d_interface": False, "warn.inc_set_subtensor1": False,
    "warn.inc_subtensor1_opt": False, "warn.identify_1pexp_bug": False,
    "lib.cnmem": 0.0, "lib.amdlibm": False, "gcc.cxxflags": "", "nvcc.fastmath": False,
    "nvcc.flags": "", "nvcc.compiler_bindir": "", "cuda.root": "", "cuda.disabled": "",
    "blas.ldflags": "", "blas.check_openmp": True, "dnn.enabled": "False",
    "dnn.conv.algo_fwd": "small", "dnn.conv.algo_bwd": "", "dnn.conv.algo_bwd_filter": "none",
    "dnn.conv.algo_bwd_data": "none", "dnn.conv.workmem": "", "dnn.conv.precision": "as_input_f32",
    "dnn.include_path": "", "dnn.library_path": "", "gpuarray.preallocate": 0.0,
    "gpuarray.sync": False, "gpu.local_elemwise_fusion": True, "conv.assert_shape": False,
    "scan.allow_gc": False, "scan.allow_output_prealloc": True, "scan.debug": False,
    "traceback.limit": 8, "traceback.compile_limit": 0, "unittests.rseed": "666",
    "numpy.seterr_all": "ignore", "numpy.seterr_divide": "None", "numpy.seterr_over": "None",
    "numpy.seterr_under": "None", "numpy.seterr_invalid": "None", "vm.lazy": "None",
    "optdb.position_cutoff": float("inf"), "optdb.max_use_ratio": 8.0, "compile.wait": 5,
    "compile.timeout": 120, "experimental.unpickle_gpu_on_cpu": False, "tensor.cmp_sloppy": 0,
    "experimental.local_alloc_elemwise": False, "NanGuardMode.action": "raise",
    "NanGuardMode.nan_is_error": True, "NanGuardMode.inf_is_error": True,
    "NanGuardMode.big_is_error": True, "DebugMode.check_c": False, "DebugMode.check_py": True,
    "DebugMode.patience": 10, "DebugMode.check_strides": 0, "DebugMode.check_finite": True,
    "profiling.time_thunks": True, "profiling.n_apply": 20, "profiling.n_ops": 20,
    "profiling.destination": "stderr", "profiling.ignore_first_call": False,
    "tensor.local_elemwise_fusion": True, "cmodule.warn_no_version": False,
    "cycle_detection": "regular", "check_stack_trace": "off", "cache_optimizations": False,
    "nocleanup": False, "contexts": "", "gpuarray.sched": "default", "gpuarray.cache_path": "",
    "gpuarray.single_stream": True, "gpuelemwise.sync": True, "cuda.include_path": "",
    "dnn.conv.workmem_bwd": "", "dnn.base_path": "", "dnn.bin_path": "", "magma.enabled": False,
    "magma.include_path": "", "magma.library_path": "", "ctc.root": "", "metaopt.verbose": 0,
    "metaopt.optimizer_excluding": "", "metaopt.optimizer_including": "",
    "tensor.insert_inplace_optimizer_validate_nb": -1,
    "experimental.local_alloc_elemwise_assert": True, "DebugMode.warn_input_not_reused": True,
    "DebugMode.check_preallocated_output": "", "DebugMode.check_preallocated_output_ndim": 4,
    "profiling.output_line_width": 512, "profiling.min_memory_size": 1024,
    "profiling.min_peak_memory": False, "profiling.debugprint": False,
    "cmodule.remove_gxx_opt": False, "cmodule.compilation_warning": False,
    "cmodule.preload_cache": False, "cmodule.age_thresh_use": 2_073_600, "cmodule.debug": False,
}  # fmt: skip
CHOICES = {
    "floatX": ("float16", "float32", "float64"),
    "compute_test_value": ("off", "ignore", "warn", "raise", "pdb"),
    "on_unused_input": ("raise", "warn", "ignore"),
    "int_division": ("int", "raise", "floatX"),
}


class Section:
    """Options whose names begin alike: config.warn, config.dnn.conv."""

    def __init__(self, values: dict[str, Any], prefix: str = ""):
        vars(self).update(_values=values, _prefix=prefix)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # of a copy that is being made
            raise AttributeError(name)
        full = self._prefix + name
        if full in self._values:
            return self._values[full]
        if any(key.startswith(f"{full}.") for key in self._values):
            return Section(self._values, f"{full}.")
        raise missing(f"theano.config{'.' * bool(self._prefix)}{self._prefix[:-1]}", name,
                      [k.removeprefix(self._prefix) for k in self._values])  # fmt: skip

    def __setattr__(self, name: str, value: Any) -> None:
        full = self._prefix + name
        if value not in CHOICES.get(full, (value,)):
            raise ValueError(f"theano.config.{full} is one of {', '.join(CHOICES[full])}, "
                             f"not {value!r}")  # fmt: skip
        self._values[full] = value

    def __str__(self) -> str:
        return "\n".join(f"{name} = {value}" for name, value in sorted(self._values.items()))


def stated() -> dict[str, str]:
    """What .theanorc and then THEANO_FLAGS say."""
    found: dict[str, str] = {}
    parser = ConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    places = os.environ.get("THEANORC", str(Path.home() / ".theanorc")).split(os.pathsep)
    try:
        parser.read(places, "utf-8")
    except Error:  # a file that is no such file says nothing
        parser.clear()
    for section in parser.sections():
        start = "" if section == "global" else f"{section}."
        found |= {start + name: value for name, value in parser.items(section)}
    for flag in os.environ.get("THEANO_FLAGS", "").split(","):
        name, equals, value = flag.partition("=")
        if equals:
            found[name.strip()] = value.strip()
    return found


def read(name: str, text: str) -> Any:
    """A text as the kind of value that the option has."""
    default = DEFAULTS.get(name)
    if isinstance(default, bool):
        return text.lower() in ("1", "true", "yes")
    try:
        return type(default)(text) if isinstance(default, (int, float)) else text
    except ValueError:
        return text


def fresh() -> Section:
    """The options as a program finds them when it starts."""
    made = Section(dict(DEFAULTS))
    for name, text in stated().items():
        if text in CHOICES.get(name, (text,)):
            made._values[name] = read(name, text)
    return made


config = fresh()


class Option:
    """One option of those that `configparser._config_var_list` lists."""

    def __init__(self, fullname: str):
        self.fullname = fullname

    def __get__(self, cls: Any, kind: Any = None) -> Any:
        return self if cls is None else config._values[self.fullname]

    def __set__(self, cls: Any, value: Any) -> None:
        setattr(config, self.fullname, value)


OPTIONS = [Option(name) for name in DEFAULTS]


@contextmanager
def change_flags(*pairs: Any, **flags: Any) -> Iterator[None]:
    """The options with other values for a while."""
    given = {k.replace("__", "."): v for k, v in dict(*pairs, **flags).items()}
    before = {k: config._values[k] for k in given if k in config._values}
    config._values.update(given)
    try:
        yield
    finally:
        config._values.update(before)
