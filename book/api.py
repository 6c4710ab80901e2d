"""The reference pages: every public name of the package, grouped by the room that it comes from."""

import importlib
import inspect
import re
from pathlib import Path
from types import ModuleType
from typing import get_overloads

import autodiff_edu as ad

ORDER = """expr ops library chance differentiate nested rewrite run functions check show
course""".split()


def origin(name):
    """What a name's home and parameters are read from: of an operation, its NumPy body."""
    thing = getattr(ad, name)
    return thing if inspect.isclass(thing) else getattr(thing, "body", thing)


def room(name):
    """The room where a public name is at home."""
    thing = origin(name)
    home = getattr(thing, "__module__", None) or type(thing).__module__
    return [*home.split("."), "__init__"][1]


def rooms():
    """Public names by room, rooms by floor: {room: [name, ...]}."""
    names = [name for name in ad.__all__ if not isinstance(getattr(ad, name), ModuleType)]
    found = {name: room(name) for name in names}
    order = [*ORDER, *sorted(set(found.values()) - set(ORDER))]
    groups = {place: [n for n in names if found[n] == place] for place in order}
    return {place: members for place, members in groups.items() if members}


# ---- entries ----


def entry(name):
    """The directive that documents one name, with what stands under it."""
    thing, path = getattr(ad, name), f"autodiff_edu.{name}"
    if inspect.isclass(thing):
        return f".. autoclass:: {path}\n   :members:\n"
    if inspect.isroutine(thing) and not get_overloads(inspect.unwrap(thing)):
        return f".. autofunction:: {path}\n"
    if callable(thing):
        text = "\n   ".join(rst(inspect.getdoc(thing) or ""))
        head = f".. py:function:: {name}{signature(thing)}\n   :module: autodiff_edu"
        return f"{head}\n\n   {text}\n"
    return f".. autodata:: {path}\n   :no-value:\n"


def signature(thing):
    """The parameters as a user writes them; their types stand in the table below."""
    try:
        whole = inspect.signature(thing)
    except (TypeError, ValueError):
        return "(...)"
    plain = [p.replace(annotation=p.empty) for p in whole.parameters.values()]
    return str(whole.replace(parameters=plain, return_annotation=whole.empty))


def page(place, names):
    """The page of one room: its own words, then its names."""
    module = importlib.import_module(
        "autodiff_edu" if place == "__init__" else f"autodiff_edu.{place}"
    )
    words = "\n".join(rst(inspect.getdoc(module) or ""))
    title = "the house" if place == "__init__" else place
    body = "\n".join([words, "", *map(entry, names)])
    return f"# {title}\n\n````{{eval-rst}}\n{body}\n````\n"


def write_pages(folder: Path):
    """One page a room."""
    pages = {
        f"{i:02d}-{place.strip('_')}.md": page(place, names)
        for i, (place, names) in enumerate(rooms().items(), 1)
    }
    write_files(folder, pages)


def write_files(folder: Path, pages: dict[str, str]):
    """Write every page; one that has not changed is left alone, so that rebuilding stays quick."""
    folder.mkdir(exist_ok=True)
    for stale in {path.name for path in folder.iterdir()} - set(pages):
        (folder / stale).unlink()
    for name, text in pages.items():
        path = folder / name
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")


# ---- docstrings: sentences and formulas, in which x*x and |x| are mathematics, not markup ----


def rst(text):
    """Lines of reStructuredText that show a docstring, section by section."""
    head, *rest = re.split(r"^(\w[\w ]*)\n-{3,}\n", inspect.cleandoc(text), flags=re.MULTILINE)
    lines = prose(head)
    for title, body in zip(rest[::2], rest[1::2], strict=True):
        lines += [f".. rubric:: {title}", "", *SECTIONS.get(title, prose)(body.strip("\n"))]
    return lines


def prose(text):
    paragraphs = re.split(r"\n\s*\n", text.strip("\n"))
    return [line for paragraph in paragraphs for line in [*shown(paragraph), ""]]


def shown(paragraph):
    """A paragraph as prose if it is plain, as a block of code if its layout matters."""
    lines = paragraph.split("\n")
    if paragraph.startswith(".. math::"):
        return lines
    if paragraph.startswith("* "):
        return [f"* ``{line[2:]}``" for line in lines]
    if re.search(r"^ |\S {2,}\S|^>>>|^- ", paragraph, re.MULTILINE):
        return [".. code-block:: text", "", *("    " + line for line in lines)]
    return [escaped(" ".join(lines))]


def entries(text):
    """What is taken, given or raised: a name and its type, and below them a sentence."""
    lines = []
    for line in text.split("\n"):
        name, colon, kind = line.partition(" : ")
        if line.startswith(" "):
            lines.append("    " + escaped(line.strip()))
        elif line:
            lines += ["", f"``{name}``{colon}{escaped(kind)}"]
    return [*lines, ""]


def references(text):
    return [
        "* " + escaped(" ".join(part.split())) for part in re.split(r"\.\. \[\d+\]", text)[1:]
    ] + [""]


def relatives(text):
    lines = [line.partition(" : ") for line in text.split("\n")]
    return [*(f"* ``{name}``{colon}{escaped(rest)}" for name, colon, rest in lines), ""]


def examples(text):
    return [".. code-block:: pycon", "", *("    " + line for line in text.split("\n")), ""]


SECTIONS = {
    "Parameters": entries,
    "Returns": entries,
    "Raises": entries,
    "See Also": relatives,
    "References": references,
    "Examples": examples,
}


def escaped(sentence):
    """Mark-up signs outside of `code` stand for themselves."""
    parts = re.split(r"(``.+?``|`[^`]+`)", sentence)
    parts[::2] = [re.sub(r"([*|_\\`])", r"\\\1", part) for part in parts[::2]]
    return "".join(parts)


def as_rst(app, what, name, thing, options, lines):
    """Sphinx's hook: rewrite a docstring's lines in place."""
    lines[:] = rst("\n".join(lines))


def find_public(app, env, node, contnode):
    """Sphinx's hook: lead autodiff_edu.room.module.Name to Name's entry; inner names stay text."""
    path = node.get("reftarget", "")
    name = path.rpartition(".")[2]
    if not path.startswith("autodiff_edu.") or path.count(".") < 2:
        return None
    if name not in ad.__all__:
        return contnode
    domain = env.get_domain("py")
    return domain.resolve_xref(
        env, node["refdoc"], app.builder, "obj", f"autodiff_edu.{name}", node, contnode
    )
