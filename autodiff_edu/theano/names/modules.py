"""The modules of Theano 1.0.5, and some of earlier versions: all of them import.

A line names a package and its modules; what it goes on with is indented.
"""

VERSION_1_0_5 = """
-: theano
theano: _version compat compile configdefaults configparser d3viz gof gpuarray gradient ifelse
    misc pathparse printing raise_op sandbox scalar scan_module sparse tensor tests typed_list
    updates version
theano.compile: builders debugmode function function_module io mode monitormode nanguardmode ops
    pfunc profiling sandbox sharedvalue tests
theano.compile.tests: test_builders test_debugmode test_function test_function_module
    test_function_name test_misc test_mode test_modes test_monitormode test_nanguardmode
    test_ops test_pfunc test_profiling test_shared
theano.d3viz: d3viz formatting tests
theano.d3viz.tests: models test_d3viz test_formatting
theano.gof: callcache cc cmodule compiledir compilelock cutils destroyhandler fg graph
    lazylinker_c link null_type op opt optdb params_type sched tests toolbox type unify utils vm
theano.gof.tests: test_cc test_cmodule test_compiledir test_compute_test_value
    test_destroyhandler test_fg test_graph test_graph_opt_caching test_lazy test_link test_op
    test_opt test_optdb test_params_type test_sched test_toolbox test_types test_utils test_vm
theano.gpuarray: basic_ops blas blocksparse ctc cudnn_defs dnn elemwise extra_ops fft fp16_help
    kernel_codegen linalg multinomial neighbours nerv nnet opt opt_util pool reduction rng_mrg
    sort subtensor tests type
theano.gpuarray.tests: check_dnn_conv config rnn_support run_dnn_conv test_abstractconv
    test_basic_ops test_blas test_blocksparse test_cgpukernelbase test_ctc test_dnn
    test_elemwise test_extra_ops test_fft test_gemmcorr test_gemmcorr3d test_linalg test_misc
    test_multinomial test_neighbours test_nnet test_opt test_others test_pickle test_pool
    test_reduction test_rng_mrg test_scan test_sort test_subtensor test_type
theano.misc: buildbot_filter burn_gpu check_blas check_duplicate_key check_multi_gpu cpucount
    doubleop elemwise_openmp_speedup elemwise_time_test frozendict gh_api latence_gpu_transfert
    may_share_memory ordered_set pkl_utils safe_asarray strutil tests windows
theano.misc.tests: test_may_share_memory test_pkl_utils
theano.sandbox: blocksparse conv cuda fourier linalg minimal multinomial neighbours rng_mrg
    softsign solve tests
theano.sandbox.linalg: ops tests
theano.sandbox.linalg.tests: test_linalg
theano.sandbox.tests: test_multinomial test_multinomial_wo_replacement test_rng_mrg
theano.scalar: basic basic_scipy basic_sympy sharedvar tests
theano.scalar.tests: test_basic test_basic_sympy test_div_future test_div_no_future
theano.scan_module: scan scan_checkpoints scan_op scan_opt scan_perform_ext scan_utils
    scan_views tests
theano.scan_module.tests: test_scan test_scan_checkpoints test_scan_opt test_scan_utils
theano.sparse: basic opt sandbox sharedvar tests type utils
theano.sparse.sandbox: sp sp2 test_sp truedot
theano.sparse.tests: test_basic test_opt test_sp2 test_type test_utils
theano.tensor: basic blas blas_c blas_headers blas_scipy elemwise elemwise_cgen extra_ops fft
    fourier inc_code inplace io nlinalg nnet opt opt_uncanonicalize raw_random
    shared_randomstreams sharedvar signal slinalg sort subtensor tests type type_other utils var
    xlogx
theano.tensor.nnet: abstract_conv blocksparse bn conv conv3d2d corr corr3d ctc neighbours nnet
    opt sigm tests
theano.tensor.nnet.tests: speed_test_conv test_abstract_conv test_blocksparse test_bn test_conv
    test_conv3d2d test_corr test_corr3d test_ctc test_neighbours test_nnet test_opt test_sigm
theano.tensor.signal: conv pool tests
theano.tensor.signal.tests: test_conv test_pool
theano.tensor.tests: _test_mpi_roundtrip mlp_test test_basic test_blas test_blas_c
    test_blas_scipy test_casting test_complex test_elemwise test_extra_ops test_fft test_fourier
    test_gc test_inc_subtensor test_io test_keepdims test_merge test_misc test_mpi test_nlinalg
    test_opt test_opt_uncanonicalize test_raw_random test_shared_randomstreams test_sharedvar
    test_slinalg test_sort test_subtensor test_type_other test_utils test_var test_xlogx
theano.tests: breakpoint disturb_mem diverse_tests main record run_tests_in_batch
    test_2nd_order_grads test_breakpoint test_config test_determinism test_dictionary_output
    test_flake8 test_gradient test_ifelse test_pickle_unpickle_theano_fn test_printing
    test_record test_rop test_updates unittest_tools
theano.typed_list: basic opt tests type
theano.typed_list.tests: test_basic test_opt test_type
"""
EARLIER = """
theano.sandbox.cuda: basic_ops blas cula dnn nnet opt rng_curand type var
theano.sandbox: gpuarray theano_object test_theano_object scan debug
theano.tensor.signal: downsample
theano.tensor: deprecated randomstreams
theano.tensor.deprecated: rmodule
theano.tensor.nnet: ConvGrad3D ConvTransp3D Conv3D
theano.compile: profilemode module
theano.compat: python2x six
theano.gof: python25
theano.misc: pycuda_init pycuda_utils
"""


def read(text: str) -> list[str]:
    """The dotted names that a table lists."""
    found = []
    package = ""
    for line in text.strip().splitlines():
        if not line.startswith(" "):
            package, _, line = line.partition(":")
        start = "" if package == "-" else f"{package}."
        found += [start + name for name in line.split()]
    return found


MODULES = frozenset(read(VERSION_1_0_5) + read(EARLIER))
