"""From graphs to programs: the plan, the source, the function, and the pipeline of all stages."""

from .cost import Cost, cost
from .function import function
from .pipeline import pipeline
from .plan import Plan, plan
from .program import Program, generate

__all__ = ["Cost", "cost", "Plan", "Program", "function", "generate", "pipeline", "plan"]
