"""The book: prose, lectures with the outputs that the tests have just checked, and reference.

Everything is served from the book's own folder: it needs no network, neither to build nor to read.
"""

import gc
import os
import re
import shutil
import sys
from functools import cache
from pathlib import Path
from urllib.parse import quote

from docutils.nodes import Text, bullet_list
from pydata_sphinx_theme.toctree import add_toctree_functions
from sphinx.addnodes import toctree
from sphinx.search.en import SearchEnglish

BOOK = Path(__file__).parent
sys.path.insert(0, str(BOOK))

import api  # noqa: E402 - found through the line above
import catalogue  # noqa: E402
import engine  # noqa: E402
import kit  # noqa: E402
import performance  # noqa: E402

SearchEnglish.stem = cache(SearchEnglish.stem)  # once a word: of all pages it is asked 60,000 times
gc.disable()  # pages live to the end: to look through them takes a sixth of the time, for 0.5 GB

project = html_title = "Autodiff, taken apart"
author = "The autodiff_edu authors"
copyright = author

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.mathjax",
    "sphinx_copybutton",
    "sphinx_design",
]
if not tags.has("brief"):  # noqa: F821 - Sphinx's; `-t brief` leaves out the pages of sources
    extensions.append("sphinx.ext.viewcode")
exclude_patterns = ["_build", "kit/explorer.md", "kit/performance_table.md"]  # parts of pages
html_theme = "sphinx_book_theme"
html_theme_options = {
    "home_page_in_toc": True,
    "navbar_persistent": [],
    "secondary_sidebar_items": {
        "lectures/*": ["page-toc"],
        "reference/*": ["page-toc"],
        "rules/*": ["page-toc"],
        "architecture": ["page-toc"],
    },
    "show_toc_level": 2,
}
html_static_path = ["static", "../autodiff_edu/course/slides/static/mathjax"]  # as slides have it
mathjax_path = "tex-svg-full.js"  # and not what a network has
html_css_files = ["book.css"]
html_js_files = ["book.js"]
html_favicon = "static/favicon.svg"
smartquotes = False  # a quotation mark in a formula is Python's

# ---- online: one setting each, see online.md; a static site needs none of them ----

html_baseurl = os.environ.get("AUTODIFF_EDU_BASE_URL", "")
repository = os.environ.get("AUTODIFF_EDU_REPOSITORY", "")

# ---- lectures: copied, since a link does not survive every checkout; copies keep their times ----

shutil.rmtree(BOOK / "lectures", ignore_errors=True)
(BOOK / "lectures").mkdir()
for lecture in sorted(BOOK.parent.glob("notebooks/*.ipynb")):
    shutil.copy2(lecture, BOOK / "lectures")

# ---- the instructor's pages; `python3 dev.py book -t instructor` has solutions of exercises ----

kit.write_pages(BOOK / "kit", BOOK / "exercises", tags.has("instructor"))  # noqa: F821 - Sphinx's
performance.write_parts(BOOK / "kit")

# ---- the chapter on the engine: its files, with short docstrings ----

engine.write_pages(BOOK / "kit" / "engine")

nb_execution_mode = "off"
myst_enable_extensions = ["amsmath", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

# ---- reference: one page a room, from the package's own list of public names ----

api.write_pages(BOOK / "reference")
catalogue.write_pages(BOOK / "rules")
add_module_names = False
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
default_role = "code"
toc_object_entries_show_parents = "hide"

# Names of other libraries cannot be looked up offline; names of our own must all be found.
nitpicky = True
nitpick_ignore_regex = [("py:(class|data|obj|exc)", r"(?!autodiff_edu\b).*")]


# ---- the list of pages, beside each of them ----

titles = {}
NUMBER = re.compile(r"(?:lectures|exercises)/0?(\d+b?)_")


def note_titles(app, env):
    """Note the table of contents of each page without its sections; a lecture has its number."""
    for name, contents in env.tocs.items():
        titles[name] = contents.deepcopy()
        for item in titles[name]:
            below = list(item.findall(toctree))
            item[1:] = [bullet_list("", *below)] if below else []
        if number := NUMBER.match(name):
            words = next(titles[name].findall(Text))
            words.parent.replace(words, Text(f"{number[1]} {words}"))


def list_titles(app, page, template, context, tree):
    """Let Sphinx copy titles only: else it copies all sections for each page, and drops them."""
    env, of_sections, resolve = app.env, app.env.tocs, context["toctree"]

    def resolve_titles(**words):
        env.tocs = titles
        try:
            return resolve(**words)
        finally:
            env.tocs = of_sections

    context["toctree"] = resolve_titles


sidebars = {}


def early_sidebars(app):
    """Let the theme give its pages their sidebars before it asks for them: they can be shared."""
    for listener in [*app.events.listeners["html-page-context"]]:
        if listener.handler is add_toctree_functions:
            app.disconnect(listener.id)
            app.connect("html-page-context", add_toctree_functions, priority=450)
            app.connect("html-page-context", share_sidebar, priority=460)


def share_sidebar(app, page, template, context, tree):
    """Sources stand in no table of contents: those in folders of one depth have one sidebar."""
    make, depth = context["generate_toctree_html"], page.count("/")

    def shared(**words):
        if (depth, *words.items()) not in sidebars:
            sidebars[depth, *words.items()] = str(make(**words))
        return sidebars[depth, *words.items()]

    if page.startswith("_modules/"):
        context["generate_toctree_html"] = shared


# ---- from a source back to the reference ----

ENTRY = re.compile(r'(href="[^"#]*?([^/"#]+)\.html#)autodiff_edu\.([\w.]+)"')


def mend_entries(app, page, template, context, tree):
    """Let a source lead to the entries of its names. Sphinx takes one package for all of a file."""
    entries = app.env.domaindata["py"]["objects"]

    def mended(link):
        begin, document, name = link.groups()
        full = [e for e in entries if e == f"autodiff_edu.{name}" or e.endswith(f".{name}")]
        own = [e for e in full if entries[e].docname.endswith(document)]
        return f'{begin}{own[0]}"' if own else link[0]

    if page.startswith("_modules/autodiff_edu"):
        context["body"] = ENTRY.sub(mended, context["body"])


# ---- buttons above a page, where the setting says which repository they lead to ----

BINDER = "https://mybinder.org/v2/git/{}/HEAD?urlpath=lab/tree/notebooks/{}.ipynb"


def add_buttons(app, page, template, context, tree):
    """Lead from a page to the repository; and from a lecture to its notebook there, in Binder."""
    folder, _, stem = page.rpartition("/")
    places = [("Repository", "fas fa-code-branch", repository)]
    if folder == "lectures":  # this folder is a copy, which no repository has
        address = BINDER.format(quote(repository, safe=""), stem)
        places.insert(0, ("Run this lecture in Binder", "fas fa-rocket", address))
    context["header_buttons"] += [
        {"type": "link", "text": "", "tooltip": words, "icon": icon, "url": address}
        for words, icon, address in places
    ]


def setup(app):
    """Teach autodoc the house's docstrings, and where public names have their entries."""
    app.connect("autodoc-process-docstring", api.as_rst)
    app.connect("missing-reference", api.find_public)
    app.connect("env-updated", note_titles)
    app.connect("html-page-context", list_titles, priority=400)  # before the theme asks
    app.connect("builder-inited", early_sidebars)
    app.connect("html-page-context", mend_entries)
    if repository:
        app.connect("html-page-context", add_buttons, priority=502)  # after those of the theme
