"""The scene: a derivative and its simplification, in which nothing moves that persists.

Takes: the stages of a formula, of its derivative and of what makes that one short. Gives: a
document of plain data, pictures of its frames, a film, and a page that answers where scripts run.
`parts` says which part shows which node; `growth` and `shortening` say what each step changes;
from there on each page is a pass. A `draft` goes from `nested`, which makes groups, and `bodies`,
which open boxes, to `layout`, which gives each part its place; `document` writes it down, `sheet`
opens groups, `marks` says what a step did, and `svg` draws. `film`, `short_film` and `explorer`
show it.
"""

from .explorer import Explorer, explore
from .nodes import node

__all__ = ["Explorer", "explore", "node"]
