"""Rewriting of branches: sides that are known, work that both sides share, branches that join.

Takes: a node with a branch, or a graph with several. Gives: what replaces them, with the rules.
"""
