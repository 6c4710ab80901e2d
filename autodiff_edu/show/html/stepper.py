"""Stepping through frames with radio buttons and CSS: no kernel, no JavaScript.

Where there is no stylesheet, in an untrusted notebook or an old browser, and on paper, the frames
read as a strip of captioned pictures.
"""

from collections.abc import Sequence
from string import Template
from typing import NamedTuple

from ..diagram.theme import BLUE, FAINT, INK, ORANGE, PAPER, TINT
from . import page
from .showable import Showable


class Frame(NamedTuple):
    """A picture and what happens in it, in words."""

    caption: str
    picture: Showable


def stepper(frames: Sequence[Frame]) -> str:
    """All frames as HTML, of which a browser shows one at a time.

    A form keeps the buttons of two films apart; sent as a dialog's answer, it goes nowhere.
    """
    scale = page.together(frame.picture.height for frame in frames)
    content = f'{_buttons(frames)}<div class="frames" tabindex="0" style="{scale}">'
    content += f"{_sections(frames)}</div>"  # it scrolls where it is tall: by keys, too
    return f'{_stylesheet(len(frames))}<form method="dialog">{content}</form>'


def _buttons(frames: Sequence[Frame]) -> str:
    """One radio button a frame, hidden until a stylesheet makes it work.

    Without `data-lm-suppress-shortcuts` JupyterLab would keep the arrow keys for itself.
    """
    attributes = 'type="radio" name="frame" data-lm-suppress-shortcuts="true"'
    labels = (
        f'<label><input {attributes} aria-label="{page.escape(frame.caption)}"'
        f"{' checked' * (k == 0)}>{k}</label>"
        for k, frame in enumerate(frames)
    )
    return f'<p class="steps" style="display:none">{"".join(labels)}</p>'


def _sections(frames: Sequence[Frame]) -> str:
    widest = max(frame.picture.widths[0] for frame in frames)
    last = len(frames) - 1
    return "".join(
        f'<section style="margin:0 0 12px">'
        f"{page.caption(f'<b>{k} of {last}</b> {page.escape(caption)}')}"
        f"{picture.image(widest)}</section>"
        for k, (caption, picture) in enumerate(frames)
    )


def _stylesheet(count: int) -> str:
    chosen = ", ".join(
        f"&:has(label:nth-of-type({k}) :checked) section:nth-of-type({k})"
        for k in range(1, count + 1)
    )
    return f"<style>{STEPPING.substitute(COLOURS, chosen=chosen)}</style>"


COLOURS = {"blue": BLUE, "faint": FAINT, "ink": INK, "orange": ORANGE, "paper": PAPER, "tint": TINT}

# All frames share one cell of a grid, which is as large as the largest: nothing jumps. What is
# larger than the window scrolls under the buttons and the caption, which stay in sight;
# a page of Jupyter or of the book lets nothing stick to the window.
# `back` and `next` are drawn by the labels of the neighbouring frames, so they need no ids,
# over pale copies that belong to the row.
STEPPING = Template("""
@supports selector(:has(&)) { @media screen { .autodiff-film {
  .frames { display: grid; max-height: 82vh; overflow: auto }
  & section { grid-area: 1/1; min-width: 0; visibility: hidden }
  & section > p:first-child { position: sticky; top: 0; left: 0; z-index: 1; background: $paper }
  $chosen { visibility: visible }

  .steps { display: flex !important; flex-wrap: wrap; gap: 4px; position: sticky; left: 0;
    min-height: 28px; margin: 0 0 10px; padding: 0 0 0 168px }
  .steps input { position: absolute; opacity: 0; margin: 0 }
  .steps label, .steps label::before, .steps::before, .steps::after {
    box-sizing: border-box; min-width: 28px; height: 28px; margin: 0; padding: 0 6px;
    border: 1px solid $faint; border-radius: 5px; background: $paper; color: $ink;
    font-size: 14px; line-height: 26px; text-align: center; cursor: pointer }
  .steps label:hover, .steps label:hover::before { background: $tint }
  .steps label:has(:checked) { background: $blue; border-color: $blue; color: $paper }
  .steps label:has(:focus-visible) { outline: 3px solid $orange; outline-offset: 1px }

  .steps::before, .steps label:has(+ label :checked)::before {
    content: "‹ back"; position: absolute; left: 0; top: 0; width: 78px }
  .steps::after, .steps label:has(:checked) + label::before {
    content: "next ›"; position: absolute; left: 82px; top: 0; width: 78px }
  .steps::before, .steps::after { opacity: .35; cursor: default }
  .steps label::before { z-index: 1 }
} } }
""")
