"""What is missing: relations nobody recorded, premises that nothing holds up, open loops, amounts without a figure."""

from __future__ import annotations

from itertools import product, zip_longest
from typing import TYPE_CHECKING, Final

from weft.model import Finding, Proposal
from weft.reason.judge import strays
from weft.reason.lacking import islands, open_loops, speaks_of_amounts, states_a_figure, unsupported
from weft.reason.meeting import reached
from weft.services.analysis.scene import apart, listed, steps_of
from weft.text import empty_words, terms
from weft.vocabulary import REASONABLE, UNRELATED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from weft.reason.lacking import Bare, Loop
    from weft.services.analysis.scene import Scene

__all__ = ["missing"]

LOOP_HOPS_MAX: Final = 6
NEAR_MAX: Final = 60  # nodes of the subject that are looked into, the nearest
TERRITORY_MAX: Final = 40  # nodes of one of two topics, the nearest
TERRITORY_HOPS_MAX: Final = 2
PAIRS_MAX: Final = 50  # pairs of two topics that are told, the best
WORD_WEIGHT: Final = 0.1
"""What a shared word adds to the similarity of a pair of two topics: unlike topics are alike in what they say."""

_AGAINST: Final = ("conflicts", "unsure")  # verdicts whose grounds are a clash
_CHOICES: Final = ("supports", "extends", "implies", "refutes", "contradicts")


def missing(scene: Scene) -> list[Finding]:
    """Return what is missing around the subject, one of each sort in turn; with another topic, what would join them."""
    if scene.other:
        return list(_across(scene))
    sorts = (list(_bare(scene)), list(_apart(scene)), list(_loops(scene)), list(_unmeasured(scene)))
    return [each for row in zip_longest(*sorts) for each in row if each is not None]


def _near(scene: Scene) -> list[str]:
    """Return the subject's nodes and those two relations away."""
    return list(reached(scene.ground.web, scene.centres, hops_max=2))[:NEAR_MAX]


def _bare(scene: Scene) -> Iterator[Finding]:
    for each in unsupported(scene.ground.web, _near(scene), scene.grounded):
        yield _premise(scene, each)


def _premise(scene: Scene, each: Bare) -> Finding:
    named = scene.ground.named
    resting = [row.other_end(each.node) for row in each.resting]
    against = (
        f" {listed([named(row.other_end(each.node)) for row in each.attacks])} speaks against it."
        if each.attacks
        else ""
    )
    return Finding(
        kind="unsupported_premise",
        places=scene.places(((each.node, "premise"), *((node, "rests on it") for node in resting))),
        steps=steps_of((*each.resting, *each.attacks)),
        why=(
            f"{listed([named(node) for node in resting])} rests on {named(each.node)}, which has no support, no "
            f"citation and no quote.{against}"
        ),
        strength=round(scene.ground.nodes[each.node].confidence, 4),
        proposal=_support(scene, each),
    )


def _support(scene: Scene, each: Bare) -> Proposal | None:
    """Return the likest node that no relation joins to the premise yet and that may speak for it, if one is alike."""
    web = scene.ground.web
    free = [node for node in scene.ground.nodes if node != each.node and not web.between(node, each.node)]
    best = max(free, key=lambda node: (scene.likeness.of(node, each.node), node), default="")
    similarity = scene.likeness.of(best, each.node) if best else 0.0
    return _joining(scene, best, each.node, similarity) if similarity >= REASONABLE else None


def _apart(scene: Scene) -> Iterator[Finding]:
    """Yield, for each group of the subject's nodes, the likest pair that would join it to the largest group."""
    groups = islands(scene.ground.web, scene.centres)
    for group in groups[1:]:
        one, other = max(
            product(groups[0], group), key=lambda pair: (scene.likeness.of(*pair), scene.nearness(pair[1]), pair)
        )
        alone = "is related to nothing" if not scene.ground.web.touching(other) else "stands apart from the rest"
        yield _missing(
            scene,
            one,
            other,
            f"{scene.ground.named(other)} is about the subject and {alone}: no relation leads to "
            f"{scene.ground.named(one)}, which is nearest to it",
        )


def _across(scene: Scene) -> Iterator[Finding]:
    """Yield pairs of the two topics that no relation joins: alike, or best matches of each other that share words."""
    mine, yours = _territories(scene)
    words = {key: _words(scene.ground.nodes[key].content) for key in (*mine, *yours)}
    pairs = [pair for pair in product(mine, yours) if not scene.ground.web.between(*pair)]
    score = {(a, b): scene.likeness.of(a, b) + WORD_WEIGHT * len(words[a] & words[b]) for a, b in pairs}
    ranked = sorted(pairs, key=lambda pair: (-score[pair], pair))
    best = {key: next((pair for pair in ranked if key in pair), None) for key in (*mine, *yours)}
    told = [
        (a, b)
        for a, b in ranked
        if scene.likeness.of(a, b) >= UNRELATED or (words[a] & words[b] and best[a] == best[b] == (a, b))
    ]
    for one, other in told[:PAIRS_MAX]:
        grounds = [
            *(f"both are related to {each}" for each in _shared(scene, one, other)),
            *([f"both say {listed(sorted(words[one] & words[other]))}"] if words[one] & words[other] else []),
        ]
        names = f"{scene.ground.named(one)} and {scene.ground.named(other)}"
        yield _missing(scene, one, other, f"No relation joins {names}: {'; '.join(grounds) or 'they are alike'}")


