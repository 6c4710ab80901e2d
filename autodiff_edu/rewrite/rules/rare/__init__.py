"""Subjects that fire in no lecture: slopes to shifts, sums of deviations, products of many numbers.

All else works without this room: a test leaves it out.
"""
