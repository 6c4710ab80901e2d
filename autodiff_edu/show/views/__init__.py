"""What users ask for: draw, compare, film, table, trace, rules, and where a node came from.

Takes: expressions, graphs, stages and rules. Gives: pictures, comparisons, films and tables.
A new kind of picture is one new file: `by_class` finds it here.
"""
