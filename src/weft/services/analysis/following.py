"""What follows: relations that others imply, each with its chain and the relation that would record it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.model import Finding, Proposal, Status
from weft.reason.arguing import Web
from weft.reason.entail import implied
from weft.services.analysis.scene import listed, steps_of
from weft.vocabulary import UNRELATED

if TYPE_CHECKING:
    from weft.reason.entail import Implied
    from weft.services.analysis.scene import Scene

__all__ = ["following"]

HOPS_MAX: Final = 6


def following(scene: Scene) -> list[Finding]:
    """Return what follows for the subject's nodes; with another topic, only what joins the two."""
    stale = {key for key, node in scene.ground.nodes.items() if node.status is Status.SUPERSEDED}
    rows = {row.id: row for rows in scene.ground.web.leaving.values() for row in rows}
    standing = [row for row in rows.values() if not {row.source, row.target} & stale]
    found = implied(Web.of(standing, scene.ground.web.vocabulary), scene.centres, scene.others, hops_max=HOPS_MAX)
    return [_told(scene, each) for each in found]


def _told(scene: Scene, each: Implied) -> Finding:
    named = scene.ground.named
    inner = list(dict.fromkeys(end for row in each.steps for end in (row.source, row.target)))
    over = [node for node in inner if node not in (each.source, each.target)]
    way = f"{len(each.steps)} relations over {listed([named(node) for node in over])}"
    ground = _ground(each, scene.ground.web)
    said = f"{named(each.source)} {each.type} {named(each.target)}: it follows from {way}. {ground}"
    likeness = scene.likeness.of(each.source, each.target)
    unlike = f" Their wording does not show it: similarity {likeness:.2f}." if likeness < UNRELATED else ""
    return Finding(
        kind="implied_conflict" if each.type in ("refutes", "contradicts") else "implied",
        places=scene.places(
            ((each.source, "start"), *((node, "between") for node in over), (each.target, "end")),
        ),
        steps=steps_of(each.steps),
        why=said + unlike,
        strength=round(each.confidence, 4),
        proposal=Proposal(
            source=each.source,
            target=each.target,
            type=each.type,
            reasoning=f"Follows from {way}.",
        ),
    )


def _ground(each: Implied, web: Web) -> str:
    if any(web.sign(row) < 0 for row in each.steps):
        rule = (
            "What implies one side of a contradiction cannot hold together with what implies the other."
            if each.strict
            else "What speaks for one side of a conflict speaks against the other."
        )
    elif each.strict:
        rule = f"«{each.type}» is transitive: what holds for each step holds for the whole."
    else:
        rule = "Each step speaks for the next; such a chain is weaker than its weakest step."
    return f"{rule} The confidences multiply to {each.confidence:.2f}."
