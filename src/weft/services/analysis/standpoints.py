"""How sides stand on a question: each position with what speaks for it, the clashes between them, common ground."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final

from weft.model import Finding
from weft.reason.positions import positions
from weft.services.analysis.scene import clash_step, clashes, listed, proposed_clash, steps_of

if TYPE_CHECKING:
    from weft.reason.arguing import Clash
    from weft.reason.positions import Common, Positions, Side
    from weft.services.analysis.scene import Scene

__all__ = ["standpoints"]

HOPS_MAX: Final = 3


def standpoints(scene: Scene) -> list[Finding]:
    """Return the sides, the disagreements between them and their common ground, nearest to the question first."""
    judged = list(combinations(dict.fromkeys((*scene.centres, *scene.others)), 2))
    found = positions(scene.ground.web, clashes(scene, judged), hops_max=HOPS_MAX)
    sides = sorted(found.sides, key=lambda side: (-_nearness(scene, side), -len(side.members), side.poles))
    return [
        *(_side(scene, side, found) for side in sides),
        *(_disagreement(scene, clash) for clash in _by_nearness(scene, found)),
        *(_common(scene, each) for each in found.common),
    ]


def _nearness(scene: Scene, side: Side) -> float:
    return max(map(scene.nearness, side.members))


def _by_nearness(scene: Scene, found: Positions) -> list[Clash]:
    return sorted(
        found.clashes,
        key=lambda each: (-max(scene.nearness(each.one), scene.nearness(each.other)), each.one, each.other),
    )


def _side(scene: Scene, side: Side, found: Positions) -> Finding:
    named = scene.ground.named
    inside = set(side.members)
    quarrels = [each for each in found.clashes if inside & {each.one, each.other}]
    opposed = [each.other if each.one in inside else each.one for each in quarrels]
    backing = [node for node in side.members if node not in side.poles]
    verb = "nodes speak for it or follow" if len(backing) > 1 else "node speaks for it or follows"
    said = f"{len(backing)} {verb} from it: {listed([named(node) for node in backing])}"
    why = (
        f"The position of {listed([named(node) for node in side.poles])}. "
        f"{said if backing else 'Nothing else is recorded that speaks for it'}. "
        f"It clashes with {listed([named(node) for node in dict.fromkeys(opposed)])}."
    )
    return Finding(
        kind="side",
        places=scene.places(
            (*((node, "position") for node in side.poles), *((node, "with it") for node in backing)),
        ),
        steps=steps_of(side.relations),
        why=why,
        strength=round(_nearness(scene, side), 4),
    )


def _disagreement(scene: Scene, clash: Clash) -> Finding:
    named = scene.ground.named
    how = "recorded" if clash.recorded else "read in their wording"
    said = f": {clash.reasoning}" if clash.reasoning else ""
    return Finding(
        kind="disagreement",
        places=scene.places(((clash.one, "position"), (clash.other, "position"))),
        steps=(clash_step(clash),),
        why=f"{named(clash.one)} {clash.type} {named(clash.other)} ({how}){said}",
        strength=round(clash.confidence, 4),
        proposal=proposed_clash(clash),
    )


def _common(scene: Scene, each: Common) -> Finding:
    named = scene.ground.named
    return Finding(
        kind="common_ground",
        places=scene.places(((each.node, "common ground"), *((pole, "position") for pole in each.poles))),
        steps=steps_of(each.relations),
        why=(
            f"{named(each.node)} speaks for, or follows from, positions that clash: "
            f"{listed([named(pole) for pole in each.poles])}."
        ),
        strength=round(1 / (1 + len(each.relations)), 4),
    )
