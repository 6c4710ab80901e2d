"""The function of a program carries its text, the stages that led to it, copies and a profile."""

import copy
import functools
from typing import TYPE_CHECKING, Any

from ..expr import HOOKS, Graph, Pipeline, Shared, Stage, cached_property
from .pipeline import Generated
from .program import Program

if TYPE_CHECKING:
    from .fast.specialised import Specialised
    from .profile import Profile

HIDDEN = "args first func general keywords portrait specialisations stated".split()


class Compiled(functools.partial):
    """The function of a program, as quick as that.

    It carries `program`, its text; `source`, the same and what it calls; `graph`, what it
    computes; and `stages`, the passes that led to it. It is not pickled: that is what `portable`
    is for.

    Examples
    --------
    >>> x = ad.scalar("x")
    >>> f = ad.function(x, x * x)
    >>> f(3.0), f.stages
    (9.0, Pipeline(simplify → generate))
    """

    graph: Graph
    program: Program  # which prints as its text alone
    first: list[Stage]  # the passes before it was written
    general: Any  # the function for any lengths
    stated: tuple[Graph, tuple, tuple]  # as it was before simplification; what it changes; how

    @cached_property
    def stages(self) -> Pipeline:
        """The passes that led to the program."""
        return Pipeline([*self.first, Generated("generate", self.graph, self.program)])

    def __state__(self) -> list[Any]:
        """The arrays on which results depend beside the arguments: those of shared values. So one
        who calls it knows whether it will answer as before."""
        return [n.held for n in self.stated[0].leaves if isinstance(n, Shared)]

    @property
    def specialised(self) -> "tuple[Specialised, ...]":
        """The programs for lengths that came again, where those of inputs were not known."""
        programs = getattr(self, "specialisations", None)  # which the function carries
        return programs.listed() if programs else ()

    @cached_property
    def source(self) -> str:
        """The text of the program and of what it calls: a file that runs with NumPy and SciPy."""
        return self._completed[0]

    @property
    def parameters(self) -> dict[str, Any]:
        """What such a file is to be given: large constants, own operations, shared values."""
        return self._completed[1]

    @property
    def _completed(self) -> tuple[str, dict[str, Any]]:
        """Both of them."""
        from .standalone import completed  # loaded when it is first needed

        return completed(self.program)

    @property
    def lowered(self) -> str:
        """What the compiler is given: StableHLO, in a program for JAX."""
        if not hasattr(self.func, "lowered"):
            raise AttributeError('only target="jax" has a compiler: this program is `source`')
        return self.func.lowered()

    def __dir__(self) -> list[str]:
        """What it carries, and not how it is made."""
        compiled = () if hasattr(self.func, "lowered") else ("lowered",)
        return sorted({*super().__dir__()} - {*HIDDEN, *compiled})

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError(
            f"the function {self.func.__name__} is code, which pickle does not store: store "
            f"ad.portable({self.func.__name__}), which is called like it"
        )

    def portrait(self) -> tuple:
        """What it is made of anew: the arguments of `restored`.

        Returns
        -------
        tuple
            The graph, the names of the outputs, how many there are, and the options.

        Examples
        --------
        >>> x = ad.scalar("x")
        >>> ad.function(x, x * x).portrait()[2]
        1
        """
        declared, changes, options = self.stated
        whole = Graph([*declared.outputs, *changes], declared.inputs)  # what is shared stays so
        return whole, declared.names, len(declared.outputs), options

    def __copy__(self) -> "Compiled":
        return HOOKS["compiled_again"](*self.portrait())

    def __deepcopy__(self, memo: dict) -> "Compiled":
        return HOOKS["compiled_again"](*copy.deepcopy(self.portrait(), memo))

    def profile(self, /, *values: Any, **named: Any) -> "Profile":
        """Call it, and tell what each line did: how often it ran, its time, bytes and flops.

        Parameters
        ----------
        *values : array_like
            The values of the inputs.
        **named : array_like
            The same by name.

        Returns
        -------
        Profile
            It is shown as a table; `draw()` gives the graph, coloured by time.

        Examples
        --------
        >>> x = ad.vector("x", shape=1000)
        >>> f = ad.function(x, ad.exp(x))
        >>> [line.text for line in f.profile(np.zeros(1000)).lines]
        ['x, = accept(x)', 'v1 = np.exp(x)', 'return v1']
        """
        from .profile import profiled  # loaded when it is first needed

        return profiled(self.general, self.program, values, named)

    def __repr__(self) -> str:
        return repr(self.func)
