"""Boxes: an operation made from a graph, its derivatives, and overrides of these.

Takes: a graph or a Python function. Gives: an operation that is one node until it is opened.
"""