def _territories(scene: Scene) -> tuple[list[str], list[str]]:
    """Return the nodes of both topics and around them; a node belongs to the one that it is nearer to, or to none."""
    mine, yours = apart(scene.subject, scene.other)
    web = scene.ground.web
    ways = [reached(web, centres, hops_max=TERRITORY_HOPS_MAX) for centres in (mine, yours)]
    far = TERRITORY_HOPS_MAX + 1
    steps = [{node: len(way) for node, (_, way) in found.items()} for found in ways]
    return (
        [node for node, length in steps[0].items() if length < steps[1].get(node, far)][:TERRITORY_MAX],
        [node for node, length in steps[1].items() if length < steps[0].get(node, far)][:TERRITORY_MAX],
    )


def _words(content: str) -> frozenset[str]:
    return frozenset(terms(content)) - empty_words(content)


def _shared(scene: Scene, one: str, other: str) -> list[str]:
    web = scene.ground.web
    both = {row.other_end(one) for row in web.touching(one)} & {row.other_end(other) for row in web.touching(other)}
    return [scene.ground.named(node) for node in sorted(both)]


def _missing(scene: Scene, one: str, other: str, said: str) -> Finding:
    similarity = scene.likeness.of(one, other)
    return Finding(
        kind="missing_relation",
        places=scene.places(((other, "end"), (one, "end"))),
        steps=(),
        why=f"{said} (similarity {similarity:.2f}).",
        strength=similarity,
        proposal=_joining(scene, other, one, similarity),
    )


def _joining(scene: Scene, source: str, target: str, similarity: float) -> Proposal:
    """Return the relation that the caller may record: contradicts where the wording clashes, else to be judged.

    A clash that leaves the judge unsure is no ground for support; one of other matters is no ground for anything.
    """
    verdict = scene.verdict(source, target)
    texts = (scene.ground.nodes[node].content for node in (source, target))
    grounds = () if verdict.verdict == "unsure" and strays(*texts) else verdict.grounds
    kind = "contradicts" if grounds and verdict.verdict in _AGAINST else "supports"
    reasoning = "; ".join(grounds) or f"Judged by reading both texts; their similarity is {similarity:.2f}."
    return Proposal(source=source, target=target, type=kind, reasoning=reasoning, choices=_CHOICES)


def _loops(scene: Scene) -> Iterator[Finding]:
    found = open_loops(
        scene.ground.web, _near(scene), scene.likeness.of, similarity_min=REASONABLE, hops_max=LOOP_HOPS_MAX
    )
    for each in found:
        yield _loop(scene, each)


def _loop(scene: Scene, each: Loop) -> Finding:
    named = scene.ground.named
    inner = [end for row in each.chain.steps for end in (row.source, row.target)]
    return Finding(
        kind="open_loop",
        places=scene.places(
            ((each.start, "start"), *((node, "between") for node in inner if node != each.end), (each.end, "end"))
        ),
        steps=steps_of(each.chain.steps),
        why=(
            f"{named(each.start)} leads over {len(each.chain.steps)} relations to {named(each.end)}, which is like it "
            f"(similarity {each.similarity:.2f}); no relation leads back, so the loop is open."
        ),
        strength=each.similarity,
        proposal=Proposal(
            source=each.end,
            target=each.start,
            type="implies",
            reasoning="It would close the loop.",
            choices=("implies", "supports", "extends"),
        ),
    )


def _unmeasured(scene: Scene) -> Iterator[Finding]:
    """Yield claims that speak of an amount, where neither they nor what is related to them gives a figure."""
    web = scene.ground.web
    for key in _near(scene):
        related = list(dict.fromkeys(row.other_end(key) for row in web.touching(key)))
        node = scene.ground.nodes[key]
        texts = [scene.ground.nodes[each].content for each in (key, *related)]
        if related and speaks_of_amounts(node.content) and not any(map(states_a_figure, texts)):
            yield Finding(
                kind="missing_figure",
                places=scene.places(((key, "claim"), *((each, "related") for each in related))),
                steps=steps_of(web.touching(key)),
                why=f"{scene.ground.named(key)} speaks of an amount; neither it nor its neighbours give a figure.",
                strength=round(node.confidence, 4),
            )
