"""A study for the journeys of the research toolset: claims by short names, asked through the gate."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from doors import door

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from doors import Door

__all__ = ["Study", "study"]

Body = dict[str, Any]


@dataclass
class Study:
    """An open graph and its claims: ``units`` runs from a short name to an id."""

    door: Door
    units: dict[str, str] = field(default_factory=dict)

    def call(self, tool: str, **arguments: object) -> Body:
        """Return the tool's answer; errors are raised, and every success says so."""
        answer = self.door.call(tool, **arguments)
        assert answer["status"] == "success"
        return answer

    def claim(self, name: str, text: str, source: str = "", **more: object) -> Body:
        """Ingest a claim and remember it as ``name``."""
        answer = self.call("ingest_hypothesis", hypothesis=text, source=source, **more)
        self.units[name] = answer["unit_id"]
        return answer

    def argue(self, source: str, relation: str, target: str, reasoning: str) -> Body:
        """Connect two claims by their short names."""
        return self.call(
            "connect_propositions",
            id_a=self.units[source],
            id_b=self.units[target],
            relation=relation,
            reasoning=reasoning,
        )

    def name(self, unit: str) -> str:
        """Return the short name of a unit."""
        return next(name for name, known in self.units.items() if known == unit)

    def names(self, rows: Iterable[Body]) -> list[str]:
        """Return the short names of the units in ``rows``."""
        return [self.name(row["unit_id"]) for row in rows]

    def lineage(self, start: str, end: str) -> Body:
        """Ask for a lineage."""
        return self.call("find_scientific_lineage", start_concept=start, end_concept=end)

    def against(self, claim: str) -> Body:
        """Ask what speaks against ``claim``."""
        return self.call("find_contradictions", claim=claim)

    def analyze(self, kind: str, subject: str, other: str = "", **more: object) -> list[Body]:
        """Return the findings of an analysis."""
        findings: list[Body] = self.call("analyze_propositions", kind=kind, subject=subject, other=other, **more)[
            "findings"
        ]
        return findings

    def steps(self, finding: Body) -> list[tuple[str, str, str]]:
        """Return the steps of a finding as (source, type, target) by short names."""
        return [(self.name(step["source_id"]), step["type"], self.name(step["target_id"])) for step in finding["steps"]]

    def way(self, path: list[Body]) -> list[str]:
        """Return a path as short names and, between them, what joins them: the type, with an arrow as it points."""
        said: list[str] = []
        for stop in path:
            said.append(self.name(stop["unit_id"]))
            onward = stop.get("relation_to_next")
            if onward:
                arrow = {"forward": "{}>", "backward": "<{}", "both": "<{}>"}[onward["direction"]]
                said.append(arrow.format(onward["type"]))
        return said


@contextmanager
def study(folder: Path, **changes: str) -> Iterator[Study]:
    """Open an empty study in ``folder``."""
    with door(folder, **changes) as opened:
        yield Study(door=opened)
