"""Shared values in the text of a program: those that are read, are read together; those that are
changed, are changed in one step with those that are read.

@one_step(shared_a, shared_b)
def program(x):
    a, b = snapshot(shared_a, shared_b)
    ...
    shared_a.value = v1
"""

from collections.abc import Sequence

from ...expr import one_step, snapshot

SPACE = {"one_step": one_step, "snapshot": snapshot}  # the functions of these lines


def taking(keepers: Sequence[str]) -> list[str]:
    """The decorator of a program that changes some of these and reads the others."""
    return [f"@one_step({', '.join(keepers)})"] if keepers else []


def reading(pairs: Sequence[tuple[str, str]], alone: bool) -> list[str]:
    """The lines that read, for names and keepers. A single value is of one moment anyway; so are
    all, where nobody else may change them."""
    if alone or len(pairs) < 2:
        return [f"{name} = {keeper}.value" for name, keeper in pairs]
    names, keepers = zip(*pairs, strict=True)
    return [f"{', '.join(names)} = snapshot({', '.join(keepers)})"]


def writing(rows: Sequence[tuple[str, str, bool]]) -> list[str]:
    """The lines that write, for keepers, results, and whether these surely fit. Where one might
    not, all are checked before any is written."""
    if all(fits for _, _, fits in rows):
        return [f"{keeper}.value = {result}" for keeper, result, _ in rows]
    places = ", ".join(f"{keeper}.value" for keeper, _, _ in rows)
    checked = [r if fits else f"{keeper}.accepted({r})" for keeper, r, fits in rows]
    return [f"{places} = {', '.join(checked)}"]
