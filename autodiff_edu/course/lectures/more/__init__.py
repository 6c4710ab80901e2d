"""Second files of lectures whose checkers fill more than one.

Takes: a student's function. Gives: nothing where it is right, and a message where it is wrong.
"""
