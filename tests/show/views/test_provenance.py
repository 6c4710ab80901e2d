"""A node tells where it came from, back to the user's line."""

import pytest

from autodiff_edu.differentiate import grad, symbolic_derivative
from autodiff_edu.ops import scalar, sin
from autodiff_edu.rewrite import simplify
from autodiff_edu.show import why


def test_the_story_goes_back_to_the_users_line():
    x = scalar("x")
    y = x * x + (x - 2)  # the line
    story = why(simplify(symbolic_derivative(y, x)).output)
    assert [event.kind for event in story.events] == ["rewrite", "derivative"]
    assert story.lines[0] == "(2 * x) + 1"
    assert story.lines[1] == "came from rewriting (x + x) + 1  (rule: collect terms)"
    assert story.lines[-1].endswith("`y = x * x + (x - 2)  # the line`")
    assert "test_provenance.py" in story.place


def test_the_picture_runs_from_the_line_to_the_node():
    x = scalar("x")
    picture = why(grad(sin(x) * x, x)).picture
    assert picture.listing.splitlines()[0].startswith("place  input  test_provenance.py")
    assert "matched" in picture.listing and "<svg" in picture.svg


def test_an_input_was_written_by_the_user():
    x = scalar("x")
    assert why(x).events == [] and "scalar" in repr(why(x))


def test_it_shows_itself():
    x = scalar("<b>")
    story = why(grad(x * x, x))
    bundle = story._repr_mimebundle_()
    assert bundle["text/plain"] == repr(story) == "\n".join(story.lines)
    assert "came from" in story.lines[1]
    assert "<b>" not in bundle["text/html"] and "&lt;b&gt;" in bundle["text/html"]


def test_only_expressions_have_a_story():
    with pytest.raises(TypeError, match="stage.output"):
        why(3)
