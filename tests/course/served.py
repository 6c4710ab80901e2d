"""A process that says what it is. It loads little: tests of starting start many of it."""

import gc
import json
import os
import random
import sys

import numpy as np


def serve():
    """Say what this process is, and wait for the end of its input."""
    drawn = [random.random(), np.random.random()]
    own = [os.getcwd(), os.environ["OF_ITS_OWN"], os.getsid(0) == os.getpid()]
    collector = [gc.isenabled(), gc.get_freeze_count(), *gc.get_threshold()]
    print(json.dumps([os.getpid(), drawn, own, collector]), flush=True)
    sys.stdin.read()
