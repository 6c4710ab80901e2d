"""`theano.tensor.nnet` and `theano.tensor.signal`: activations, costs, convolution, pooling.

Takes: old variables, or expressions. Gives: the same, with Theano's values and its slopes at kinks.
"""
