"""An operation against numbers: its types, what it computes, its derivative rules.

Takes: an operation and an example. Gives: a `Report` in words.
"""
