"""Loops: a recurrence as one operation, whose body is a step; its derivatives are loops again.

Takes: a Python function of one step, sequences and first states. Gives: the states, or the last.
"""
