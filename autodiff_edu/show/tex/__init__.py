"""Formulas: expressions in LaTeX, the notation of each operation, and names as one writes them.

Takes: expressions and steps. Gives: LaTeX, or a short line of text for a caption.
"""
