"""The path *Build your own*: eight files of a student's become a small engine.

Takes: a folder with the student's files, whose text goes to the worker. Gives: a line for each
task whose check passes, and a message about the first that does not. `reference/` has our own eight
files. What students begin with is made of them.
"""
