"""The one look of every picture: shape says what a node is, line says which part it belongs to.

Values are dark blue and derivatives ochre, removed is grey and new dark green. The contrast of each
pair is 3 or more, on white and on dark pages, in colour and in grey. Nothing is said by colour
alone: a black-and-white printer keeps shapes, dashes, dots, doubles and thicknesses. Fills are as
deep as a dark page needs, which turns paler ones to black.
Sizes are in points of Graphviz, each shown as one pixel of the page, letters a little less.
"""

from typing import Literal

Kind = Literal[
    "input", "constant", "exact zero", "shared", "operation", "box", "open box", "group",
    "open derivative", "summary", "question", "output",
]  # fmt: skip
Part = Literal["forward", "derivative"]
Mark = Literal["plain", "removed", "new", "matched"]

# ---- letters

FONT = "DejaVu Sans"
FONT_STACK = "DejaVu Sans, Verdana, sans-serif"  # what a viewer without DejaVu sees instead
SIZE = 17
SMALL = 14
SHOWN = 0.94  # letters are shown smaller than they are measured: slack for wider fonts
LEGIBLE = 11  # a picture is scrolled rather than shrunk until its smallest letters are below this

# ---- colours

INK = "#1a1a1a"
PAPER = "#ffffff"
FAINT = "#595959"
GREY = "#767676"
BLUE = "#082a8c"
OCHRE = "#c97f10"
RUST = "#9c4a00"
LETTERS = {OCHRE: RUST}  # colours of words beside lines: letters need more contrast than lines
PURPLE = "#9a2f74"
GREEN = "#00300b"
ORANGE = "#e69f00"
TINT = "#daecf9"
AMBER = "#eebb48"  # lighter, as all hues under INK are: a dark page turns both
DARK = "invert(1) hue-rotate(180deg) saturate(.8) contrast(1.25)"  # the filter of a dark page
HUES = (AMBER, "#80ccf9", "#f0e442", "#ddb2d7", "#8cd8af", "#b5b5b5")  # of wildcards

# ---- tables: what each word adds to a node or an edge, in Graphviz's attributes

Look = dict[str, str]
Heat = Literal["warm", "hot", "hottest"]  # of a line of a program, by its share of the time
Side = Literal["solid", "dashed"]  # values, and derivatives beside them
Sign = Part | Mark | Heat | Side | Literal["open derivative", "tag", "wildcard"]  # for a key

KINDS: dict[Kind, Look] = {
    "input": {"shape": "box", "margin": "0.16,0.08"},
    "constant": {"shape": "hexagon", "margin": "0.04,0.02", "width": "0.6"},
    "exact zero": {"shape": "hexagon", "peripheries": "2", "margin": "0.02", "width": "0.5"},
    "shared": {"shape": "cylinder", "margin": "0.14,0.08"},
    "operation": {"shape": "ellipse", "margin": "0.06,0.02", "width": "0.62"},
    "box": {"shape": "box3d", "margin": "0.16,0.08"},
    "open box": {"shape": "box", "margin": "14"},  # a frame, whose margin is in points
    "group": {"shape": "box", "peripheries": "2", "margin": "14"},
    "open derivative": {"shape": "octagon", "margin": "0.06,0.05"},
    "summary": {"shape": "folder", "margin": "0.2,0.1"},
    "question": {"shape": "note", "margin": "0.16,0.08", "ordering": "out"},
    "output": {"shape": "box", "peripheries": "2", "margin": "0.16,0.08"},
}

PARTS: dict[Part, Look] = {
    "forward": {"color": BLUE, "fillcolor": "#bddcf5", "style": "filled"},
    "derivative": {"color": OCHRE, "fillcolor": "#fbd5b0", "style": "filled,dashed"},
}

STRIKING: dict[Kind, Look] = {"open derivative": {"fillcolor": "#ffd76a"}}

