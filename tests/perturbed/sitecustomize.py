"""Another processor, played: with this folder on PYTHONPATH, results differ in their last digits.

Transcendental functions and sums of products (BLAS, LAPACK) differ between processors by a unit or
two in the last place. Here every such result of NumPy, scipy.special and math moves by -2 to 2
units. How far depends on the function and on the result alone, so that a program gives the same
numbers every time; another word in PERTURBED gives others. +, -, *, / and sqrt are the same
everywhere, and so are x ** 1 and results of few digits, such as exp(0) = 1 or a dot of whole
numbers: these stay. No result crosses a power of two, so a sine stays within 1.

NumPy's functions stay the objects that they are. What changes is the loop inside: NumPy's C
interface has PyUFunc_ReplaceLoopBySignature.
"""

import ctypes
import math
import os
from zlib import crc32

import numpy as np
from numpy._core import _multiarray_umath, numeric
from numpy._core.overrides import array_function_dispatch
from numpy.linalg import _umath_linalg
from scipy import special

ELEMENTARY = """
    exp exp2 expm1 log log2 log10 log1p logaddexp logaddexp2 power float_power cbrt hypot
    sin cos tan arcsin arccos arctan arctan2 sinh cosh tanh arcsinh arccosh arctanh
""".split()
FOR_NUMBERS = """
    exp exp2 expm1 log log2 log10 log1p pow cbrt hypot erf erfc gamma lgamma
    sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh
""".split()
POWERS = ["power", "float_power"]
PRODUCTS = ["matmul", "vecdot", "matvec", "vecmat"]  # the last two came with NumPy 2.2

SEED = os.environ.get("PERTURBED", "")
MOST = 2  # units in the last place
BLOCK = 512  # numbers at once: what a lecture about memory measures stays the same
# The unsigned integer of each float's size, its bits after the binary point, and how many of these
# are 0 at the end of a result of few digits.
LAYOUT = {"f": ("u4", 23, 8), "d": ("u8", 52, 24)}


def moved(values, name):
    """The floats of an array, each off by up to MOST units in the last place."""
    whole, fraction, short = LAYOUT[values.dtype.char]
    bits = values.view(whole)
    mixed = (bits << 1 >> 1).astype("u8")  # without the sign: functions that are odd stay so
    exponent = mixed >> fraction
    stays = exponent == 0  # 0, and what is too small to have all digits
    stays |= exponent == 2 ** (8 * values.itemsize - fraction - 1) - 1
    exponent = None  # its memory is free
    stays |= mixed & (2**short - 1) == 0
    mixed ^= crc32((name + SEED).encode()) << 20
    mixed *= 0x9E3779B97F4A7C15
    mixed ^= mixed >> 31
    mixed *= 0xBF58476D1CE4E5B9
    mixed >>= 40
    mixed %= 2 * MOST + 1
    mixed[stays] = MOST
    mixed += bits
    mixed -= MOST
    found = mixed.astype(whole, copy=False)
    np.copyto(found, bits, where=found >> fraction != bits >> fraction)
    return found.view(values.dtype)


# ---- NumPy's loops

Pointers, Sizes = ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_ssize_t)
Loop = ctypes.CFUNCTYPE(None, Pointers, Sizes, Sizes, ctypes.c_void_p)
Replace = ctypes.PYFUNCTYPE(
    ctypes.c_int, ctypes.py_object, Loop, ctypes.POINTER(ctypes.c_int), ctypes.POINTER(Loop)
)
C = ctypes.CDLL(None)
ERRORS = 0x3D  # the flags of floating point errors
kept = []  # loops, which nobody else holds


def c_interface():
    """NumPy's table of C functions about ufuncs."""
    get = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
    table = get(("PyCapsule_GetPointer", ctypes.pythonapi))(_multiarray_umath._UFUNC_API, None)
    return ctypes.cast(table, Pointers)


replace = Replace(c_interface()[30])


class Memory:
    """Numbers at an address, for np.asarray."""

    def __init__(self, address, dtype, shape, strides):
        self.__array_interface__ = {
            "data": (address, False), "typestr": np.dtype(dtype).str,
            "shape": shape, "strides": strides, "version": 3,
        }  # fmt: skip


