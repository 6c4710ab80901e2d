"""A profile, shown: its lines as a table, and the graph of the program coloured by time.

The share of the time stands below a node, too, so that nothing is said by colour alone.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ...expr import Expr
from ...run import Profile
from ..build import passes
from ..diagram.theme import HEAT, PAPER, SIGNS, Heat
from ..html.picture import Picture
from ..html.table import Table
from .draw import draw, drawing
from .legible import plan, too_large
from .tables import table

COLUMNS = ("line", "source", "calls", "time", "share", "bytes", "flops")


@table.register
def profile_table(profile: Profile) -> Table:
    """A row for each line that ran."""
    rows = [
        (
            str(line.number), line.text, str(line.calls), f"{1e6 * line.seconds:.1f} µs",
            f"{share(profile, line.seconds):.0%}", f"{line.bytes:,}" if line.bytes else "",
            "" if line.flops is None else f"{line.flops:,}",
        )
        for line in profile.lines
    ]  # fmt: skip
    return Table(COLUMNS, rows, "profile")


@drawing.register
def draw_profile(profile: Profile, options: dict[str, Any], highlight: Sequence[Expr] = ()) -> Any:
    """The graph, with the share of the time below each node. It runs down, as the lines do."""
    if too_large(profile.graph, options):
        return draw(profile.graph)
    spent = dict.fromkeys(profile.graph.nodes, 0.0)
    for line in profile.lines:
        for n in line.parts:  # of one line, they have equal parts of its time
            if n in spent:
                spent[n] += share(profile, line.seconds) / len(line.parts)
    drawing = plan(profile.graph, direction=options.get("direction") or "TB")
    diagram = passes.diagram(drawing)
    shares = {use.id: spent[use.node] for use in drawing.uses[0] if use.node.op is not None}
    nodes = [n._replace(note=f"{shares[n.id]:.0%}", fill=colour(shares[n.id]))
             if n.id in shares else n for n in diagram.nodes]  # fmt: skip
    drawn = Picture.of(diagram._replace(nodes=tuple(nodes)))
    told = {*(drawn.signs or ())} - {"wildcard"} | {heat(part) for part in shares.values()}
    return replace(drawn, signs=tuple(sign for sign in SIGNS if sign in told))


def share(profile: Profile, seconds: float) -> float:
    """The part of the whole time."""
    return seconds / profile.seconds if profile.seconds else 0.0


def heat(part: float) -> Heat | None:
    """How hot a share of the time is; None where it is small."""
    return next((name for name, (least, _) in HEAT.items() if part >= least), None)


def colour(part: float) -> str:
    """The colour of a share of the time."""
    name = heat(part)
    return HEAT[name][1] if name else PAPER
