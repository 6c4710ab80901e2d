"""What users ask for: draw, compare, film, steps, trace, cost, and where a node came from.

Takes: expressions, graphs, stages and rules. Gives: pictures, comparisons, films and tables.
"""
