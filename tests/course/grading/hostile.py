"""Answers that are hostile to the grader and to its machine, and a class with all of them."""

import json
import os

import nbformat

from tests.course.grading.classes import CHILDREN, DOUBLE, RIGHT, THREE, answer
from tests.helpers.depth import some

TELL = "open('{place}/%d.pid' % os.getpid(), 'w').close()\n"  # so that survivors are found
LEAVES = (
    "import os, time\n"
    "if not os.fork():\n"
    "    os.setsid()\n"
    "    if not os.fork():\n"
    f"        os.setsid()\n        {TELL}        time.sleep(3600)\n"
    "    os._exit(0)\n"
    "os.wait()\n"
)
MANY = (
    f"import os, time\nfor _ in range({CHILDREN}):\n    if not os.fork():\n"
    f"        {TELL}        time.sleep(3600)\n"
)
RUNS = (
    "import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', '''import os, time\n"
    f"{TELL}time.sleep(3600)'''], start_new_session=True)\n"
)
INSTALLS = (
    "import subprocess, sys\n"
    "assert subprocess.run([sys.executable, '-m', 'pip', 'list']).returncode, 'pip works here'\n"
)
OF_CHECK = "def double(x):\n    import os\n    os.kill(os.getppid(), 9)\n    return 2 * x"
PARENT = "import os\nos.kill(os.getppid(), 9)\n"


def version_3(text):
    """The same notebook as IPython wrote it in 2014."""
    return nbformat.writes(nbformat.convert(nbformat.reads(text, 4), 3), 3)


# kind: (text, points; None where the answer cannot be graded)
CLASS = {
    "right": (RIGHT, 3),
    "wrong": (answer(double="def double(x):\n    return 3 * x", three=THREE), 1),
    "kills its parent": (answer(double=PARENT + DOUBLE, three=THREE), 1),
    "kills its parent in a check": (answer(double=OF_CHECK, three=THREE), 1),
    "leaves its session twice, and its parent": (answer(double=LEAVES + DOUBLE, three=THREE), 3),
    "leaves its session, and kills its parent": (
        answer(double=LEAVES + "import time\ntime.sleep(0.1)\n" + PARENT, three=THREE), 1),
    "leaves its session, and ends": (
        answer(double=LEAVES + DOUBLE, three=LEAVES + "os._exit(0)"), 2),
    "leaves a program": (answer(double=RUNS + DOUBLE, three=THREE), 3),
    "many children": (answer(double=MANY + DOUBLE, three=THREE), 3),
    "ten gigabytes": (answer(double="big = bytearray(10**10)\n" + DOUBLE, three=THREE), 1),
    "pip": (answer(double="%pip install no-such-package-1\n!touch '{place}/touched'\n" + DOUBLE,
                   three="%%bash\ntouch '{place}/touched'"), 2),
    "conda": (answer(double="%conda install x\nfiles = !ls\n" + INSTALLS + DOUBLE,
                     three=f"get_ipython().system_raw('touch {{place}}/touched')\n{THREE}"), 3),
    "unicode": (answer(double="größe = 'v̄ 🦆 \\ud800'\nprint(größe)\n" + DOUBLE, three=THREE), 3),
    "version 3": (version_3(RIGHT), 3),
    "device": (lambda path: path.symlink_to("/dev/zero"), None),
    "fifo": (os.mkfifo, None),
}  # fmt: skip


def write_class(folder, number, place):
    """That many answers of these kinds. Return the points of each, by name."""
    points, kinds = {}, some(CLASS, 2)
    for k in range(number):
        kind = kinds[k % len(kinds)]
        what, points[f"{k:02} {kind}"] = CLASS[kind]
        path = folder / f"{k:02} {kind}.ipynb"
        if callable(what):
            what(path)
        else:  # no two files are alike
            notebook = json.loads(what.replace("{place}", str(place)))
            path.write_text(json.dumps(notebook | {"metadata": {"title": str(k)}}), "utf-8")
    return points
