"""Colours that mean different things look different to every eye.

The matrices are those of Machado, Oliveira and Fernandes (2009) for a missing kind of cone, applied
to linear RGB; differences are CIE 1976 distances in L*a*b*, where about 2.3 can just be seen.
"""

from itertools import combinations

import numpy as np
import pytest

from autodiff_edu.show.diagram import theme

EYES = {
    "usual": np.eye(3),
    "protanopia": np.array([[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
                            [-0.003882, -0.048116, 1.051998]]),
    "deuteranopia": np.array([[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                              [-0.011820, 0.042940, 0.968881]]),
    "tritanopia": np.array([[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
                            [0.004733, 0.691367, 0.303900]]),
}  # fmt: skip
TO_XYZ = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
                   [0.0193339, 0.1191920, 0.9503041]])  # fmt: skip
APART = 10  # more than four times what can just be seen


def lab(colour, eye):
    """L*a*b* of a colour as an eye sees it."""
    rgb = np.array([int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    seen = np.clip(EYES[eye] @ linear, 0, 1)
    ratio = TO_XYZ @ seen / TO_XYZ.sum(axis=1)
    f = np.where(ratio > (6 / 29) ** 3, np.cbrt(ratio), ratio / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def distance(one, other, eye):
    return float(np.linalg.norm(lab(one, eye) - lab(other, eye)))


LINES = [look["color"] for look, _ in theme.SIGNS.values() if look["color"] != theme.AMBER]
every_eye = pytest.mark.each("eye", EYES)


def test_the_measure_is_the_published_one():
    assert lab("#ffffff", "usual") == pytest.approx([100, 0, 0], abs=0.02)
    assert lab("#ff0000", "usual") == pytest.approx([53.24, 80.09, 67.20], abs=0.02)
    red_and_green = "#c80000", "#5a6400"
    assert distance(*red_and_green, "usual") > 2 * distance(*red_and_green, "deuteranopia")


@every_eye
def test_lines_of_parts_and_marks_are_told_apart(eye):
    for one, other in combinations(dict.fromkeys(LINES), 2):
        assert distance(one, other, eye) >= APART, (one, other)


@every_eye
def test_wildcards_are_told_apart(eye):
    for one, other in combinations(theme.HUES, 2):
        assert distance(one, other, eye) >= APART, (one, other)


@every_eye
def test_lines_are_told_apart_from_the_paper(eye):
    assert all(distance(line, theme.PAPER, eye) >= 4 * APART for line in LINES)
