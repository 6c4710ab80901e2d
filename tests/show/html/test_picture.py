"""A picture shows itself in every form, and changes its text whenever it changes its look."""

import pytest

from autodiff_edu.show import Edge, Picture
from autodiff_edu.show.diagram.diagram import dot
from tests.helpers.depth import some


def test_the_text_lists_nodes_and_edges_and_ends_with_the_digest(diagram):
    picture = Picture.of(diagram)
    lines = repr(picture).splitlines()
    assert lines[2] == "n2  operation  ×  [float64 (3,)]"
    assert lines[8] == "n2 -> n3  [1]"
    assert lines[10] == "n4 -> n3  [derivative, removed]"
    assert lines[-1] == f"DOT sha256 {picture.digest}" and len(picture.digest) == 12


def test_the_bundle_has_each_form(diagram):
    picture = Picture.of(diagram, alt='a "graph"')
    bundle = picture._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html", "image/svg+xml"}
    assert bundle["text/plain"] == repr(picture)
    assert 'alt="a &quot;graph&quot;"' in bundle["text/html"]
    assert bundle["image/svg+xml"] == picture.svg


def test_one_edge_changes_text_and_drawing(diagram):
    one = Picture.of(diagram)
    other = Picture.of(diagram._replace(edges=(*diagram.edges[:-1], Edge("n2", "n5"))))
    assert one.digest != other.digest and one.svg != other.svg


def test_equal_diagrams_are_equal_pictures(diagram):
    assert Picture.of(diagram) == Picture.of(diagram._replace())


def test_alternative_text_names_what_is_there(diagram):
    expected = "Graph: 2 inputs (x, dx); 1 constant (2); 2 operations (×, −); 1 output (y)."
    assert diagram.alt == expected


def test_hidden_parts_keep_their_room_and_are_not_told(diagram):
    nodes = tuple(n._replace(hidden=n.id == "n5") for n in diagram.nodes)
    edges = tuple(e._replace(hidden=e.head == "n5") for e in diagram.edges)
    hidden = diagram._replace(nodes=nodes, edges=edges)
    assert Picture.of(hidden).widths == Picture.of(diagram).widths
    assert "n5" not in hidden.listing and "output" not in hidden.alt


@pytest.mark.parametrize(
    "ending, start", some([(".svg", b"<svg"), (".png", b"\x89PNG"), (".pdf", b"%PDF")], 2)
)
def test_files_are_the_same_each_time(diagram, tmp_path, ending, start):
    files = [Picture.of(diagram).save(tmp_path / f"{k}{ending}").read_bytes() for k in "ab"]
    assert files[0] == files[1] and files[0].startswith(start)


def test_dot_file(diagram, tmp_path):
    assert Picture.of(diagram).save(str(tmp_path / "a.dot")).read_text("utf-8") == dot(diagram)


def test_other_endings_are_refused(diagram, tmp_path):
    with pytest.raises(ValueError, match=r"'a.gif': end the name in .svg, .dot, .png, .pdf"):
        Picture.of(diagram).save(tmp_path / "a.gif")


def test_any_dot_text_is_a_picture():
    assert "<svg" in Picture("digraph { a -> b }", "two", "a\nb").svg
