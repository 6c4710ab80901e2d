"""Rewriting within loops and boxes: bodies are simplified, and work moves out of loops.

Takes: a graph with operations that have a body. Gives: a stage in which less is done in each step.
"""
