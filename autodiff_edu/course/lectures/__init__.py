"""The checkers of the exercises, one file a lecture.

Takes: a student's function, or what the student found. Gives: nothing where it is right, and a
message where it is wrong. What fills more than one file goes on in `more`.
"""
