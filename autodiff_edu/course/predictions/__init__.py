"""Predictions: questions inside lectures, judged by value.

Takes: a number, a formula or a function that a reader writes. Gives: right, or the sentence that
belongs to this wrong answer, with a point at which it differs.
"""
