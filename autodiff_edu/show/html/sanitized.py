"""HTML in which nothing can run, for nbconvert: pictures stay, a film is a strip of them.

nbconvert's own filter (`HTMLExporter.sanitize_html`) allows neither headings nor paragraphs nor
images, and shows such tags as text. This one takes its place, as `python3 dev.py html` does it:

    jupyter nbconvert --to html --HTMLExporter.sanitize_html=True \\
        --HTMLExporter.filters="clean_html=autodiff_edu.show.html.sanitized.clean_html" NOTEBOOK
"""

import re

TAGS = """
    a abbr acronym b blockquote br caption code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i
    img kbd li ol p pre s section small span strong sub summary sup table tbody td tfoot th thead
    tr u ul
""".split()
ATTRIBUTES = """
    align alt class colspan height href id open rowspan src start style title width
""".split()
PROPERTIES = """
    --tallest align-items background background-color border border-bottom border-collapse
    border-radius box-sizing break-after color display flex flex-wrap font-family font-size
    font-style font-weight gap height line-height margin margin-right max-width min-width overflow
    overflow-x padding print-color-adjust text-align white-space width
""".split()

WITHOUT_TEXT = re.compile(r"<(style|script)\b.*?</\1\s*>", re.DOTALL | re.IGNORECASE)
FETCHES = re.compile(r"url|image|src|\\", re.IGNORECASE)  # words and escapes of a style


def clean_html(html: str | bytes) -> str:
    """HTML without what could run, ask or load anything.

    Parameters
    ----------
    html : str or bytes
        What a cell shows, or a text in Markdown after its conversion.

    Returns
    -------
    str
        The same without other tags than those of texts, tables and images, without stylesheets, and
        with those properties of style alone that place, frame and colour.

    Examples
    --------
    >>> from autodiff_edu.show.html.sanitized import clean_html
    >>> clean_html('<p onclick="alert()">x <b>y</b><script>alert()</script></p>')
    '<p>x <b>y</b></p>'
    """
    from bleach import ALLOWED_PROTOCOLS, clean  # nbconvert has it, not the engine
    from bleach.css_sanitizer import CSSSanitizer

    text = html.decode() if isinstance(html, bytes) else str(html)
    return clean(
        WITHOUT_TEXT.sub("", text),
        tags=TAGS,
        attributes=allowed,
        protocols=[*ALLOWED_PROTOCOLS, "data"],
        strip=True,
        css_sanitizer=CSSSanitizer(allowed_css_properties=PROPERTIES),
    )


def allowed(tag: str, name: str, value: str) -> bool:
    """Whether an attribute stays: data is an image, and a style loads nothing."""
    if name == "style":
        return not FETCHES.search(value)
    if value.strip().lower().startswith("data:"):
        return tag == "img" and name == "src" and value.startswith("data:image/")
    return name in ATTRIBUTES
