"""The work on the tree of a script, by LibCST, which is only loaded for that."""

import inspect
from importlib import import_module

import libcst as cst
from libcst import codemod, metadata
from libcst.codemod.visitors import AddImportsVisitor, GatherImportsVisitor, RemoveImportsVisitor

from .names import METHODS, NEEDLESS, leaves, table

OURS = __name__.partition(".")[0]
WHERE, PARENTS = metadata.PositionProvider, metadata.ParentNodeProvider
NAMES = metadata.QualifiedNameProvider
OUTSIDE = (cst.Call, cst.Arg, cst.Element, cst.Assign, cst.BinaryOperation, cst.Return)


class Renamer(cst.CSTTransformer):
    """What has a modern name is renamed; the rest is listed, line by line."""

    METADATA_DEPENDENCIES = (NAMES, WHERE, PARENTS)

    def __init__(self) -> None:
        super().__init__()
        self.modern, self.leaves = table(), leaves()
        self.changed: dict[str, str] = {}
        self.left: list[str] = []

    def leave_Attribute(
        self, original_node: cst.Attribute, updated_node: cst.Attribute
    ) -> cst.BaseExpression:
        parent = self.get_metadata(PARENTS, original_node)
        inner = isinstance(parent, cst.Attribute) and parent.value is original_node
        method = original_node.attr.value
        if method in METHODS and not self.is_imported(original_node):
            self.leave(f".{method}", original_node, f"no method of ours: write {METHODS[method]}")
        return self.renamed(original_node, updated_node, inner)

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        parent = self.get_metadata(PARENTS, original_node)
        return self.renamed(original_node, updated_node, not isinstance(parent, OUTSIDE))

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        theirs = self.theirs(original_node.func)
        leaf = self.leaves.get(theirs)
        if leaf is None and dotted(original_node.func) and self.is_renamed(theirs):
            return self.with_our_arguments(theirs, original_node, updated_node)
        if leaf is None:
            return updated_node
        name = updated_node.args or assigned(self.get_metadata(PARENTS, original_node))
        if not name:
            self.leave(theirs, original_node, f"ad.{leaf.name}: needs a name")
            return updated_node
        self.changed[theirs] = leaf.name
        ours = cst.ensure_type(cst.parse_expression(f"ad.{leaf.name}({leaf.arguments})"), cst.Call)
        return ours.with_changes(args=[*name, *ours.args])

    def renamed(
        self, node: cst.BaseExpression, updated: cst.BaseExpression, inner: bool
    ) -> cst.BaseExpression:
        """Our name in place of one of Theano's. That of a leaf changes with its call."""
        theirs, parent = self.theirs(node), self.get_metadata(PARENTS, node)
        called = isinstance(parent, cst.Call) and parent.func is node
        if not theirs or inner or not dotted(node) or called and theirs in self.leaves:
            return updated
        modern = self.modern.get(theirs)
        if modern and self.is_renamed(theirs):
            self.changed[theirs] = modern.name
            return cst.Attribute(cst.Name("ad"), cst.Name(modern.name))
        why = f"ad.{modern.name}: {modern.remark}" if modern else "has no modern name here"
        self.leave(theirs, node, why)
        return updated

    def is_renamed(self, theirs: str) -> bool:
        """Is a new name enough?"""
        modern = self.modern.get(theirs)
        return modern is not None and not modern.remark and "." not in modern.name

    def with_our_arguments(self, theirs: str, node: cst.Call, updated: cst.Call) -> cst.Call:
        """The call without what told Theano how to compile; what ours does not take is listed."""
        ours = self.modern[theirs].name
        taken = inspect.signature(getattr(import_module(OURS), ours)).parameters
        strange = [a.keyword.value for a in node.args if a.keyword and a.keyword.value not in taken]
        for name in strange:
            if name not in NEEDLESS:
                self.leave(theirs, node, f"ad.{ours} has no argument {name}=")
        kept = [a for a in updated.args if not (a.keyword and a.keyword.value in strange
                                                and a.keyword.value in NEEDLESS)]  # fmt: skip
        if not kept or len(kept) == len(updated.args):
            return updated.with_changes(args=kept)
        return updated.with_changes(args=[*kept[:-1], kept[-1].with_changes(
            comma=updated.args[-1].comma)])  # fmt: skip

    def theirs(self, node: cst.CSTNode) -> str:
        """The name of Theano's that a node stands for, if it is one."""
        found = self.get_metadata(NAMES, node, set())
        return next((q.name for q in found if q.name.split(".")[0] == "theano"), "")

    def is_imported(self, node: cst.BaseExpression) -> bool:
        """Is it a name in a module, as np.linalg.norm is?"""
        found = self.get_metadata(NAMES, node, set())
        return dotted(node) and any(q.source is metadata.QualifiedNameSource.IMPORT for q in found)

    def leave(self, theirs: str, node: cst.CSTNode, why: str) -> None:
        self.left.append(f"line {self.get_metadata(WHERE, node).start.line}: {theirs}: {why}")


def dotted(node: cst.BaseExpression) -> bool:
    """Is it a.b.c, and not f(x).c?"""
    while isinstance(node, cst.Attribute):
        node = node.value
    return isinstance(node, cst.Name)


def assigned(parent: cst.CSTNode) -> list[cst.Arg]:
    """The argument for the name of a leaf that has none: `x = T.matrix()` is called "x"."""
    if not isinstance(parent, cst.Assign) or len(parent.targets) > 1:
        return []
    target = parent.targets[0].target
    return [cst.Arg(cst.SimpleString(repr(target.value)))] if isinstance(target, cst.Name) else []


def renamed(text: str) -> tuple[str, Renamer]:
    """The text with modern names, and what was done."""
    work = Renamer()
    tree = metadata.MetadataWrapper(cst.parse_module(text)).visit(work)
    return with_our_import(without_old_imports(tree), bool(work.changed)).code, work


def with_our_import(tree: cst.Module, needed: bool) -> cst.Module:
    context = codemod.CodemodContext()
    if needed:
        AddImportsVisitor.add_needed_import(context, "autodiff_edu", None, "ad")
    return AddImportsVisitor(context).transform_module(tree)


def without_old_imports(tree: cst.Module) -> cst.Module:
    """The module without the imports of Theano that nothing uses any more."""
    context = codemod.CodemodContext()
    found = GatherImportsVisitor(context)
    tree.visit(found)
    old: list[tuple] = [
        *[(module,) for module in found.module_imports],
        *[(module, None, alias) for module, alias in found.module_aliases.items()],
        *[(module, name) for module, names in found.object_mapping.items() for name in names],
        *[(module, *pair) for module, pairs in found.alias_mapping.items() for pair in pairs],
    ]
    for module, *names in old:
        if module.split(".")[0] == "theano":
            RemoveImportsVisitor.remove_unused_import(context, module, *names)
    return RemoveImportsVisitor(context).transform_module(tree)
