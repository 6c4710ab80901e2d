"""Horner's rule by the name that its module had: rules that were stored before look for it."""

from .sum import Horner as Horner
from .sum import example as example
