"""A plugin of pytest: the room `rewrite/rules/rare`, which no lecture needs, is not there."""

import sys

sys.modules["autodiff_edu.rewrite.rules.rare"] = None  # whoever imports it meets an ImportError
