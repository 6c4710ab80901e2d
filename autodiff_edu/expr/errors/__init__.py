"""What is wrong, where it was written, and what to write instead.

Takes: what was refused, and the part of the user's program that is running. Gives: errors with the
operation, its operands, the line, and a remedy in the user's words; `tracebacks` end there.
"""
