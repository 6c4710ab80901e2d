"""Sums and products as tables: one reading of a node, several writers.

Takes: a node at the top of a region of additions or multiplications. Gives: the same value, written
with fewer terms, factors or operations; the rules that do so stand at the end of each file.

To be read in this order: `monomial`, the record; `reading` and `writing`; `sum` and `product`, the
rules; `law`, which says what may change its order.
"""
