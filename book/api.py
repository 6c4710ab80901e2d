"""The reference pages: every public name of the package, grouped by subject."""

import inspect
import re
from pathlib import Path
from typing import get_overloads

import elsewhere
import subjects

from autodiff_edu.expr import Method, Op
from autodiff_edu.ops.statement import entries as statements

# ---- entries ----


def entry(name):
    """The directive that documents one name, with what stands under it."""
    thing, path = subjects.thing_of(name), f"autodiff_edu.{name}"
    if inspect.isclass(thing):
        return class_entry(path, thing)
    if inspect.isroutine(thing) and not get_overloads(inspect.unwrap(thing)):
        return f".. autofunction:: {path}\n"
    if callable(thing):
        text = "\n   ".join([*rst(inspect.getdoc(thing) or ""), *record(thing)])
        module, _, last = path.rpartition(".")
        head = f".. py:function:: {last}{signature(thing)}\n   :module: {module}"
        return f"{head}\n\n   {text}\n"
    return f".. autodata:: {path}\n   :no-value:\n"


def class_entry(path, thing):
    """A class with its methods; one that hands on to a function of ours is told in a line."""
    handed = {k: m for k, m in vars(thing).items() if isinstance(m, Method) and k[0] != "_"}
    lines = [f".. autoclass:: {path}", "   :members:"]
    lines += [f"   :exclude-members: {', '.join(handed)}"] * bool(handed) + [""]
    for name, method in handed.items():
        text = ["", *handed_on(method.__name__, method.function), ""]
        lines += [f"   .. py:method:: {name}{without_self(method.function)}"]
        lines += [" " * 6 + words for words in text]
    return "\n".join([*lines, ""])


def handed_on(name, function):
    """The first sentence and where the rest stands; of a function without an entry, all of it."""
    if name not in subjects.public_names():
        return rst(function.__doc__ or "")
    return [f"{escaped(first_sentence(function))} As :py:obj:`ad.{name} <autodiff_edu.{name}>`."]


def without_self(function):
    """The parameters behind the first."""
    whole = inspect.signature(function)
    _, *rest = [p.replace(annotation=p.empty) for p in whole.parameters.values()]
    return str(whole.replace(parameters=rest, return_annotation=whole.empty))


IN_DOCSTRING = "derivative", "kinks", "dtype", "in NumPy"


def record(thing):
    """What the record of an operation states, as `op.explain()` shows it, besides its docstring."""
    if not isinstance(thing, Op):
        return []
    rows = [(e.what, told(e)) for e in statements(thing) if e.what not in IN_DOCSTRING]
    return [".. rubric:: Record", "", *table(rows, "record")]


def told(entry):
    """Words, and formulas as text and in LaTeX."""
    formulas = [f"``{plain}`` :math:`{tex}`" for plain, tex in entry.formulas]
    return " ".join([escaped(entry.words)] * bool(entry.words) + formulas)


def table(rows, name):
    """Two columns, without a head."""
    lines = [".. list-table::", f"   :class: {name}", ""]
    for left, right in rows:
        lines += [f"   * - {left}", f"     - {right}"]
    return [*lines, ""]


def line(name):
    """A row of the table at the top of a page: the name, and its first sentence."""
    link = f":py:obj:`{name.rpartition('.')[2]} <autodiff_edu.{name}>`"
    return link, escaped(first_sentence(subjects.thing_of(name)))


def first_sentence(thing):
    """What the docstring begins with."""
    if not inspect.isclass(thing) and not callable(thing):
        thing = type(thing)
    return " ".join((inspect.getdoc(thing) or "").split("\n\n")[0].split())


def signature(thing):
    """The parameters as a user writes them; their types stand in the table below."""
    try:
        whole = inspect.signature(thing)
    except (TypeError, ValueError):
        return "(...)"
    plain = [p.replace(annotation=p.empty) for p in whole.parameters.values()]
    return str(whole.replace(parameters=plain, return_annotation=whole.empty))


def page(subject, names):
    """The page of one subject: a line for each name, then what each of them is."""
    body = "\n".join([*table(map(line, names), "names"), *map(entry, names)])
    return f"# {subject.title}\n\n{subject.words}\n\n````{{eval-rst}}\n{body}\n````\n"


def write_pages(folder: Path):
    """One page a subject, and one of names in other libraries."""
    slug = {s: re.sub(r"[^a-z]+", "-", s.title.lower()).strip("-") for s in subjects.SUBJECTS}
    pages = {
        f"{i:02d}-{slug[subject]}.md": page(subject, names)
        for i, (subject, names) in enumerate(subjects.pages().items(), 1)
    }
    write_files(folder, pages | {"names-elsewhere.md": elsewhere.page()})


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
    if not path.startswith("autodiff_edu.") or path.count(".") < 2:
        return None
    known = subjects.entries().get(path)
    if known is None:
        return contnode
    domain = env.get_domain("py")
    return domain.resolve_xref(env, node["refdoc"], app.builder, "obj", known, node, contnode)
