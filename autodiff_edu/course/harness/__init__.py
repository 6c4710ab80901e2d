"""What all checkers share: the process they run in, its limits, comparisons, and what they say.

Takes: a student's function. Gives: silence where it is right, and a sentence where it is not.
"""
