"""Where a conflict starts: from conflicting claims back to the earliest premises that clash."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, islice, product
from typing import TYPE_CHECKING, Final

from weft.model import Finding
from weft.reason.arguing import foundations
from weft.reason.roots import roots
from weft.services.analysis.scene import clash_step, clashes, listed, proposed_clash, steps_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from weft.model import Proposal
    from weft.reason.arguing import Clash
    from weft.reason.roots import Root
    from weft.services.analysis.scene import Scene

__all__ = ["origins"]

DEPTH_MAX: Final = 6
PAIRS_MAX: Final = 100  # pairs of claims that are walked back from
BENEATH_MAX: Final = 25  # nodes beneath one claim whose wording is compared, the nearest
COMPARED_MAX: Final = 5_000  # pairs of such nodes


def origins(scene: Scene) -> list[Finding]:
    """Return the roots of the conflicts among the subject's claims; with another, between the two.

    A claim is also held against itself: its own premises may clash.
    """
    pairs = list(dict.fromkeys(_pairs(scene)))[:PAIRS_MAX]
    found = clashes(scene, _beneath(scene, pairs))
    return [_told(scene, each, found) for each in roots(scene.ground.web, pairs, found, depth_max=DEPTH_MAX)]


def _beneath(scene: Scene, pairs: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield the pairs of nodes beneath two claims, those nearest to their claims first, within bounds."""
    web = scene.ground.web
    nodes = dict.fromkeys(node for pair in pairs for node in pair)
    beneath = {node: list(foundations(web, node, depth_max=DEPTH_MAX))[:BENEATH_MAX] for node in nodes}
    return islice((pair for p, q in pairs for pair in product(beneath[p], beneath[q])), COMPARED_MAX)


def _pairs(scene: Scene) -> Iterator[tuple[str, str]]:
    """Yield the pairs of claims to walk back from: recorded conflicts of the subject first, then pairs about it."""
    if scene.other:
        yield from (pair for pair in product(scene.centres, scene.others) if pair[0] != pair[1])
        return
    for node in scene.centres:
        for row in scene.ground.web.touching(node):
            if scene.ground.web.sign(row) < 0:
                yield (row.source, row.target)
    yield from combinations(scene.centres, 2)
    yield from ((node, node) for node in scene.centres)


def _told(scene: Scene, root: Root, found: Sequence[Clash]) -> Finding:
    one, other = root.premises
    p, q = root.claims
    return Finding(
        kind="root_conflict",
        places=scene.places(
            (
                (one, "premise"),
                (other, "premise"),
                *(
                    (end, "between")
                    for way in root.ways
                    for row in way
                    for end in (row.source, row.target)
                    if end not in (p, q)
                ),
                (p, "claim"),
                (q, "claim"),
            )
        ),
        steps=(*reversed(steps_of(root.ways[0])), clash_step(root.clash), *steps_of(root.ways[1])),
        why=_why(scene, root),
        strength=round(root.clash.confidence, 4),
        proposal=proposed_clash(root.clash) or _surface(scene, root, found),
    )


def _why(scene: Scene, root: Root) -> str:
    named = scene.ground.named
    one, other = root.premises
    p, q = root.claims
    how = "a recorded relation" if root.clash.recorded else "their wording"
    said = f" ({root.clash.reasoning})" if root.clash.reasoning else ""
    clash = f"{named(one)} and {named(other)} clash by {how}, {root.clash.type}{said}."
    if not root.depth:
        return f"{clash} Nothing beneath either of them clashes: the conflict starts here."
    claims = f"{named(p)} rests on both" if p == q else f"{named(p)} rests on the one and {named(q)} on the other"
    steps = f"{len(root.ways[0])} and {len(root.ways[1])} relations back"
    shared = f" Both rest on {listed([named(node) for node in root.shared])} too." if root.shared else ""
    return f"{clash} {claims}, {steps}; nothing beneath these premises clashes, so the conflict starts here.{shared}"


def _surface(scene: Scene, root: Root, found: Sequence[Clash]) -> Proposal | None:
    """Return the conflict of the claims themselves, where it is read in their wording and not recorded yet."""
    own = next((each for each in found if {each.one, each.other} == set(root.claims)), None)
    proposal = proposed_clash(own) if own and root.depth else None
    if proposal is None:
        return None
    below = listed([scene.ground.named(each) for each in root.premises])
    return replace(proposal, reasoning=f"{proposal.reasoning}; they rest on premises that clash: {below}.")
