"""Random streams: RandomStreams draws RandomState's own numbers, MRG_RandomStreams its own.

Takes: a seed, and for each draw a size and parameters. Gives: a variable, and a state that moves
on at every call.
"""
