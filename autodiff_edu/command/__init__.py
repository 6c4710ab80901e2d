"""The command line: `autodiff-edu show`, `lectures`, `release`, `check`, `doctor`.

Takes: words typed in a terminal. Gives: text there, and files. Each command is a few lines in
`app.py`, the one module that knows the library for command lines; what it does is a function
beside it, which tests call directly.
"""
