"""What all checkers share: the comparison, the guard, what they say, and student versions.

Takes: a student's function. Gives: silence where it is right, and a sentence where it is not.
"""
