"""Grading a class: what students hand in becomes a score for each task, a table and a page.

Takes: notebooks of students, and the instructor's notebook with its hidden tests. Gives: points for
each task, with the reason where some are missing. Only the cells in which students write are taken
from theirs, so that nothing else in it counts. They run in a process with limits, which is no
sandbox: whoever grades answers of strangers does it in a container.
"""
