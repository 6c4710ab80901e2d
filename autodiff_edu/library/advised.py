"""Remedies for NumPy's functions that expressions do not know."""

import difflib
from collections.abc import Sequence

SHORT = {"numpy.lib.scimath": "np.emath", "numpy.lib._scimath_impl": "np.emath"}
OF_ARRAYS = ": call it on arrays, or make an operation of it by ad.op"
INSTEAD = {  # the functions for which others are asked, and what to write
    "signbit": "x < 0", "apply_along_axis": "ad.vectorize(g)(x), or g of the whole array",
    "eig": "np.linalg.eigh(A) for a symmetric A", "bincount": "ad.zeros(n).at[x].add(1)",
    "eigvals": "np.linalg.eigvalsh(A) for a symmetric A", "resize": "np.tile(x, n)[:m]",
    "left_shift": "x * 2**k", "right_shift": "x // 2**k", "put": "x.at[key].set(values)",
    "put_along_axis": "x.at[key].set(values)", "place": "ad.where(mask, value, x)",
    "putmask": "ad.where(mask, value, x)", "copyto": "ad.where(mask, value, x)",
    "fill_diagonal": "ad.where(np.eye(n) > 0, value, x)", "i0": "scipy.special.i0(x)",
    "polyfit": "ad.lstsq(ad.vander(x, degree + 1), y)[0]",
    "matrix_rank": "np.sum(np.linalg.svd(A)[1] > tolerance)", "angle": "np.arctan2(y, x)",
    "trim_zeros": "x[first:last]", "polyder": "np.arange(n, 0, -1) * p[:-1] with n = len(p) - 1",
    "polyint": "np.append(p / np.arange(len(p), 0, -1), 0)", "polyadd": "p + q of one length",
    "polysub": "p - q of one length", "polymul": "np.convolve(p, q)", "array2string": "str(x)",
    "tensorinv": "np.linalg.inv(A.reshape(n, n)).reshape(...)", "nan_to_num": "ad.where",
    "tensorsolve": "np.linalg.solve(A.reshape(n, n), b.ravel()).reshape(...)",
    "histogram": "np.sum((x >= a) & (x < b)) for each bin", "array_repr": "repr(x)",
    "sort_complex": "np.sort(x)", "lexsort": "np.argsort(x)", "array_str": "str(x)",
    "apply_over_axes": "np.sum(x, axis=(0, 1), keepdims=True)", "vectorize": "ad.vectorize(g)(x)",
    "kelvin": "scipy.special.ber(x) and bei(x), ker(x) and kei(x), which are its parts",
    "hankel1": "scipy.special.jv(v, x) for its real part, and yv(v, x) for its imaginary part",
    "hankel2": "scipy.special.jv(v, x) for its real part, and -yv(v, x) for its imaginary part",
    "common_type": "x.dtype", "min_scalar_type": "x.dtype", "real_if_close": "x",
}  # fmt: skip
WAVES = (
    "np.cos(2 * np.pi * np.outer(k, k) / n) @ x with k = np.arange(n) for the real part of a "
    "transform, and -np.sin(...) @ x for the imaginary part, since expressions are real"
)
SETS = dict.fromkeys(
    "unique unique_all unique_counts unique_inverse unique_values union1d intersect1d setdiff1d "
    "setxor1d isin in1d roots histogram2d histogramdd histogram_bin_edges".split(),
    "with arrays, outside the function that is differentiated",
)


def way(module: str, name: str, known: Sequence[str]) -> str:
    """The function of this module, and what to write: a way of its own, else the nearest of what
    is known."""
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.8)
    hint = f"; the nearest that they know is np.{near[0]}" if near else OF_ARRAYS
    hint = f": write {INSTEAD[name]}" if name in INSTEAD else hint
    hint = f": call it {SETS[name]}" if name in SETS else hint
    hint = f": write {WAVES}" if module.startswith("numpy.fft") else hint
    return f"{SHORT.get(module, module.replace('numpy', 'np', 1))}.{name}{hint}"
