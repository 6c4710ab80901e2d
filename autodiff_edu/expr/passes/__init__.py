"""Passes: one walk that replaces nodes, and what a pass leaves behind.

Takes: a graph, and what some of its nodes become. Gives: a new graph, and a Stage with one Step for
everything that was done.
"""
