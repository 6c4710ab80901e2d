"""Remedies for NumPy's functions that expressions do not know."""

import difflib
from collections.abc import Sequence

from ..expr import LazyModule

libraries = LazyModule("autodiff_edu.expr.errors.libraries")

SHORT = {"numpy.lib.scimath": "np.emath", "numpy.lib._scimath_impl": "np.emath"}
OF_ARRAYS = ": call it on arrays, or make an operation of it by ad.op"
OTHER = (
    ", whose eigenvalues then ascend. It reads one half of A, and so it is silently wrong where A "
    "is not symmetric. For such an A write `ad.root(lambda t: np.linalg.det(A - t * np.eye(n)), "
    "guess)`, one real eigenvalue near a guess (outside the function, np.linalg.eigvals of numbers "
    "gives guesses); its eigenvectors are not available"
)
INSTEAD = {  # the functions for which others are asked, and what to write
    "signbit": "`x < 0`", "bincount": "`ad.zeros(n).at[x].add(1)`", "resize": "`np.tile(x, n)[:m]`",
    "apply_along_axis": "`ad.vectorize(g)(np.moveaxis(x, axis, -1))` for a matrix x and a g that "
    "gives a number, or `g(x)` for a vector x",
    "eig": f"`np.linalg.eigh(A)` for a symmetric A{OTHER}",
    "eigvals": f"`np.linalg.eigvalsh(A)` for a symmetric A{OTHER}",
    "left_shift": "`x * 2**k`", "right_shift": "`x // 2**k`", "put": "`x.at[key].set(values)`",
    "put_along_axis": "`x.at[np.arange(len(x)), key[:, 0]].set(values[:, 0])` for axis=1 of a "
    "matrix and one index a row", "place": "`ad.where(mask, value, x)`",
    "putmask": "`ad.where(mask, value, x)`", "copyto": "`ad.where(mask, value, x)`",
    "fill_diagonal": "`ad.where(np.eye(n) > 0, value, x)`", "i0": "`scipy.special.i0(x)`",
    "polyfit": "`ad.lstsq(ad.vander(x, degree + 1), y)[0]`",
    "matrix_rank": "`np.sum(np.linalg.svd(A)[1] > tolerance)`", "angle": "`np.arctan2(y, x)`",
    "trim_zeros": "`x[first:last]`",
    "polyder": "`n = len(p) - 1; np.arange(n, 0, -1) * p[:-1]`",
    "polyint": "`np.append(p / np.arange(len(p), 0, -1), 0)`", "polyadd": "`p + q` of one length",
    "polysub": "`p - q` of one length", "polymul": "`np.convolve(p, q)`",
    "tensorinv": "`np.linalg.inv(A.reshape(n, n)).reshape(shape)`",
    "nan_to_num": "`np.where(np.isnan(x), 0, x)`",
    "tensorsolve": "`np.linalg.solve(A.reshape(n, n), b.ravel()).reshape(shape)`",
    "histogram": "`np.sum((x >= a) & (x < b))` for each bin", "array_repr": "`repr(x)`",
    "sort_complex": "`np.sort(x)`", "array_str": "`str(x)`", "array2string": "`str(x)`",
    "lexsort": "`np.argsort(x)` for one row of keys",
    "apply_over_axes": "`np.sum(x, axis=(0, 1), keepdims=True)` for the sum",
    "kelvin": "`scipy.special.ber(x)` and bei(x), ker(x) and kei(x), which are its parts",
    "hankel1": "`scipy.special.jv(v, x)` for its real part, and `scipy.special.yv(v, x)` for its "
    "imaginary part",
    "hankel2": "`scipy.special.jv(v, x)` for its real part, and `-scipy.special.yv(v, x)` for its "
    "imaginary part",
    "common_type": "`x.dtype`", "min_scalar_type": "`x.dtype`", "real_if_close": "`x`",
    "fftshift": "`np.roll(x, len(x) // 2)` for a vector x",
    "ifftshift": "`np.roll(x, -(len(x) // 2))` for a vector x",
}  # fmt: skip
FIRST = (
    ": write `places = np.unique(a, return_index=True)[1]; x[places]`, with the first line outside "
    "the function, on an array a of the values of x: the members have a derivative, and the "
    "choice of them has none. Where the values of x are computed inside, nothing takes its place"
)
SETS = {
    **dict.fromkeys("unique unique_all unique_counts unique_inverse unique_values".split(), FIRST),
    **dict.fromkeys(
        "union1d intersect1d setdiff1d setxor1d isin in1d roots histogram2d histogramdd "
        "histogram_bin_edges".split(),
        ": call it on arrays, outside the function that is differentiated",
    ),
}


def way(module: str, name: str, known: Sequence[str]) -> str:
    """The function of this module, and what to write: a way of its own, else the nearest of what
    is known."""
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.8)
    hint = f"; the nearest that they know is np.{near[0]}" if near else OF_ARRAYS
    hint = f": write {INSTEAD[name]}" if name in INSTEAD else hint
    hint = SETS.get(name, hint)
    if module.startswith("numpy.fft") and name not in INSTEAD:
        hint = f": write {libraries.TRANSFORMS.get(name, libraries.WAVES)}"
    return f"{SHORT.get(module, module.replace('numpy', 'np', 1))}.{name}{hint}"
