"""Stabilising rules: what overflows or cancels is computed by the function made for it.

Takes: a formula as one writes it down, such as log(1 + eˣ). Gives: the same value at the points at
which the formula loses it. These rules come last, and they alone may add operations: the result is
better, not shorter.
"""
