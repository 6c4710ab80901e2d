"""Task 6. A picture of a formula, in DOT, the language of Graphviz."""

from .graph import order


def label(node):
    """What stands in the box of a node: an input's name, a constant's number, or the operation."""
    return node.op if node.value is None else str(node.value)


def escaped(text):
    """The text as it stands between quotation marks in DOT, where " and \\ have a meaning."""
    ### BEGIN SOLUTION
    return text.replace("\\", "\\\\").replace('"', '\\"')
    ### END SOLUTION


def dot(y):
    """The graph of y as a text in DOT: digraph { n0 [label="x"] ... n0 -> n1 ... }

    The nodes are called n0, n1, n2, ... in the order of `order(y)`. An edge leads from each operand
    to the node that uses it. For x * x there are two edges from x.
    """
    ### BEGIN SOLUTION
    names = {node: f"n{k}" for k, node in enumerate(order(y))}
    boxes = [f'{name} [label="{escaped(label(node))}"]' for node, name in names.items()]
    edges = [f"{names[x]} -> {name}" for node, name in names.items() for x in node.operands]
    return "\n".join(["digraph {", *boxes, *edges, "}"])
    ### END SOLUTION
