"""NumPy's functions of arrays of every dtype: dtype, shape and value are NumPy's."""

import numpy as np
import pytest

import autodiff_edu as ad
from autodiff_edu.ops import OPS
from tests.helpers.depth import some
from tests.helpers.numpy_programs import rows

DTYPES = ["bool", "int8", "uint8", "int32", "int64", "uint64", "float16", "float32", "float64"]
VALUES = {"v": [2, 0, 3], "m": [[2, 0, 3], [1, 1, 0]], "s": [[2, 0, 3], [1, 4, 0], [0, 1, 1]]}
CALLS = rows("""
np.abs(m)  np.all(m,axis=0)  np.any(m,axis=1)  np.append(v,v)  np.append(m,m,axis=0)
np.argmax(m,axis=1)  np.argmax(m,keepdims=True)  np.argmin(v,keepdims=True)  np.argmin(v)
np.argsort(m,axis=0)  np.array_split(v,2)[0]
np.average(m,axis=0)  np.average(v,weights=[1,2,3])  np.average(v,weights=[0.5,1,1.5])
np.block([[m,m]])  np.cbrt(v)  np.ceil(v)  np.clip(v,0,1)  np.clip(v,0.5,1.5)
np.column_stack([v,v])  np.compress([True,False,True],v)  np.concatenate([v,v])
np.concatenate([m,m],axis=None)  np.concatenate([v,[0.5]])  np.convolve(v,v)
np.convolve(v,[1,2])  np.convolve(v,[0.5,1],'same')  np.corrcoef(m)  np.correlate(v,v,'full')
np.cov(m)  np.cross(v,v)  np.cumprod(m,axis=0)  np.cumsum(m)  np.cumsum(v)  np.deg2rad(v)
np.delete(v,1)  np.diag(v)  np.diag(m)  np.diagflat(v)  np.diagonal(m)  np.dot(v,v)  np.dot(m,v)
np.dstack([v,v])  np.einsum('ij,j->i',m,v)  np.exp2(v)  np.expm1(v)  np.flip(m,0)  np.fmax(v,1)
np.fmin(v,v)  np.fmod(v,2)  np.full_like(v,1)  np.full_like(v,2.7)  np.gradient(v)
np.heaviside(v,0.5)  np.hstack([v,v])  np.hypot(v,v)  np.inner(m,v)  np.insert(v,1,0)
np.interp(v,[0,1,2],[0,1,4])  np.interp([0.5,1],[0,1,2],v)  np.invert(v)  np.isclose(v,1)
np.isfinite(v)  np.isnan(v)  np.kron(v,v)  np.linspace(0,v,3)  np.log(v)  np.log10(v)
np.log1p(v)  np.log2(v)  np.logaddexp(v,v)  np.logical_not(v)  np.logical_xor(v,1)
np.matmul(m,m.T)  np.max(m,axis=0)  np.maximum(v,1)  np.maximum(v,0.5)  np.mean(m,axis=0)
np.mean(m)  np.median(m,axis=0)  np.median(v)  np.moveaxis(m,0,1)  np.nanmax(m,axis=0)
np.nanmean(m)  np.nanmin(v)  np.nanstd(v)  np.nansum(m,axis=0)  np.nansum(v)  np.nanvar(v)
np.nan_to_num(v)  np.negative(v)  np.not_equal(v,0)  np.ones_like(v)  np.outer(v,v)  np.pad(v,1)
np.pad(m,((1,0),(0,1)),mode='edge')  np.pad(v,1,constant_values=2)  np.pad(v,2,mode='reflect')
np.pad(v,2,mode='wrap')  np.power(v,2)  np.power(v,2.0)  np.power(v,v)  np.prod(m,axis=0)
np.prod(m)  np.ptp(m,axis=0)  np.quantile(v,0.3)  np.percentile(v,30)  np.rad2deg(v)
np.ravel(m)  np.reciprocal(v)  np.remainder(v,2)  np.repeat(v,2)  np.repeat(v,[1,0,2])
np.roll(v,1)  np.rot90(m)  np.round(v)  np.round(v,1)  np.round(v,-1)  np.searchsorted(v,1)
np.select([v>1,v>0],[v,1],0)  np.select([v>1],[v])  np.sign(v)  np.sin(v)  np.sinc(v)
np.sort(m,axis=0)  np.sqrt(v)  np.square(v)  np.squeeze(m[None])  np.stack([v,v],1)
np.std(m,axis=0)  np.sum(m)  np.sum(m,axis=0)  np.swapaxes(m,0,1)  np.take(v,[0,2])
np.take_along_axis(m,np.argsort(m,0),0)  np.tensordot(m,m,2)  np.tensordot(m,v,1)  np.tile(v,2)
np.trace(m)  np.trace(m,1)  np.trapezoid(v)  np.trapezoid(v,dx=2)  np.tril(m)  np.triu(m,1)
np.trunc(v)  np.var(m,axis=0)  np.var(v,ddof=1)  np.vdot(v,v)  np.vstack([v,v])
np.where(v>1,v,0)  np.where(v>1,v,0.5)  np.where(v,1,2)  np.where(v,v,v)  np.zeros_like(v)
np.linalg.norm(v)  np.linalg.norm(m)  np.linalg.norm(m,axis=1)  np.linalg.norm(v,1)
np.linalg.norm(v,np.inf)  np.linalg.norm(m,1)  np.linalg.norm(v,0)  np.linalg.norm(v,3)
np.linalg.det(s)  np.linalg.inv(s)  np.linalg.solve(s,v)  np.linalg.slogdet(s)[1]
np.linalg.matrix_power(s,2)  np.linalg.matrix_power(s,0)  np.linalg.matrix_power(s,-1)
np.linalg.multi_dot([m,s,v])  np.linalg.pinv(m)  np.linalg.cholesky(s@s.T+5*np.eye(3))
np.linalg.eigvalsh(s+s.T)  np.linalg.qr(s)[1]  np.linalg.svd(m,compute_uv=False)
np.linalg.trace(m)  np.linalg.outer(v,v)  np.linalg.cross(v,v)  np.linalg.diagonal(m)
np.linalg.matrix_norm(m)  np.linalg.vector_norm(m)  v.sum()  m.mean(0)  m.max(1)  m.min()
m.prod(0)  m.std()  m.var(0)  m.cumsum(1)  m.cumprod(0)  m.argmax()  m.argsort(0)  m.trace()
v.clip(0,1)  v.round()  v.dot(v)  m.dot(v)  m.ravel()  m.flatten()  m.reshape(3,2)  m.T  m.mT
m.transpose()  m.swapaxes(0,1)  v.repeat(2)  v.take([0,1])  m.diagonal()  v.astype(float)
v.astype(int)  v.astype(bool)  v.astype('float32')  m.squeeze()  m.all()  m.any(0)
v.searchsorted(1)  v.copy()  v.size+0*v  v.shape[0]*v  v[v>0]  v[-1]  m[:,0]  m[[0,1],[1,0]]
m[...,None]  abs(v)  -v  +v  ~v  v//2  v%2  v**-1  v**0.5  2**v  v/2  1/v  v+1  v+0.5  v*True
v+np.float32(0.5)  v*np.int8(2)  v&1  v^1  v@v  v@m.T  divmod(v,2)[0]  np.divmod(v,2)[1]
np.exp(v)  np.positive(v)  np.rint(v)  np.float_power(v,2)  np.count_nonzero(v)
np.count_nonzero(m,axis=0)  np.digitize(v,[0,1])  np.fliplr(m)  np.flipud(m)  np.atleast_2d(v)
np.real(v)  np.broadcast_arrays(v,m)[0]  np.broadcast_to(v,(2,3))  np.shape(v)[0]*v
np.ndim(v)*v  np.size(v)*v  np.cumulative_sum(v)  np.cumulative_prod(v)  np.meshgrid(v,v)[0]
np.split(v,[1])[1]  np.rollaxis(m,1)  np.logspace(0,v,2)  np.geomspace(1,v,2)  np.unstack(m)[0]
np.permute_dims(m)  np.pow(v,2)  np.acos(v/9)  np.asin(v/9)  np.atan2(v,2)  np.concat([v,v])
np.diff(v)  np.diff(m,n=2,axis=1)  np.allclose(v,v)
np.clip(v,0,None)  np.clip(v,None,1)  np.clip(v,None,True)  np.clip(v,np.int64(500),None)
np.clip(v,None,np.uint64(2))  np.clip(v,0.5,None)  np.vander(v)  np.vander(30*v,3)
np.quantile(v,[0.2,0.8])  np.percentile(v,[20,30])  np.quantile(v,np.array([0.3],'f4'))
np.append(v,1.5)  np.append(m,1)  np.fabs(v)  np.modf(m)[0]  np.modf(v)[1]
np.average(v,weights=np.array([1,2,3.1],'f2'))  np.average(m,1,np.array([0.1,2,3],'f4'))
np.vecmat(v,m.T)  np.matvec(m,v)  v & 1  v ^ 1  np.where(m, m, 0)  np.where(v, np.float32(1), 0)
""")


