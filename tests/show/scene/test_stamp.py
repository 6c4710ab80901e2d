"""Committed outputs carry the explorer's modules as they are: `dev.py stamp` puts them there."""

from pathlib import Path

from autodiff_edu.show.scene.explorer import modules, packed
from autodiff_edu.show.scene.stamp import PACKED, is_late, stamp

NOTEBOOKS = Path(__file__).parents[3] / "notebooks"


def test_each_explorer_of_a_lecture_has_the_modules_of_today():
    texts = {path.name: path.read_text("utf-8") for path in sorted(NOTEBOOKS.glob("*.ipynb"))}
    explored = [name[:2] for name, text in texts.items() if PACKED.search(text)]
    assert explored == ["00", "05", "07", "12", "15"]
    assert [name for name, text in texts.items() if is_late(text)] == [], (
        "run: python3 dev.py stamp"
    )


def test_a_stamp_changes_the_modules_and_nothing_else(tmp_path, capsys):
    name = "05_reverse_mode.ipynb"
    text = (NOTEBOOKS / name).read_text("utf-8")
    (tmp_path / name).write_text(PACKED.sub(packed("an older one"), text), "utf-8", newline="\n")
    stamp([str(tmp_path / name)])
    assert capsys.readouterr().out == f"{name}\n"
    assert PACKED.split((tmp_path / name).read_text("utf-8")) == PACKED.split(text)
    assert {*PACKED.findall((tmp_path / name).read_text("utf-8"))} == {packed(modules())}
    stamp([str(tmp_path / name)])
    assert capsys.readouterr().out == ""
