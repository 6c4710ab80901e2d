"""Move a script to modern names: what has one is renamed, what has not is listed."""

from pathlib import Path
from typing import Any, NamedTuple

from ..core.missing import PAGE
from .names import OTHER_ARGUMENTS, table
from .python2 import converted


class Modernised(NamedTuple):
    """The new text, the names that were changed, and what was left, line by line."""

    text: str
    changed: dict[str, str]
    left: list[str]

    def report(self) -> str:
        """What was done, in words."""
        done = [f"{old} → ad.{new}" for old, new in sorted(self.changed.items())]
        lines = ["renamed:", *[f"  {line}" for line in done]] if done else ["nothing was renamed"]
        rest = ["left:", *[f"  {line}" for line in self.left], f"see {PAGE}"] if self.left else []
        return "\n".join([*lines, *rest])


def modernise(path: str | Path) -> Modernised:
    """A script with modern names.

    Parameters
    ----------
    path : str or Path
        The script, which stays as it is.

    Returns
    -------
    Modernised
        The new text, what was renamed, and what was left for a person.

    Raises
    ------
    ImportError
        If LibCST is not installed.
    """
    try:
        import libcst as cst
        from libcst import metadata
    except ImportError:
        raise ImportError("libcst reads and writes the script: pip install "
                          "'autodiff-edu[theano]'") from None  # fmt: skip
    path = Path(path)
    source = converted(path.read_text("utf-8"), path.name)
    wrapper = metadata.MetadataWrapper(cst.parse_module(source.text))
    work = renamer(cst, metadata)
    tree = wrapper.visit(work)
    text = tree.code
    if work.changed and "import autodiff_edu as ad" not in text:
        text = with_import(text)
    if source.classic:
        work.left.append("every `/` of two whole numbers: Python 2 gave a whole number, `//` does")
    return Modernised(text, work.changed, work.left)


def with_import(text: str) -> str:
    """The text with our import before its first one."""
    lines = text.splitlines(keepends=True)
    first = next((k for k, line in enumerate(lines) if line.startswith(("import ", "from "))
                  and "__future__" not in line), 0)  # fmt: skip
    return "".join([*lines[:first], "import autodiff_edu as ad\n", *lines[first:]])


class Findings:
    """What is renamed, and what is left."""

    def __init__(self) -> None:
        self.modern = table()
        self.changed: dict[str, str] = {}
        self.left: list[str] = []

    def name_for(self, name: str, line: int) -> str | None:
        """Our name for one of Theano's; None, and a line of words, where it is left."""
        modern = self.modern.get(name)
        if modern and not modern.remark and "." not in modern.name:
            self.changed[name] = modern.name
            return modern.name
        why = modern.remark if modern else "has no modern name here"
        ours = f"ad.{modern.name}: " if modern else ""
        self.left.append(f"line {line}: {name}: {ours}{why}")
        return None


def renamer(cst: Any, metadata: Any) -> Any:
    """The visitor that renames; LibCST is only known when it is asked for."""
    outside = (cst.Call, cst.Arg, cst.Element, cst.Assign, cst.BinaryOperation, cst.Return)
    where, parents = metadata.PositionProvider, metadata.ParentNodeProvider

    def dotted(node: Any) -> bool:
        """Is it a.b.c, and not f(x).c?"""
        while isinstance(node, cst.Attribute):
            node = node.value
        return isinstance(node, cst.Name)

    class Rename(cst.CSTTransformer, Findings):
        METADATA_DEPENDENCIES = (metadata.QualifiedNameProvider, where, parents)

        def __init__(self) -> None:
            cst.CSTTransformer.__init__(self)
            Findings.__init__(self)

        def leave_Attribute(self, original_node: Any, updated_node: Any) -> Any:
            parent = self.get_metadata(parents, original_node)
            inner = isinstance(parent, cst.Attribute) and parent.value is original_node
            return self.renamed(original_node, updated_node, inner)

        def leave_Name(self, original_node: Any, updated_node: Any) -> Any:
            parent = self.get_metadata(parents, original_node)
            return self.renamed(original_node, updated_node, not isinstance(parent, outside))

        def renamed(self, node: Any, updated: Any, inner: bool) -> Any:
            found = self.get_metadata(metadata.QualifiedNameProvider, node, set())
            names = [q.name for q in found if q.name.split(".")[0] == "theano"]
            if not names or inner or not dotted(node):
                return updated
            new = self.name_for(names[0], self.get_metadata(where, node).start.line)
            return cst.Attribute(cst.Name("ad"), cst.Name(new)) if new else updated

    return Rename()


__all__ = ["OTHER_ARGUMENTS", "Modernised", "modernise"]
