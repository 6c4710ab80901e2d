"""As whom a process of checks or answers runs, and what it draws: before it works."""

import os
import random
import zlib

import numpy as np

USER = "AUTODIFF_EDU_USER"  # a variable: the name of another user
SEED = "AUTODIFF_EDU_SEED"  # a variable: a number, or nothing


def initialize() -> None:
    """Go on as the user that is asked for, and with draws of its own."""
    become(os.environ.pop(USER, ""))
    seed()


def become(name: str) -> None:
    """Go on as this user, if one is named, who owns the folder: a process of root's may do so."""
    if not name:
        return
    import pwd

    user, folder = pwd.getpwnam(name), os.getcwd()
    os.chown(folder, user.pw_uid, user.pw_gid)
    os.environ["HOME"] = folder
    os.setgroups([])
    os.setgid(user.pw_gid)
    os.setuid(user.pw_uid)


def seed() -> None:
    """Let draws without a seed begin anew: forks would draw the same otherwise. Where
    AUTODIFF_EDU_SEED is set, they begin alike in each process."""
    text = os.environ.get(SEED)
    number = zlib.crc32(text.encode()) if text else None
    random.seed(number)
    np.random.seed(number)