MARKS: dict[Mark, Look] = {
    "plain": {},
    "removed": {
        "color": GREY,
        "fontcolor": GREY,
        "fillcolor": PAPER,
        "style": "filled,dotted",
        "penwidth": "2",
    },
    "new": {"color": GREEN, "fillcolor": "#b0e6cc", "penwidth": "3.2"},
    "matched": {"color": PURPLE, "fillcolor": PURPLE, "fontcolor": PAPER, "penwidth": "3.2"},
}

FRAMES: dict[Part | Mark, Look] = {  # pale, for what is inside an open box
    "forward": {"fillcolor": "#f6fafd"},
    "derivative": {"fillcolor": "#fef9f4"},
    "new": {"fillcolor": "#e2f7ec"},
    "matched": {"fillcolor": "#ecdae5", "fontcolor": INK},
}

EDGE_STYLES: dict[Part, Look] = {
    "forward": {"color": BLUE},
    "derivative": {"color": OCHRE, "style": "dashed"},
}

EDGE_MARKS: dict[Mark, Look] = {
    "plain": {},
    "removed": {"color": GREY, "style": "dotted", "penwidth": "1.8"},
    "new": {"color": GREEN, "penwidth": "2.6"},
    "matched": {"color": PURPLE, "penwidth": "2.6"},
}

HEAT: dict[Heat, tuple[float, str]] = {  # from which share on, and its colour
    "hottest": (0.25, "#f5b3a2"),
    "hot": (0.10, AMBER),
    "warm": (0.03, "#f0e442"),
}

OF_TIME = "{:.0%} of the time or more"

BACK: Look = {"penwidth": "2.2", "arrowtail": "empty"}  # to the next step

SIGNS: dict[Sign, tuple[Look, str]] = {  # in the order of a key, with the usual words
    "forward": (PARTS["forward"], "forward"),
    "derivative": (PARTS["derivative"], "derivative"),
    "removed": (MARKS["removed"], "removed"),
    "new": (MARKS["new"], "new"),
    "matched": (MARKS["matched"], "highlighted"),
    "solid": ({"color": BLUE, "fillcolor": PAPER}, "values"),  # beside each other, without fills
    "dashed": ({"color": OCHRE, "fillcolor": PAPER, "style": "dashed"}, "derivatives"),
    "open derivative": (
        PARTS["derivative"] | STRIKING["open derivative"],
        "a derivative that is not taken yet",
    ),
    "tag": (
        {"color": AMBER, "fillcolor": AMBER},
        "x → the part that the rule calls x; → x the same part after the step",
    ),
    "wildcard": ({"color": INK, "fillcolor": AMBER}, "a colour is a wildcard of the rule"),
    "hottest": (
        {"color": INK, "fillcolor": HEAT["hottest"][1]},
        OF_TIME.format(HEAT["hottest"][0]),
    ),
    "hot": (
        {"color": INK, "fillcolor": HEAT["hot"][1]},
        OF_TIME.format(HEAT["hot"][0]),
    ),
    "warm": (
        {"color": INK, "fillcolor": HEAT["warm"][1]},
        OF_TIME.format(HEAT["warm"][0]),
    ),
}

HIDDEN: Look = {"style": "invis"}  # takes its room and is not drawn: nothing moves when it appears

SHEET: dict[str, Look] = {  # what a whole graph, all its nodes and all its edges start from
    "graph_attr": {
        "fontname": FONT, "fontcolor": INK, "nodesep": "0.3", "ranksep": "0.42", "pad": "0.12",
        "bgcolor": PAPER,
    },
    "node_attr": {
        "fontname": FONT, "fontcolor": INK, "fontsize": str(SIZE), "penwidth": "1.4",
        "height": "0.42",
    },
    "edge_attr": {
        "fontname": FONT, "fontcolor": INK, "fontsize": str(SMALL), "penwidth": "1.3",
        "arrowsize": "0.75",
    },
}  # fmt: skip