def numpy_of(call, arrays):
    """What NumPy gives, or None where it refuses."""
    try:
        with np.errstate(all="ignore"):
            return np.asarray(eval(call, {"np": np}, arrays))
    except (TypeError, ValueError, IndexError, ArithmeticError):  # LinAlgError is a ValueError
        return None


def compare(calls, dtype, values, tolerance):
    """Each call in expressions against NumPy: dtype, shape and value."""
    arrays = {name: np.array(value).astype(dtype) for name, value in values.items()}
    names = {name: ad.tensor(name, dtype, a.shape) for name, a in arrays.items()}
    at = {names[name]: a for name, a in arrays.items()}
    for call in calls:
        wanted = numpy_of(call, arrays)
        if wanted is None:
            continue
        y = eval(call, {"np": np}, names)
        found = np.asarray(ad.evaluate(y, at))
        assert (y.dtype, found.dtype, found.shape) == (wanted.dtype, wanted.dtype, wanted.shape), (
            call
        )
        np.testing.assert_allclose(found, wanted, tolerance, tolerance, err_msg=call)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", some(DTYPES, 3))
def test_a_function_of_an_array(dtype):
    tolerance = 5e-3 if dtype in ("bool", "int8", "uint8", "float16") else 1e-5
    compare(some(CALLS, 6, turn=DTYPES.index(dtype)), dtype, VALUES, tolerance)


