"""A gradient against difference quotients.

Takes: a function and a point. Gives: `Verified`, or a GradientError that shows both values.
"""
