"""Processes that get a tenth of a processor, as on a machine with many others."""

import signal
from contextlib import contextmanager, suppress
from threading import Event, Thread

import psutil

TURN = 0.02  # seconds in which they run, of ten such


@contextmanager
def held(processes):
    """Stop the processes that a function gives, and let them go for a tenth of the time."""
    done = Event()

    def hold():
        while not done.is_set():
            tell(processes(), signal.SIGSTOP)
            done.wait(9 * TURN)
            tell(processes(), signal.SIGCONT)
            done.wait(TURN)

    thread = Thread(target=hold)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def tell(processes, word):
    for process in processes:
        with suppress(psutil.Error):
            process.send_signal(word)
