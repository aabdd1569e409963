"""What two topics share: nodes that both lead to; of one topic, the nodes that most hangs on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.model import Finding, Proposal
from weft.reason.entail import implied
from weft.reason.meeting import busiest, meetings, reached
from weft.services.analysis.scene import apart, listed, steps_of

if TYPE_CHECKING:
    from weft.reason.meeting import Meeting
    from weft.services.analysis.scene import Scene

__all__ = ["sharing"]

HOPS_MAX: Final = 3
DEGREE_MIN: Final = 2  # nodes that have to hang on a hub of one topic
_RESTING: Final = {
    1: " It rests on both: the two lines meet in it.",
    -1: " Both rest on it: the two lines come from it.",
    0: "",
}


def sharing(scene: Scene) -> list[Finding]:
    """Return the hubs that both topics reach, the nearest to both first; of one topic, its most related nodes."""
    if not scene.other:
        around = [node for node, _ in _nearby(scene)]
        return [_hub(scene, node, degree) for node, degree in busiest(scene.ground.web, around, degree_min=DEGREE_MIN)]
    mine, yours = apart(scene.subject, scene.other)
    web = scene.ground.web
    found = meetings(web, reached(web, mine, hops_max=HOPS_MAX), reached(web, yours, hops_max=HOPS_MAX))
    return [_meeting(scene, each) for each in found]


def _nearby(scene: Scene) -> list[tuple[str, int]]:
    """Return the subject's nodes and those one relation away."""
    return [(node, len(way)) for node, (_, way) in reached(scene.ground.web, scene.centres, hops_max=1).items()]


def _meeting(scene: Scene, each: Meeting) -> Finding:
    named = scene.ground.named
    a, b = each.ends
    sides = [
        f"{named(end)} reaches it over {len(way)} relation{'s' if len(way) > 1 else ''}"
        if way
        else f"{named(end)} is one of the topic's own"
        for end, way in zip(each.ends, each.ways, strict=True)
    ]
    return Finding(
        kind="hub",
        places=scene.places(
            (
                (each.node, "hub"),
                (a, "subject"),
                (b, "other"),
                *((end, "between") for way in each.ways for row in way for end in (row.source, row.target)),
            )
        ),
        steps=steps_of((*each.ways[0], *reversed(each.ways[1]))),
        why=(
            f"Both topics share {named(each.node)}: {'; '.join(sides)}. {each.degree} nodes are related to it."
            f"{_RESTING[each.resting]}"
        ),
        strength=round(1 / (1 + each.length), 4),
        proposal=_proposal(scene, each),
    )


def _proposal(scene: Scene, each: Meeting) -> Proposal | None:
    """Return what the way from the one topic over the hub to the other implies, if it implies anything."""
    a, b = each.ends
    found = implied(scene.ground.web, (a,), (b,), hops_max=each.length) if a != b and each.length > 1 else ()
    if not found:
        return None
    first = found[0]
    reasoning = f"Follows over {scene.ground.named(each.node)}, which both topics share."
    return Proposal(source=first.source, target=first.target, type=first.type, reasoning=reasoning)


def _hub(scene: Scene, node: str, degree: int) -> Finding:
    rows = scene.ground.web.touching(node)
    ends = list(dict.fromkeys(row.other_end(node) for row in rows))
    types: dict[str, int] = {}
    for row in rows:
        types[row.type] = types.get(row.type, 0) + 1
    counted = [f"{count} {name}" for name, count in sorted(types.items(), key=lambda pair: (-pair[1], pair[0]))]
    against = sum(scene.ground.web.sign(row) < 0 for row in rows)
    return Finding(
        kind="hub",
        places=scene.places(((node, "hub"), *((end, "related") for end in ends))),
        steps=steps_of(rows),
        why=(
            f"{degree} nodes are related to {scene.ground.named(node)}: {listed(counted)}."
            f"{f' {against} of these relations speak against it or what it says.' if against else ''}"
        ),
        strength=round(degree / max(1, len(scene.ground.nodes)), 4),
    )
