"""From graphs to programs: the plan, the source, the function, and the pipeline of all stages."""

from .function import function
from .pipeline import pipeline
from .plan import Plan, plan
from .program import Program, generate

__all__ = ["Plan", "Program", "function", "generate", "pipeline", "plan"]
