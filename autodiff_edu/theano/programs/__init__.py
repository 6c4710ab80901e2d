"""`theano.function`, operations of one's own, and walks over graphs.

Takes: inputs, outputs, updates and givens, checked as Theano checked them. Gives: a function that
is compiled by the engine, and looks from outside as Theano's did.
"""
