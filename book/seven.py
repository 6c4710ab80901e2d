"""Seven stays seven, as one picture that moves: the derivative of x·x + (x − 2) is made and made
short, step by step, and its value at x = 3 is written below each frame from the first that has one.

It is an SVG file whose frames take turns by style alone, so that it also moves where no script may
run. Who asks for less motion, and who prints it, sees the last frame.
"""

from html import escape
from itertools import pairwise

import autodiff_edu as ad
from autodiff_edu.show.diagram.theme import FONT_STACK, INK, PAPER, RUST
from autodiff_edu.show.scene.still import Stills
from autodiff_edu.show.scene.svg import STYLE, Marks, svg

FRAME, LAST = 2, 8  # seconds
WORDS = 58  # pixels below the drawing, for two lines


def seven() -> str:
    """The picture as text."""
    x = ad.scalar("x")
    document = ad.explore(x * x + (x - 2), at={x: 3.0}).document
    stills = Stills(document)
    frames = [
        svg(stills[k], Marks(stills[k].words.fresh if k else ())).replace(
            f"<style>{STYLE}</style>", ""
        )
        for k in range(len(stills))
    ]
    left, right, top, bottom = stills[0].scale.extent
    width, height = round(right - left), round(top - bottom)
    pages = [
        f'<g class="p p{k}">{frame}{words(document, k, width, height)}</g>'
        for k, frame in enumerate(frames)
    ]
    says = "x*x + (x - 2) at x = 3: its derivative is made by five named rules, then made short by "
    says += "four; each step shows an equation, and the value, 7, stays"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height + WORDS}" '
        f'viewBox="0 0 {width} {height + WORDS}" role="img" font-family="{FONT_STACK}">'
        f"<title>{says}</title><style>{STYLE}{turns(len(pages))}</style>"
        f'<rect width="100%" height="100%" style="stroke:none;fill:{PAPER}"/>'
        f"{''.join(pages)}</svg>\n"
    )


def words(document: dict, k: int, width: int, height: int) -> str:
    """The lines below frame k: the equation of its step, and the value of the derivative."""
    step = document["steps"][k - 1] if k else None
    rule = f"{k}. {step['rule']}" if step else "the formula at x = 3"
    answer = document["answers"][k]
    value = f"y′ = {answer[0]}" if answer else ""
    lines = [
        (f'x="10" y="{height + 20}" style="fill:{RUST}"', rule),
        (f'x="10" y="{height + 44}"', step["eq"] if step else document["title"]),
        (f'x="{width - 10}" y="{height + 20}" text-anchor="end" font-weight="bold"', value),
    ]
    return "".join(f"<text {place}>{escape(line)}</text>" for place, line in lines if line)


def turns(count: int) -> str:
    """The style by which each frame is seen in its turn, and the last one longest."""
    whole = FRAME * (count - 1) + LAST
    marks = [100 * FRAME * k / whole for k in range(count)] + [100]
    frames = "".join(
        f"@keyframes k{k}{{0%{{opacity:{int(k == 0)}}}{a:.2f}%{{opacity:1}}"
        f"{b:.2f}%{{opacity:{int(k == count - 1)}}}}}"
        f".p{k}{{animation:k{k} {whole}s step-end infinite}}"
        for k, (a, b) in enumerate(pairwise(marks))
    )
    return (
        f".p>text{{font-size:15px;fill:{INK}}}.p{{opacity:0}}.p{count - 1}{{opacity:1}}"
        f"@media screen and (prefers-reduced-motion:no-preference){{{frames}}}"
    )


if __name__ == "__main__":
    from pathlib import Path

    Path(__file__).with_name("static").joinpath("seven.svg").write_text(seven(), "utf-8")
