"""What stages need beside files, tried before the hours of work that may come first."""

from collections.abc import Iterable

from ...errors import BiochunkError
from ..peers import PEERS
from .config import Plan


def check_ready(plan: Plan, stages: Iterable[str]) -> None:
    """Make the reader and the peers once, where a stage will.

    RAISES (BiochunkError): When one cannot be made, as for a package that is not installed.
    """
    if "readers" in stages:
        try:
            plan.make_reader(plan.experiment.seeds[0])
        except BiochunkError:
            raise
        except (TypeError, ValueError) as error:
            said = " ".join(str(error).split())
            raise BiochunkError(
                f"{plan.name}: found a reader that cannot be made ({said}), expected one that takes a seed and the "
                "options of [reader]"
            ) from None
    if "answers" in stages and plan.experiment.answers:
        for peer in plan.experiment.peers:
            PEERS[peer](8)
