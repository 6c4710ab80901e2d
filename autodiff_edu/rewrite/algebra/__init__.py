"""Sums and products as tables: one reading of a node, several writers.

Takes: a node at the top of a region of additions or multiplications. Gives: the same value, written
with fewer terms, factors or operations; the rules that do so stand in `sum`, `product` and others.

To be read in this order: `monomial`, the record; `sum`, which reads and writes sums; `reading` and
`writing`, which do so with products, and `product`, their rules; `law`, which says what may change
its order.
"""
