"""Arrays, compared by their bytes: as fast as memory is read, and without collisions."""

import numpy as np


class Content:
    """An array, compared by its bytes: those of now with those that were kept."""

    def __init__(self, array: np.ndarray):
        self.array = array
        self.form = array.dtype, array.shape, array.strides if array.size else ()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Content) or self.form != other.form:
            return False
        return all(map(np.array_equal, bits(self.array), bits(other.array)))

    def keep(self) -> None:
        """Stay as it is now."""
        self.array = self.array.copy(order="K")


def bits(array: np.ndarray) -> list[np.ndarray]:
    """The array as whole numbers, in which nan is equal to itself and -0.0 is not 0.0."""
    if array.dtype.kind == "c":
        return [*bits(array.real), *bits(array.imag)]
    if array.dtype.itemsize in (1, 2, 4, 8):
        return [array.view(f"u{array.dtype.itemsize}")]
    return [np.frombuffer(b"0" + array.tobytes(), "u1")]
