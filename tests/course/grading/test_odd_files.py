"""Whatever stands where an answer should be, the class is graded, and that line says what."""

import os
import random
import resource
import socket
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread

import psutil
import pytest
from click.testing import CliRunner

from autodiff_edu.command.app import commands
from autodiff_edu.course.grading.submission import LARGEST, contents, read_submission
from tests.course.grading.classes import RIGHT, instructor

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the kinds of files of Linux")


def fifo(path):
    """A fifo with a right notebook for its reader, who would get full marks, and does not hang."""

    def write():
        with suppress(BrokenPipeError):
            path.write_text(RIGHT, "utf-8")

    os.mkfifo(path)
    Thread(target=write, daemon=True).start()


@pytest.fixture(autouse=True)
def _no_writer_waits(tmp_path):
    yield
    for path in filter(Path.is_fifo, tmp_path.iterdir()):
        os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))


def sock(path):
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))


def linked(make):
    def link(path):
        make(path.with_suffix(".target"))
        path.symlink_to(path.with_suffix(".target"))

    return link


def large(path):
    path.write_text(RIGHT, "utf-8")
    os.truncate(path, LARGEST + 1)


NO_FILE, GONE = "cannot be read: it is no regular file", "cannot be read: No such file or directory"
ODD = {
    "fifo": (fifo, NO_FILE),
    "link to a fifo": (linked(fifo), NO_FILE),
    "socket": (sock, NO_FILE),
    "folder": (Path.mkdir, NO_FILE),
    "link to a folder": (linked(Path.mkdir), NO_FILE),
    "device that is empty": (lambda path: path.symlink_to("/dev/null"), NO_FILE),
    "device without end": (lambda path: path.symlink_to("/dev/zero"), NO_FILE),
    "dangling link": (lambda path: path.symlink_to("gone"), GONE),
    "link to itself": (lambda path: path.symlink_to(path.name), "cannot be read: Too many levels"),
    "nothing": (lambda path: None, GONE),
    "below a file": (lambda path: path.symlink_to(__file__ + "/a"), "cannot be read: Not a"),
    "large": (large, "cannot be read: it has more than 30 MB"),
    "empty": (Path.touch, "the file is no notebook"),
    "a file of the kernel": (lambda path: path.symlink_to("/proc/self/maps"), "is no notebook"),
}


@contextmanager
def little_memory():
    """Within it, who reads without an end gets a MemoryError, and the machine stays alive."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    now = psutil.Process().memory_info().vms
    resource.setrlimit(resource.RLIMIT_AS, (now + 10**9, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


@pytest.mark.each("kind", ODD)
def test_only_a_regular_file_of_some_size_is_read(kind, tmp_path):
    make, words = ODD[kind]
    path = tmp_path / "a.ipynb"
    make(path)
    with little_memory():
        submission = read_submission("a", path)
    assert not submission.cells and words in submission.remarks[0], submission


@pytest.mark.each("seed", range(3))
def test_a_class_with_odd_files_among_it_is_graded(seed, tmp_path, monkeypatch):
    """In a random order, by the words that an instructor types."""
    monkeypatch.chdir(tmp_path)
    draw, files, exercise = random.Random(seed), {}, tmp_path / "exercise.ipynb"
    exercise.write_text(instructor(), "utf-8")
    for kind in draw.sample(sorted(ODD), 6):
        ODD[kind][0](tmp_path / f"{kind}.ipynb")
        files[kind] = f"{kind}: not graded\n    "
    for name in draw.sample(("anna", "ben", "zoë"), 2):
        (tmp_path / f"{name}.ipynb").write_text("{}", "utf-8")
        files[name] = f"{name}: not graded\n    the file is no notebook"
    names = draw.sample(sorted(files), len(files))
    words = ["check", "--exercise", str(exercise), *[f"{tmp_path}/{n}.ipynb" for n in names]]
    with little_memory():
        done = CliRunner().invoke(commands, words)
    assert done.exit_code == 1 and "8 not graded: " in done.stderr, done.output
    at = [done.stdout.index(files[name]) for name in names]
    assert at == sorted(at), done.stdout


def test_a_file_that_grows_while_it_is_read_has_its_bound(tmp_path):
    """Its size is no promise: those of /proc say 0."""
    path = Path("/proc/self/maps")
    assert path.stat().st_size == 0 and len(contents(path, 10**9)) > 100
    with pytest.raises(OSError, match="it has more than 0 MB"):
        contents(path, 100)
