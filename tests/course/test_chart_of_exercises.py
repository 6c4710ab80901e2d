"""Each wrong answer to an exercise is shown a graph, with what is wrong in it; each right one its own.

Protects the pictures of lectures whose checks need the cells of their notebook. `test_chart.py`
has those that need none.
"""

import contextlib
import re

import pytest

from autodiff_edu.course import limited
from autodiff_edu.course.harness.verdict import verdict
from tests.course.test_exercises import EXERCISES, before, cells, mutants

TASKS = [
    ("07", task)
    for task in ("own", "confluence", "conditions", "swell", "heavier", "circle", "sly", "fire")
]
