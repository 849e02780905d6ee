"""Counts of the readings of a store that may be read from several servers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

PRIMARY = "primary"
REASONS = BEHIND, FAILED, BROKEN = "behind", "failed", "broken"
"""Why the primary is read: no standby had replayed enough, none let the reading in, or one failed during it.
While one is left alone, it is for the reason of before."""


@dataclass(slots=True)
class ReadCounts:
    """Readings since the store was opened. `served` counts them by server, `primary` or the address of a
    standby without credentials, and by the reason why no standby served them, empty where one did. `lag` is
    for each standby the seconds by which it was behind when it was last asked: 0 if it had all that was
    wanted.
    """

    served: Counter[tuple[str, str]] = field(default_factory=Counter)
    lag: dict[str, float] = field(default_factory=dict)

    @property
    def by_standbys(self) -> int:
        """Returns how many readings standbys served."""
        return sum(count for (server, _), count in self.served.items() if server != PRIMARY)

    @property
    def by_primary(self) -> int:
        """Returns how many readings the primary served."""
        return sum(count for (server, _), count in self.served.items() if server == PRIMARY)
