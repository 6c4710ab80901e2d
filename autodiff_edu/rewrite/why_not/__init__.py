"""Why a rule was not used at a node: the engine itself is asked again, at rest on a frame.

Takes: a simplification, a rule and a node. Gives: the obstacle, and what would have to change.
"""
