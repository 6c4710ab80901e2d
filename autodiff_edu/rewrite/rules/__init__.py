"""The rules, in tables, one file a subject; each row reads as an equation.

Takes: the words of `engine.pattern` and the operations. Gives: tables of rules, in the order in
which they are tried; `rewrite.catalogue` puts the tables one after another.
"""
