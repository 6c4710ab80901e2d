"""`theano.tensor`: variables, functions of entries, shapes, reductions, products.

Takes: what programs wrote, in Theano's argument orders. Gives: old variables around expressions of
the engine. Each function computes with expressions, and `lift` makes it one of variables.
"""