def operands(ufunc, chars, args, sizes, steps):
    """All operands of a loop as arrays, an axis for the loop before those of the signature."""
    signature = ufunc.signature or ",".join(["()"] * ufunc.nargs)
    cores = [
        part.strip("() ").replace("?", "") for part in signature.replace("->", ",").split("),")
    ]
    names = [[n.strip() for n in core.split(",") if n.strip()] for core in cores]
    known = dict.fromkeys(n for row in names for n in row)
    length = {n: int(n) if n.isdigit() else sizes[k] for k, n in enumerate(known, 1)}
    place = ufunc.nargs
    for k, (row, char) in enumerate(zip(names, chars, strict=True)):
        strides = [steps[k], *steps[place : place + len(row)]]
        place += len(row)
        shape = (sizes[0], *[length[n] for n in row])
        yield np.asarray(Memory(args[k], char, shape, tuple(strides)))


def of_one_product(arrays):
    """Entries that are no sum: at most one product is not 0. They are the same everywhere."""
    a, b, out = arrays
    first, second = a != 0, b != 0
    if out.ndim == 1:
        return np.sum(first & second, -1) < 2
    if b.ndim == 2:
        return np.sum(first & second[:, None], -1) < 2
    if a.ndim == 2:
        return np.sum(first[:, :, None] & second, 1) < 2
    return np.sum(first[..., None] & second[:, None], 2) < 2


def perturb(ufunc, name):
    """Replace each loop of a ufunc that gives floats."""
    for types in dict.fromkeys(ufunc.types):  # some are there twice
        chars = types.replace("->", "")
        if not set(chars[ufunc.nin :]) & set(LAYOUT):
            continue
        old = Loop()
        numbers = [np.dtype(c).num for c in chars]
        new = Loop(loop(ufunc, name, chars, old))
        if replace(ufunc, new, (ctypes.c_int * len(numbers))(*numbers), ctypes.byref(old)) == 0:
            kept.append((new, old))


def exact(name, arrays):
    """Entries that are the same everywhere."""
    if name in PRODUCTS:
        return of_one_product(arrays)
    return arrays[1] == 1 if name in POWERS else False


def loop(ufunc, name, chars, old):
    def run(args, sizes, steps, data):
        arrays = list(operands(ufunc, chars, args, sizes, steps))  # before the loop moves args
        old(args, sizes, steps, data)
        errors = C.fetestexcept(ERRORS)
        rows = max(1, BLOCK // max(1, *(a[:1].size for a in arrays)))
        for k in range(0, sizes[0], rows):
            block = [a[k : k + rows] for a in arrays]
            for out in block[ufunc.nin :]:
                if out.dtype.char in LAYOUT:
                    np.copyto(out, moved(out, name), where=~np.asarray(exact(name, block)))
        C.feraiseexcept(errors)

    return run


# ---- functions that are no ufuncs


def for_numbers(function):
    """A function of math, moved as those of NumPy are."""
    name = "math." + function.__name__

    def wrapped(*args):
        return float(moved(np.array([function(*args)], "d"), name)[0])

    return wrapped


real_dot = _multiarray_umath.dot


def terms(a, b):
    """How many products that are not 0 are summed in each entry of a dot; in parts, for memory."""
    a, b = np.asarray(a), np.asarray(b)
    if not (a.ndim and b.ndim):
        return 1
    total, rows = 0, np.moveaxis(b, max(b.ndim - 2, 0), 0)
    for k in range(0, len(rows), BLOCK):
        part = np.moveaxis(rows[k : k + BLOCK] != 0, 0, max(b.ndim - 2, 0))
        total = total + real_dot(a[..., k : k + BLOCK] != 0, part.astype(int))
    return total


@array_function_dispatch(lambda a, b, out=None: (a, b, out), module="numpy", verify=False)
def dot(a, b, out=None):
    found = np.atleast_1d(real_dot(a, b))
    if found.dtype.char in LAYOUT:
        found = np.where(np.atleast_1d(terms(a, b)) < 2, found, moved(found, "dot"))
    found = found.reshape(np.shape(real_dot(a, b)))
    if out is None:
        return found[()]
    out[...] = found
    return out


for name in ELEMENTARY:
    perturb(getattr(np, name), name)
for name in PRODUCTS:
    if hasattr(np, name):
        perturb(getattr(np, name), name)
for module in (_umath_linalg, special):
    for name in dir(module):
        if isinstance(getattr(module, name), np.ufunc):
            perturb(getattr(module, name), name)
for name in FOR_NUMBERS:
    setattr(math, name, for_numbers(getattr(math, name)))
np.dot = numeric.dot = dot
