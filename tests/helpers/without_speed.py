"""A plugin of pytest: the room `run/fast`, which exists for speed alone, is not there."""

import sys

sys.modules["autodiff_edu.run.fast"] = None  # whoever imports it meets an ImportError
