"""HTML: pictures, comparisons, films and tables as pages that need no script and no stylesheet.

Takes: diagrams and texts. Gives: objects that show themselves in a notebook, a book, a file and a
terminal.
"""
