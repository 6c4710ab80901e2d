"""The same DOT text gives the same bytes everywhere, and nothing is left behind or said aside."""

import os
import shutil
import subprocess
import sys
import tempfile

import pytest

import autodiff_edu as ad
from autodiff_edu.show import GraphvizMissing, Picture
from autodiff_edu.show.diagram import layout
from autodiff_edu.show.diagram.svg import svg
from autodiff_edu.show.html import page
from tests.helpers.depth import is_short

DOT = 'digraph { a [label="损失 × ∂"]; a -> b [label="Ж"] }'
PRINT_SVG = f"from autodiff_edu.show.diagram.svg import svg; print(svg({DOT!r}, 'a title'))"
OTHER = DOT.replace("Ж", "another")
PRINT_BOTH = f"""import os
before = dict(os.environ)
{PRINT_SVG}
assert before == dict(os.environ)
print(svg({OTHER!r}))"""


def run(*command, **environment):
    done = subprocess.run(
        command, env=os.environ | environment, capture_output=True, text=True, encoding="utf-8"
    )
    assert done.stderr == ""
    return done


def python(code, *before, **environment):
    return run(*before, sys.executable, "-c", code, **environment)


def forget():
    for cached in (layout.renderer, layout.laid_out, page.short):
        cached.cache_clear()


@pytest.fixture
def no_renderer_yet():
    forget()
    yield
    forget()


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """What a process with hashes and a folder for temporary files of its own prints, and leaves."""
    folder = tmp_path_factory.mktemp("alone")
    printed = python(PRINT_BOTH, TMPDIR=str(folder), PYTHONHASHSEED="1").stdout
    return printed, [*folder.iterdir()]


def test_bytes_do_not_depend_on_hashing(alone):
    others = [] if is_short() else [python(PRINT_BOTH, PYTHONHASHSEED="2").stdout]
    for printed in (alone[0], *others):
        assert printed.startswith(svg(DOT, "a title") + "\n")


def test_bytes_do_not_depend_on_fonts(tmp_path, without_fonts):
    home = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    assert python(PRINT_SVG, *without_fonts, **home).stdout == svg(DOT, "a title") + "\n"


def test_nothing_is_left_behind(alone):
    """In the folder; and the environment is asked by the process itself."""
    assert alone[1] == []


def test_fonts_stay_pinned_when_their_configuration_is_gone(alone):
    assert alone[0].endswith("\n" + svg(OTHER) + "\n")


def test_what_is_not_dot_is_refused(capfd):
    with pytest.raises(ValueError, match="Graphviz: Error: syntax error in line 1"):
        svg("digraph { a -> ")
    assert capfd.readouterr().err == ""


def test_large_graphs_are_no_reason_to_talk(capfd):
    svg("digraph {" + ";".join(f"n{k}" for k in range(1001)) + "}")
    assert capfd.readouterr() == ("", "")


def test_a_system_dot_takes_over(monkeypatch, tmp_path, no_renderer_yet):
    """Here a script plays the program, for this machine may have none."""
    program = tmp_path / "dot"
    program.write_text(
        f"#!{sys.executable}\nimport sys, os\nassert os.environ['FONTCONFIG_FILE']\n"
        "text = sys.stdin.buffer.read().decode()\n"
        "sys.exit('no') if 'bad' in text else None\n"
        "from autodiff_edu.show.diagram import layout\n"
        "sys.stdout.buffer.write(layout.renderer()(text, sys.argv[1][2:]))"
    )
    program.chmod(0o755)
    expected = svg(DOT)
    forget()
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    monkeypatch.setattr(shutil, "which", lambda name: str(program))
    assert svg(DOT) == expected
    with pytest.raises(ValueError, match="Graphviz: no"):
        svg("bad")


def test_without_graphviz_one_sentence_says_what_to_do(monkeypatch, diagram, no_renderer_yet):
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    picture = Picture.of(diagram)
    with pytest.raises(GraphvizMissing, match="pip install pygraphviz"):
        _ = picture.svg
    bundle = picture._repr_mimebundle_()
    assert "pip install pygraphviz" in bundle["text/html"]
    assert "n1 -&gt; n3" in bundle["text/html"]
    assert bundle["text/plain"] == repr(picture) and "image/svg+xml" not in bundle


def test_without_graphviz_all_views_are_shown_as_text(monkeypatch, no_renderer_yet):
    """Where the sentence stands depends on the view; what is drawn is listed in each."""
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    x = ad.scalar("x")
    first = ad.symbolic_derivative(x * x + x, x)
    short = ad.simplify(first)
    pictures = [ad.draw(x * x), ad.draw(short), ad.compare(first, short)]
    pictures += [ad.overview(x * x), ad.why(short.output)]
    pictures += [ad.pipeline(x * x, x), ad.draw(ad.RULES[0]), ad.draw(x * x, layout="tree")]
    for picture in pictures:
        shown = picture._repr_mimebundle_()
        assert (
            layout.REMEDY.split(",")[0] in shown["text/html"] and "<img" not in shown["text/html"]
        )
        assert "input  " in shown["text/html"] and shown["text/plain"]
    drawn = ad.draw(first)._repr_mimebundle_()["text/html"]
    assert layout.REMEDY.split(",")[0] in drawn and "<pre>x\nv₁ = " in drawn
    assert "<img" in ad.film(short)._repr_mimebundle_()["text/html"]  # which needs no Graphviz
    for table in (short.table(), ad.trace(x * x, at={x: 1.0}), ad.explain(ad.exp)):
        assert layout.REMEDY not in table._repr_mimebundle_()["text/html"]


def test_temporary_folder_is_the_only_place_written(monkeypatch, tmp_path, no_renderer_yet):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    svg(DOT)
    assert list(tmp_path.iterdir()) == []
