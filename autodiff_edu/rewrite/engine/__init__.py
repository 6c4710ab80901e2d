"""The engine: patterns, rules, the table that finds a rule, and the rewriter that applies it.

Takes: a `Graph` and rules. Gives: the log of what became what, which is the work and the film.
"""
