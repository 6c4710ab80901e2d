"""Processes that are forked are as good as new ones, and a server that fails is no failure."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from autodiff_edu.course.grading.run import RUNNER
from autodiff_edu.course.harness import starter, supervisor
from autodiff_edu.course.harness.cpu_time import end
from autodiff_edu.course.harness.identity import USER
from autodiff_edu.course.harness.starter import FORKS, Starter
from autodiff_edu.course.harness.supervisor import SUPERVISOR
from dev import ROOT
from tests.course import served
from tests.helpers.depth import some

needs_forks = pytest.mark.skipif(not FORKS, reason="each process starts anew here")
PATIENCE = 600  # seconds in which a process ends on the busiest machine


def said(starts, folder, word="word", **own):
    """What a process says that is started so, and then ended."""
    process = starts.start(str(folder), OF_ITS_OWN=word, **own)
    try:
        return json.loads(process.stdout.readline())
    finally:
        end(process)
        process.stdin.close()
        process.stdout.close()


@pytest.fixture(scope="module")
def starts():
    with contextlib.closing(Starter(served.__name__)) as made:
        yield made


@pytest.mark.each("forks", some([*[True] * FORKS, False], 2))
def test_each_process_has_a_place_a_session_and_chance_of_its_own(
    forks, starts, tmp_path, monkeypatch
):
    monkeypatch.setattr(starter, "FORKS", forks)
    monkeypatch.setenv("AUTODIFF_EDU_SEED", "")
    first, second = said(starts, tmp_path, "one"), said(starts, ROOT, "two")
    assert first[2] == [str(tmp_path.resolve()), "one", True]
    assert second[2] == [str(ROOT), "two", True]
    numbers = {os.getpid(), first[0], second[0]}
    assert len(numbers) == 3 and not any(map(psutil.pid_exists, numbers - {os.getpid()}))
    assert set(first[1]).isdisjoint(second[1])
    alike = [said(starts, tmp_path, AUTODIFF_EDU_SEED=seed)[1] for seed in "112"]
    assert alike[0] == alike[1] and set(alike[1]).isdisjoint(alike[2])
    fresh = "import gc; print([gc.isenabled(), gc.get_freeze_count(), *gc.get_threshold()])"
    usual = subprocess.run([sys.executable, "-c", fresh], capture_output=True, text=True)
    assert str(first[3]) == str(second[3]) == usual.stdout.strip()


@needs_forks
@pytest.mark.each("module", some([supervisor.MODULE, RUNNER], 2))
def test_a_server_has_one_thread(module):
    """A lock that another thread holds would stay closed in a fork."""
    ours = SUPERVISOR.starter  # which is not closed, since other tests go on with it
    with contextlib.closing(Starter(module)) as starts:
        starts = ours if ours.module == module else starts
        end(starts.start())
        assert psutil.Process(starts.server.process.pid).num_threads() == 1


@needs_forks
def test_the_end_of_a_server_removes_temporary_folders_alone(tmp_path, monkeypatch):
    """A notebook's kernel runs in the folder of the notebook, which is somebody's own."""
    temporary, own = tmp_path / "temporary", tmp_path / "own"
    for folder in (temporary, own, temporary / "work"):
        folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    starts = Starter(served.__name__)
    processes = [starts.start(str(f), OF_ITS_OWN="") for f in (own, temporary / "work")]
    for process in processes:
        process.stdout.readline()
    starts.server.line.close()  # as at the end of the process that started it
    starts.server.process.wait(PATIENCE)
    assert own.is_dir() and not (temporary / "work").exists()
    for process in processes:
        process.stdin.close()
        process.stdout.close()


@needs_forks
def test_a_fork_has_no_files_but_its_own(starts, tmp_path):
    """Else the pipes of others would have no end."""
    processes = [starts.start(OF_ITS_OWN="word") for _ in range(3)]
    for process in processes:
        process.stdout.readline()
        fork = psutil.Process(process.pid)
        assert fork.num_fds() == 3 + len(fork.open_files())  # such as a library's, which has an end
        process.stdin.close()  # so it ends
        assert process.stdout.read() == b""
        process.stdout.close()


@needs_forks
@pytest.mark.each("word", some([signal.SIGKILL, signal.SIGSTOP], 2, turn=1))
def test_a_server_that_does_not_answer_is_replaced(word, starts, tmp_path):
    first = said(starts, tmp_path)
    server = starts.server
    server.line.settimeout(0.2)  # what is started meanwhile is started anew
    os.kill(server.process.pid, word)
    assert said(starts, tmp_path)[2] == first[2] and starts.server is not server
    assert said(starts, tmp_path)[2] == first[2]


@needs_forks
@pytest.mark.skipif(
    getattr(os, "geteuid", os.getpid)() != 0, reason="only root becomes another user"
)
@pytest.mark.each("forks", some([True, False], 2))
def test_a_process_may_go_on_as_another_user(forks, starts, tmp_path, monkeypatch):
    """Who owns the folder, has no rights of root's, and ends with the server."""
    import pwd

    monkeypatch.setattr(starter, "FORKS", forks)
    with pytest.raises((ValueError, OSError)):
        said(starts, tmp_path, **{USER: "no-such-user-1"})
    nobody = pwd.getpwnam("nobody")
    process = starts.start(str(tmp_path), OF_ITS_OWN="", **{USER: "nobody"})
    try:
        assert json.loads(process.stdout.readline())[0] == process.pid
        status = Path(f"/proc/{process.pid}/status").read_text()
        ids = dict(line.split(":\t") for line in status.splitlines() if ":\t" in line)
        assert set(ids["Uid"].split()) == {str(nobody.pw_uid)} and not ids["Groups"].split()
        assert set(ids["Gid"].split()) == {str(nobody.pw_gid)} and not int(ids["CapEff"], 16)
        assert tmp_path.stat().st_uid == nobody.pw_uid
        if forks:
            child = psutil.Process(process.pid)
            starts.server.process.kill()
            assert psutil.wait_procs([child], PATIENCE)[1] == []
    finally:
        end(process)
        end(process)
        process.stdin.close()
        process.stdout.close()


@needs_forks
def test_a_server_ends_with_the_process_that_it_serves():
    """However that one ends."""
    program = (
        "import os, signal\nfrom autodiff_edu.course.harness.supervisor import Starter, MODULE\n"
        "starts = Starter(MODULE)\nprocess = starts.start()\n"
        "print(starts.server.process.pid, process.pid, flush=True)\ninput()\n"
    )
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with starter.python(program, {}, **pipes) as process:
        family = [psutil.Process(int(number)) for number in process.stdout.readline().split()]
        process.kill()
    assert psutil.wait_procs(family, PATIENCE)[1] == []