WHOLE = {  # zero, one, and numbers near the ends of the range
    "bool": [0, 1, 1], "int8": [-128, -1, 0, 1, 127], "uint8": [0, 1, 3, 200, 255],
    "int16": [-32768, -1, 0, 1, 32767], "uint16": [0, 1, 300, 65535], "int64": [-5, 0, 1, 700],
    "uint32": [0, 1, 70_000, 2**32 - 1], "uint64": [0, 1, 5, 2**40],
}  # fmt: skip
SINGLE = [getattr(ad, name) for name in ad.__all__ if name in OPS and OPS[name].elementwise]
LARGEST, ROUNDING = {"e": 6e4, "f": 3e38, "d": 1e308}, {"e": 1e-2, "f": 5e-5, "d": 1e-9}


def of_one(op, dtype, value):
    """The operation on a vector; None where it takes more operands, or none of this dtype."""
    x = ad.vector("x", dtype, shape=len(value))
    try:
        y = op(x)
    except TypeError:
        return None
    return y if y.type.is_float else None, ad.evaluate(y, {x: value})


@pytest.mark.filterwarnings("ignore")
@pytest.mark.each("dtype", some(WHOLE, 2))
@pytest.mark.each("op", some(SINGLE, 2), ids=lambda op: op.name)
def test_a_whole_number_gives_what_it_gives_as_a_float(op, dtype):
    value = np.array(WHOLE[dtype]).astype(dtype)
    y, found = of_one(op, dtype, value) or (None, None)
    if y is not None:
        wanted = of_one(op, "float64", value.astype("float64"))[1]
        inside = np.isfinite(wanted) & (np.abs(wanted) < LARGEST[y.dtype.char])
        rounding = ROUNDING[y.dtype.char]
        np.testing.assert_allclose(found[inside], wanted[inside], rounding, rounding)


