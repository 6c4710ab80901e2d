"""The scene: a derivative and its simplification, in which nothing moves that persists.

`parts` says which part shows which node; `growth` and `shortening` say what each step changes;
`folded` gives each part its place; `document` writes all of it down, and `explorer` shows it.
"""

from .explorer import Explorer, explore

__all__ = ["Explorer", "explore"]
