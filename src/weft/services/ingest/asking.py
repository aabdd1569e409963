"""The second extractor: a chat model reads beside the rules, stretch by stretch, and adds only what it can quote."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from weft.errors import LimitExceeded, Unavailable
from weft.reason.extract import Draft, DraftRelation, Extracted, belonging
from weft.reason.told import INSTRUCTIONS, chunks, question, told
from weft.text import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from weft.ports import Chat
    from weft.reason.told import Told
    from weft.services.ingest.given import Reading

__all__ = ["CHUNKS_MAX", "DRAFTS_MAX", "widened"]

CHUNKS_MAX: Final = 60
"""Stretches of one document that a model is asked about; what comes after is read by rules alone."""

DRAFTS_MAX: Final = 120
"""Nodes that a model may add to one document."""


def widened(reading: Reading, chat: Chat, *, between: Callable[[], None] | None = None) -> Reading:
    """Return ``reading`` with what the model adds to it, and with a sentence on what it could not.

    Where the model fails, what the rules found stands alone, and the document counts as not read by it. ``between`` is
    called before each question, and may raise to end it.
    """
    text = reading.given.text
    spans = chunks(text, reading.starts, limit=CHUNKS_MAX)
    answers = []
    try:
        for span in spans:
            if between is not None:
                between()
            said = chat.answer(INSTRUCTIONS, question(text[span.start : span.end], title=reading.document.title))
            answers.append(told(said, text, span))
    except (Unavailable, LimitExceeded) as error:
        problem = f"the model was not heard to the end, so the rules read alone: {error.message}"
        return replace(reading, problems=(*reading.problems, problem))
    dropped = sum(each.dropped for each in answers)
    problems = [f"{dropped} things that the model said do not stand in the text and were dropped"] * bool(dropped)
    if spans and text[spans[-1].end :].strip():
        problems.append(f"the model was asked about the first {spans[-1].end:,} characters")
    found = _joined(reading.found, answers)
    return replace(reading, found=found, asked=True, problems=(*reading.problems, *problems))


def _joined(found: Extracted, answers: Iterable[Told]) -> Extracted:
    """Return ``found`` with what the model adds: what the rules have already is not said twice."""
    nodes, relations = list(found.nodes), list(found.relations)
    titles = {fold(each.title) for each in nodes}
    most = len(nodes) + DRAFTS_MAX
    for answer in answers:
        places: dict[int, int] = {}
        for number, draft in enumerate(answer.nodes):
            known = _covering(found.nodes[1:], draft)
            if known is not None:
                places[number] = known + 1
            elif fold(draft.title) not in titles and len(nodes) < most:
                titles.add(fold(draft.title))
                places[number] = len(nodes)
                relations.append(belonging(len(nodes), draft))
                nodes.append(draft)
        relations += _placed(answer.relations, places)
    return Extracted(nodes=tuple(nodes), relations=tuple(relations))


def _covering(drafts: Sequence[Draft], draft: Draft) -> int | None:
    """Return the place of the draft of the rules that rests on the same words, or None; parts of the text are none."""
    inner = ((at, each) for at, each in enumerate(drafts) if each.rule != "part")
    return next((at for at, each in inner if draft.start < each.end and each.start < draft.end), None)


def _placed(relations: Iterable[DraftRelation], places: dict[int, int]) -> list[DraftRelation]:
    moved = []
    for each in relations:
        source, target = places.get(each.source_index), places.get(each.target_index or 0)
        if source is not None and target is not None and source != target:
            moved.append(replace(each, source_index=source, target_index=target))
    return moved
