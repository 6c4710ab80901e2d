"""The scene: a derivative and its simplification, in which nothing moves that persists.

Takes: the stages of a formula, of its derivative and of what makes that one short. Gives: a
document of plain data, pictures of its frames, a film, and a page that answers where scripts run.
`parts` says which part shows which node; `growth` and `shortening` say what each step changes;
`folded` gives each part its place, `bodies` opens boxes; `document` writes all of it down, `film`
and `short_film` show it frame by frame, and `explorer` shows it all.
"""

from .explorer import Explorer, explore
from .nodes import node

__all__ = ["Explorer", "explore", "node"]
