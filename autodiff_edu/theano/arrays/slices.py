"""Slices between computed bounds, as Theano wrote them: forwards, within the length.

Letters: a b the first place and the one after the last, k the step, n the length.
"""

from typing import Any

from ... import ops
from .elementwise import ELEMENTWISE, switch

maximum, minimum, lt = (ELEMENTWISE[name] for name in ("maximum", "minimum", "lt"))


def get_canonical_form_slice(theslice: Any, length: Any) -> tuple[Any, Any]:
    """The same places as a slice with 0 <= start <= stop <= length and a step above 0, and 1, or
    -1 where they are to be taken backwards. Of a place that is no slice, that place from 0 on."""
    if not isinstance(theslice, slice):
        return switch(lt(theslice, 0), theslice + length, theslice), 1
    k = 1 if theslice.step is None else theslice.step
    start, stop = forwards(theslice, length)
    if isinstance(k, int) and k > 0:
        return slice(start, stop, k), 1
    first, last = backwards(theslice, length, k)
    if isinstance(k, int):
        return slice(first, last, -k), -1
    back = lt(k, 0)
    found = slice(switch(back, first, start), switch(back, last, stop), switch(back, -k, k))
    return found, switch(back, -1, 1)


def places_of(s: slice, n: Any) -> Any:
    """The places of a slice with a computed step, in their order."""
    found, back = get_canonical_form_slice(s, n)
    up = ops.arange(found.start, found.stop, found.step)
    return ops.where(ops.less(back, 0), up[::-1], up)


def within(place: Any, length: Any, least: Any, most: Any) -> Any:
    """A place that may be counted from the end, moved inside."""
    return maximum(minimum(switch(lt(place, 0), place + length, place), most), least)


def forwards(s: slice, n: Any) -> tuple[Any, Any]:
    """Where a slice with a step above 0 begins and ends."""
    a = 0 if s.start is None else within(s.start, n, 0, n)
    b = n if s.stop is None else within(s.stop, n, 0, n)
    return a, b if s.start is None else maximum(a, b)


def backwards(s: slice, n: Any, k: Any) -> tuple[Any, Any]:
    """Where the places of a slice with a step below 0 begin and end, from the lowest up."""
    a = n - 1 if s.start is None else within(s.start, n, -1, n - 1)
    b = -1 if s.stop is None else within(s.stop, n, -1, n - 1)
    steps = maximum(a - b - k - 1, 0) // -k
    lowest = maximum(minimum(a + (steps - 1) * k, n), 0)
    return lowest, switch(lt(0, steps), a + 1, lowest)
