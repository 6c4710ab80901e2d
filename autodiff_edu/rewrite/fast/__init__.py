"""Fast: what simplification has for speed alone, and may be left out.

Takes: a node. Gives: whether a product or a sum there is worth reading. `glances` answers what the
rules ask by `monomial.worth`. Without this room all graphs come out the same: a test leaves it out.
"""
