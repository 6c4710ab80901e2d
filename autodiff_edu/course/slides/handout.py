"""A handout: a lecture to follow with a pen, its outputs cleared."""

import json


def handout(text: str) -> str:
    """The text of a notebook without outputs; what was folded stays folded.

    Parameters
    ----------
    text : str
        The notebook, as its file says it.

    Returns
    -------
    str
        The same notebook, in which nothing has been run.
    """
    notebook = json.loads(text)
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell.update(outputs=[], execution_count=None)
    return json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
