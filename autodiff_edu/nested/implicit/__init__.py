"""Implicit functions: what solves an equation, as an operation; its derivatives are equations too.

Takes: a Python function of an equation, and where its search begins. Gives: the solution, one node.
"""
