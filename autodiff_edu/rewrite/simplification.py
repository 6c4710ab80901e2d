"""The former place of what `simplify` leaves behind: pickles and old imports find it."""

from .simplify import About, Assumption, Simplification

__all__ = ["About", "Assumption", "Simplification"]
