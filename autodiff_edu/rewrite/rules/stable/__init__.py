"""Stabilising rules: what overflows or cancels is computed by the function made for it.

They come last, and they alone may add operations: the result is better, not shorter.
"""
