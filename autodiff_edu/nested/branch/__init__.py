"""Branches: an operation with two bodies, of which a condition chooses the one that is computed.

Takes: a truth value, and two expressions or functions that return them. Gives: the chosen ones;
its derivatives are branches again.
"""
