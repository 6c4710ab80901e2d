"""Stabilising rules that fire in no lecture; a test leaves them out.

Takes: slopes to shifts, sums of deviations, products of many numbers. Gives: the same without what
is 0, or what overflows.
"""
