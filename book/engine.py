"""The chapter on the engine: the engine's files in reading order, as its reader sees them.

`PAGES` has all file names of the chapter, and so a file that moves is one edit. A page shows the
part of a file that carries its idea, and the whole file folded. Both are the real code: long
docstrings end where their sections begin, and nothing else is changed.
"""

import ast
from pathlib import Path
from typing import NamedTuple

import api

PACKAGE = Path(__file__).parents[1] / "autodiff_edu"


class Page(NamedTuple):
    """A file of the engine; the names in it, in their order, that carry its idea; and the names
    that the examples of the chapter import from it."""

    path: str
    names: str
    imports: str = ""

    @property
    def stem(self) -> str:
        return Path(self.path).stem

    @property
    def title(self) -> str:
        """The heading of the page in the chapter."""
        return self.stem.replace("_", " ").capitalize()

    def text(self) -> str:
        """The whole file, as the chapter shows it."""
        return without_sections((PACKAGE / self.path).read_text("utf-8"))

    def part(self) -> str:
        """The named classes, methods and functions alone."""
        return only(self.text(), self.names.split())


PAGES = (
    Page("core/types.py", "TensorType.__new__ broadcast_shapes meet"),
    Page("core/node.py", "Expr.__init__ Expr.shape Input Constant.__init__", "Constant"),
    Page("core/op.py", "Op.__call__ Op.apply Op.type_of operands weak"),
    Page("core/derivative_rules.py", "zero seed unbroadcast Declared.pushforward Declared.push "
         "Declared.pullback Declared.factored pulled pushed", "pulled, unbroadcast"),
    Page("core/graph.py", "Graph.order postorder rebuild resolve substitute", "put_in, substitute"),
    Page("core/stage.py", "Step Rewriting.frame Growing.built Growing.frame", "Rewriting"),
    Page("core/symbolic.py", "Differentiation.run Differentiation.steps Differentiation.rewrite "
         "Differentiation.push"),
    Page("core/forward.py", "sweep push_all"),
    Page("core/reverse.py", "Backward.run Backward.hand_on Backward.terms total"),
    Page("core/pattern.py", "matcher wild_matcher op_matcher variants signature may_match",
         "matcher, signature, variants"),
    Page("core/rule.py", "Rule.matches Rule.holds Rule.build RuleSet RulesOfGraph.about",
         "RuleSet"),
    Page("core/uses.py", "Uses.once Uses.dying Uses.balance Uses.replace Uses.drop key hash_cons "
         "lookup", "Uses, hash_cons, key"),
    Page("core/rewriter.py", "Rewriter.round Rewriter.visit Rewriter.rewrite "
         "Rewriter.apply Rewriter.record Rewriter.wake", "Rewriter"),
)  # fmt: skip
OUTLOOK = "run/plan.py", "run/source/numbers.py", "show/diagram/diagram.py"  # named, and not shown


# ---- the code as it is shown


def without_sections(source: str) -> str:
    """A file in which each docstring ends where its first section would begin."""
    lines = source.splitlines()
    kinds = ast.ClassDef, ast.FunctionDef
    definitions = [n for n in ast.walk(ast.parse(source)) if isinstance(n, kinds)]
    docstrings = [n.body[0] for n in definitions if ast.get_docstring(n)]
    for doc in sorted(docstrings, key=lambda doc: doc.lineno, reverse=True):
        start, end = doc.lineno - 1, doc.end_lineno
        lines[start:end] = without_section(lines[start:end])
    return "\n".join(lines) + "\n"


def without_section(docstring: list[str]) -> list[str]:
    """The lines of a docstring before those of its first section, a word over a line of dashes."""
    for k, line in enumerate(docstring):
        if set(line.strip()) == {"-"}:
            *before, last = "\n".join(docstring[: k - 1]).rstrip().split("\n")
            return [*before, f'{last}"""']
    return docstring


def only(source: str, names: list[str]) -> str:
    """The named definitions of a file; methods stand under the first lines of their class."""
    lines, module = source.splitlines(), ast.parse(source)
    blocks, last = [], ""
    for name in names:
        owner, _, method = name.rpartition(".")
        node = definition(module, owner or method)
        if owner:
            if owner != last:
                blocks.append(["", "", *lines[first_line(node) : node.body[0].end_lineno]])
            node = definition(node, method)
        gap = [""] if owner else [""] * 2
        blocks.append([*gap, *lines[first_line(node) : node.end_lineno]])
        last = owner
    return "\n".join(line for block in blocks for line in block).strip("\n") + "\n"


def definition(scope: ast.AST, name: str) -> ast.ClassDef | ast.FunctionDef:
    """The class or the function of this name."""
    kinds = ast.ClassDef, ast.FunctionDef
    named = [n for n in scope.body if isinstance(n, kinds) and n.name == name]
    if not named:
        raise LookupError(f"the chapter on the engine shows {name}, which is not in its file")
    return named[-1]


def first_line(node: ast.ClassDef | ast.FunctionDef) -> int:
    """Where it begins, with its decorators."""
    return min([node.lineno, *[d.lineno for d in node.decorator_list]]) - 1


# ---- what the chapter includes

FRAGMENT = """```{{literalinclude}} /kit/engine/{stem}_part.py
:language: python
:caption: {path}, the part to read first
```

````{{dropdown}} The whole file: {count} lines
```{{literalinclude}} /kit/engine/{stem}.py
:language: python
```
````
"""


def write_pages(folder: Path) -> None:
    """What the chapter shows of each file, its table of contents, and the imports of examples."""
    files = {"contents.inc": contents(), "imports.inc": f"```pycon\n{imports()}```\n"}
    for page in PAGES:
        count = len(page.text().splitlines())
        files |= {f"{page.stem}.py": page.text(), f"{page.stem}_part.py": page.part()}
        files[f"{page.stem}.inc"] = FRAGMENT.format(stem=page.stem, path=page.path, count=count)
    api.write_files(folder, files)


def contents() -> str:
    """The table of contents; the first files of program and picture stand at its end."""
    places = {page.path: page.title for page in PAGES} | dict.fromkeys(OUTLOOK, "Outlook")
    return "".join(f"1. {row(path, heading)}\n" for path, heading in places.items())


def row(path: str, heading: str) -> str:
    """A row of the table: a page, its file, and its idea, which is the file's first paragraph."""
    page = Page(path, "")
    idea = (ast.get_docstring(ast.parse(page.text())) or "").partition("\n\n")[0]
    link = f"[{page.title}](#{heading.lower().replace(' ', '-')})"
    return f"{link}, `{path}`. {' '.join(idea.split())}"


def imports() -> str:
    """The lines by which the examples import what they need."""
    modules = {p.path.removesuffix(".py").replace("/", "."): p.imports for p in PAGES if p.imports}
    lines = [f"from autodiff_edu.{module} import {names}" for module, names in modules.items()]
    return "".join(f">>> {line}\n" for line in ["import autodiff_edu as ad", *lines])