nan, inf = np.nan, np.inf
EDGES = {
    "a nan": {"v": [2, nan, 3], "m": [[2, nan, 3], [1, 1, 0]], "s": [[2, 0], [1, nan]]},
    "nan alone": {"v": [nan] * 3, "m": [[nan] * 3, [1, 1, nan]], "s": [[nan] * 2] * 2},
    "infinities": {"v": [2, inf, inf, 3], "m": [[2, inf, 3], [1, -inf, 0]], "s": [[2, 0], [1, 1]]},
    "no columns": {"v": [], "m": [[], []], "s": np.zeros((0, 0))},
    "no rows": {"v": [], "m": np.zeros((0, 3)), "s": np.zeros((0, 0))},
    "one entry": {"v": [2], "m": [[2]], "s": [[3]]},
    "one row": {"v": [2], "m": [[2, 1, 5]], "s": [[3]]},
    "one column": {"v": [2, 1, 3], "m": [[2], [1], [4]], "s": [[3]]},
    "three axes": {"v": [2, 1, 3], "m": np.arange(12).reshape(2, 3, 2) % 5, "s": [[[3]], [[1]]]},
}
OTHERWISE = ("geomspace", "interp", "convolve", "correlate", "inf)", "norm(m,1)", "pinv")
MORE = rows("""
np.einsum('ij,jk->ik',m,m[:,:1])  np.einsum('ij->j',m)  np.einsum('ii',s)  np.vecdot(m,m)
np.einsum('ij,kj->',m,m)  np.meshgrid(m,v)[0]  np.meshgrid(m,m,v)[2]  np.var(v,ddof=2)
np.cov(m,ddof=3)  np.piecewise(v,[v>1],[0.5,2])  np.nanmin(m,axis=0)
np.median(m,axis=1,keepdims=True)  np.median(m,axis=(0,1))  np.nanvar(m,axis=1,ddof=5)
""")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("edge", "dtype"), [
    (edge, dtype) for k, edge in enumerate(EDGES)
    for dtype in some(["bool", "int8", "int32"] * (k > 2) + ["float32", "float64"], 2, turn=k)
])  # fmt: skip
def test_a_function_of_what_is_not_a_number_or_has_no_entries(edge, dtype):
    calls = [c for c in CALLS + MORE if not any(name in c for name in OTHERWISE)]
    calls = some(calls, 10, turn=[*EDGES].index(edge) + len(dtype))
    compare(calls, dtype, EDGES[edge], 5e-3 if dtype in ("bool", "int8") else 1e-5)


@pytest.mark.each("dtype", ["bool", "int8", "float32", "float64"])
@pytest.mark.each("shape", [(2, 0), (0, 2), (0, 0)], ids=str)
def test_matrices_without_entries_have_inverses_and_solutions(shape, dtype):
    m, value = ad.matrix("m", dtype, shape=shape), np.zeros(shape, dtype)
    found = ad.evaluate(np.linalg.pinv(m), {m: value})
    assert found.shape == shape[::-1] and found.dtype == ad.pinv(m).dtype
    solution, _, rank, singular = np.linalg.lstsq(m, np.ones(shape[0]))
    assert ad.evaluate(solution, {m: value}).tolist() == [0] * shape[1]
    assert ad.evaluate(rank, {m: value}) == 0 and not singular.size


@pytest.mark.each("dtype", some(DTYPES, 2))
@pytest.mark.each("mask", some(DTYPES, 2))
def test_a_condition_has_no_say_in_the_dtype(mask, dtype):
    m, x = ad.vector("m", dtype=mask, shape=2), ad.vector("x", dtype=dtype, shape=2)
    values = {m: np.array([0, 1], mask), x: np.array([1, 0], dtype)}
    for choices in ((0, 1), (0.5, 1), (x, 0), (1, x), (x, 0.5), (x, np.float32(1)), (False, x)):
        wanted = np.where(
            values[m], *[values.get(c, c) if isinstance(c, ad.Expr) else c for c in choices]
        )
        y = ad.where(m, *choices)
        assert y.dtype == wanted.dtype
        np.testing.assert_array_equal(ad.evaluate(y, values), wanted)


@pytest.mark.each("dtype", ["float32", "float64", "int8"])
def test_numbers_in_the_place_of_infinities(dtype):
    value = np.array([1, 2, 3]) if dtype == "int8" else np.array([np.nan, np.inf, -np.inf, 2])
    x = ad.vector("x", dtype=dtype)
    for how in ({}, {"nan": 1.0}, {"posinf": 5.0, "neginf": -5.0}, {"copy": False}):
        found = ad.evaluate(np.nan_to_num(x, **how), {x: value.astype(dtype)})
        wanted = np.nan_to_num(value.astype(dtype), **how)
        assert found.dtype == wanted.dtype
        np.testing.assert_array_equal(found, wanted)
