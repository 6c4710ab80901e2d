"""What rules have beside the rewriter, which is in the core: tables, checks, and types.

Takes: rules as users and tables state them. Gives: rules that the core's rewriter tries, and the
program that they are for a node.
"""

from ...expr.former import hand_on

hand_on({  # as pickles and old imports name the pages that are in the core now
    "rewrite.engine.hash_consing": "core.uses", "rewrite.engine.loop_detection": "core.rewriter",
    "rewrite.engine.pattern": "core.pattern", "rewrite.engine.rewriter": "core.rewriter",
    "rewrite.engine.rule": "core.rule", "rewrite.engine.rule_set": "core.rule",
    "rewrite.engine.uses": "core.uses",
})  # fmt: skip
