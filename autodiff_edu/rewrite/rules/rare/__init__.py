"""Subjects that fire in no lecture: slopes to shifts, sums of deviations, products of many numbers.

Takes: what every rule takes. Gives: rules, each of which one could do without. All else works
without this room: a test leaves it out.
"""
