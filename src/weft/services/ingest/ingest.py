"""Taking in documents: what they define, decide and claim becomes nodes, each with the place it rests on."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

from weft.errors import Conflict, InvalidArgument, NotFound, Unavailable
from weft.formats.notion import titled
from weft.identity import new_id
from weft.model import Ingested
from weft.services import documents
from weft.services.drafting import file_paths, line, required, several
from weft.services.ingest.absent import absent
from weft.services.ingest.given import Given
from weft.services.ingest.intake import IngestPorts, Intake
from weft.services.ingest.known import spelled
from weft.services.ingest.questioning import weightiest
from weft.services.ingest.unfinished import finish
from weft.services.ingest.weaving import Seen, Weaving
from weft.services.planning import Plan, settle
from weft.text import digest
from weft.vocabulary import NAME_MAX

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from weft.model import Call, IngestRequest, Relation, Suggestion
    from weft.services.documents import DocumentFile, Gathered
    from weft.services.ingest.intake import Taken
    from weft.services.ingest.stating import Pending
    from weft.services.ingest.weaving import Woven
    from weft.services.ingest.web import Web

__all__ = ["EXTRACTORS", "Ingest", "IngestPorts"]

EXTRACTORS: Final = ("rules", "model")

_Waiting: TypeAlias = "tuple[str, Callable[[], Given]]"

# What a store says of the one batch that failed, and what that means where documents are in already.
_NOTHING: Final = "nothing was written"
_NOTHING_MORE: Final = "nothing further was written"

INFERRED_AT_ONCE: Final = 100  # new nodes that the rules are tried on between two reports of progress
RELATIONS_AT_ONCE: Final = 2_000  # automatic relations in one batch
ABSENT_MAX: Final = 1_000  # documents that are gone which are named; all are counted


@dataclass(slots=True, kw_only=True)
class _Tally:
    """What has become of the documents so far; ``extractor`` reads them, and ``mark`` stands for the call."""

    mark: str
    extractor: str = "rules"
    documents: int = 0
    unchanged: int = 0
    taken: list[Taken] = field(default_factory=list)
    woven: list[Woven] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)

    def add(self, name: str, taken: Taken) -> None:
        """Count one document."""
        self.taken.append(taken)
        self.documents += not taken.unchanged
        self.unchanged += taken.unchanged
        self.skipped += [(name, f"read, but {problem}") for problem in taken.problems]

    @property
    def pending(self) -> list[Pending]:
        """What the documents say of others that were not there."""
        return [each for taken in self.taken for each in taken.pending]

    @property
    def unseen(self) -> list[str]:
        """The ids of all new nodes, and of those that an earlier call made and did not come to see together."""
        found = (each for taken in self.taken for each in (*taken.fresh, *taken.left.nodes))
        return list(dict.fromkeys(found))

    @property
    def marks(self) -> list[str]:
        """The marks of the calls whose new nodes these are."""
        own = [self.mark] if any(taken.fresh for taken in self.taken) else []
        return list(dict.fromkeys((*own, *(mark for taken in self.taken for mark in taken.left.marks))))

    def answer(self, last: Woven) -> Ingested:
        """Return the tally, and ``last`` with it, as the verb's answer."""
        woven = (*self.woven, last)
        return Ingested(
            documents=self.documents,
            unchanged=self.unchanged,
            nodes_made=sum(each.made for each in self.taken),
            nodes_reused=sum(each.reused for each in self.taken),
            nodes_updated=sum(each.updated for each in self.taken),
            relations=sum(each.relations for each in self.taken) + sum(each.relations for each in woven),
            evidence=sum(each.evidence for each in self.taken) + sum(each.evidence for each in woven),
            marked=sum(each.marked for each in self.taken),
            unsaid=sum(each.unsaid for each in self.taken),
            documents_new=sum(each.new for each in self.taken),
            questions=sum(each.questions for each in woven),
            documents_absent=len(self.absent),
            absent=tuple(self.absent[:ABSENT_MAX]),
            skipped=tuple(self.skipped),
            batches=tuple(filter(None, (*(each.batch for each in self.taken), *(each.batch for each in woven)))),
        )


class Ingest:
    """Takes in documents. ``home`` is the ontology of a text that comes from no folder: the graph's name.

    ``web`` fetches what URLs name; None: no URL is fetched.
    """

    def __init__(self, ports: IngestPorts, *, home: str, web: Web | None = None) -> None:
        self._store = ports.store
        self._upkeep = ports.upkeep
        self._home = home
        self._web = web
        self._asks = ports.chat is not None
        self._intake = Intake(ports)
        self._weaving = Weaving(ports)

    def ingest(self, request: IngestRequest, call: Call) -> Ingested:
        """Take in the documents at ``request.paths`` (below ``request.roots``) and ``request.urls``, or one ``text``.

        Each document is one batch, durable on its own, so an interrupted call keeps what it did and the next one goes
        on from there: the same text again writes nothing. A changed document updates what it says differently, and
        what it says no more is marked for review, never deleted. What documents say of each other is written last, and
        what the rules see between the new nodes in a batch of its own, so that it can be undone as a group. A file
        that cannot be read is reported in ``skipped`` and stops nothing; a document whose file is gone in ``absent``.

        Raises:
            InvalidArgument: neither paths nor a text were given, a path lies outside the roots, URLs are given and not
                fetched here, or a model is asked for and none is set.
            NotFound: none of the paths exists, or none holds a document of a kind that is read.
            Unavailable: something outside failed, as a full disk; the message tells how many documents are in.
        """
        self._check(request)
        tally = _Tally(mark=new_id(call.at), extractor=request.extractor)
        if request.text:
            return self._taken(tally, [(request.document, lambda: self._told(request))], call, alone=True)
        ontology = line(request.ontology, field="ontology", limit=NAME_MAX)
        waiting: list[_Waiting] = [(url, partial(self._fetched, url, ontology)) for url in request.urls]
        if request.paths or not request.urls:
            gathered = documents.gather(request.paths, request.roots, suffixes=documents.READABLE)
            tally.absent += absent(self._store, self._upkeep, request)
            if not tally.absent:
                _found_any(request.paths, gathered)
            waiting += [(file.name, partial(self._opened, file, ontology)) for file in gathered.files]
            tally.skipped += [*gathered.skipped, *_of_other_forms(request)]
        return self._taken(tally, waiting, call)

    def _check(self, request: IngestRequest) -> None:
        file_paths(request.paths, field="paths")
        file_paths(request.roots, field="roots")
        several(request.urls, field="urls")
        if request.extractor not in EXTRACTORS:
            raise InvalidArgument(f"extractor must be one of {', '.join(EXTRACTORS)}, got {request.extractor!r}.")
        if request.extractor == "model" and not self._asks:
            raise InvalidArgument(
                "extractor: no chat model is set, so only the rules can read.",
                hint="Set WEFT_CHAT_URL and WEFT_CHAT_MODEL.",
            )
        if request.urls and self._web is None:
            raise InvalidArgument(
                "url: nothing is fetched from the web here.",
                hint="Set WEFT_FETCH=1, or save the page and give the file.",
            )

    def _taken(self, tally: _Tally, waiting: Sequence[_Waiting], call: Call, *, alone: bool = False) -> Ingested:
        total, then = len(waiting), "The same command goes on from there."
        try:
            self._all(tally, waiting, call, alone=alone)
            then = "What the rules see between their nodes is not all there; the same command makes up for it."
            return self._related(tally, total, call)
        except Unavailable as error:
            raise _broken_off(error, then, done=len(tally.taken), total=total) from error

    def _all(self, tally: _Tally, waiting: Sequence[_Waiting], call: Call, *, alone: bool) -> None:
        try:
            for done, (name, load) in enumerate(waiting):
                call.report(done, len(waiting), f"reading {name}")
                try:
                    self._one(tally, name, load, _within(call, done, len(waiting), f"reading {name}"))
                except (InvalidArgument, Conflict) as error:
                    if alone:
                        raise
                    tally.skipped.append((name, error.message))
        finally:
            # Also when the caller cancels: what the documents so far say of each other is not found a second time.
            tally.woven.append(self._weaving.state(tally.pending, call))

    def _one(self, tally: _Tally, name: str, load: Callable[[], Given], call: Call) -> None:
        """Take in one document; that the library for its format is missing is no more than a file that is left out."""
        try:
            given = load()
        except Unavailable as error:
            tally.skipped.append((name, f"{error.message} {error.hint}"))
            return
        tally.add(name, self._intake.take(given, call, mark=tally.mark, extractor=tally.extractor))

    def _related(self, tally: _Tally, total: int, call: Call) -> Ingested:
        """Write the automatic relations of the new nodes, and with the last batch the receipt of the call."""
        seen = Seen()
        fresh = tally.unseen
        for start in range(0, len(fresh), INFERRED_AT_ONCE):
            call.report(total, total, f"relating {start} of {len(fresh)} new nodes")
            seen.add(self._weaving.see(fresh[start : start + INFERRED_AT_ONCE], call))
        found = list(seen.relations.values())
        parts = [found[start : start + RELATIONS_AT_ONCE] for start in range(0, len(found), RELATIONS_AT_ONCE)]
        for part in parts[:-1]:
            tally.woven.append(self._weaving.save(part, call))
        last = parts[-1] if parts else []
        questions = weightiest(seen.questions.values())
        answer = settle(self._store, call, lambda batch: self._closing(tally, last, questions, batch))
        finish(self._store, tally.marks, call)
        call.report(total, total, "done")
        return answer

    def _closing(
        self, tally: _Tally, relations: Sequence[Relation], questions: Sequence[Suggestion], batch: str
    ) -> Plan[Ingested]:
        plan = self._weaving.saving(relations, batch, questions=questions)
        return Plan(operations=plan.operations, answer=tally.answer(plan.answer), subjects=())

    def _told(self, request: IngestRequest) -> Given:
        content = required(request.text, field="text", limit=documents.SIZE_MAX_BYTES)
        name = line(request.document, field="document", limit=NAME_MAX) or f"text {digest(content)[:12]}"
        ontology = line(request.ontology, field="ontology", limit=NAME_MAX) or self._home
        name, ontology = spelled(self._store, name=name, ontology=ontology)
        return Given(name=name, ontology=ontology, text=content)

    def _opened(self, file: DocumentFile, ontology: str) -> Given:
        found = documents.opened(file)
        folder = " ".join(file.folder.split())[:NAME_MAX]
        if self._store.source_of(file.name, folder) is None:  # else it was taken in under the folder's whole name
            folder = titled(folder)
        name, ontology = spelled(self._store, name=file.name, ontology=ontology or folder or self._home)
        return Given(
            name=name,
            ontology=ontology,
            text=found.text,
            path=str(file.path),
            file=file.name,
            problems=found.problems,
        )

    def _fetched(self, url: str, ontology: str) -> Given:
        if self._web is None:
            raise InvalidArgument("url: nothing is fetched from the web here.")
        name = line(url.partition("#")[0], field="url", limit=NAME_MAX)
        came = self._web.fetch(name)
        found = documents.text_of(came.body, came.suffix)
        return Given(name=name, ontology=ontology or came.host, text=found.text, path=name, problems=found.problems)


def _of_other_forms(request: IngestRequest) -> Iterator[tuple[str, str]]:
    """Yield how many documents of forms that are not read lie under the paths that were named."""
    held = documents.counted(request.paths, request.roots, suffixes=documents.UNREADABLE)
    said = ", ".join(f"{count:,} {suffix}" for suffix, count in held.items())
    if said:
        yield "…", f"files of these kinds are not read: {said}"


def _found_any(paths: Sequence[Path], gathered: Gathered) -> None:
    """Refuse ``paths`` under which nothing is to be read, and nothing was left out for a reason."""
    if not paths or gathered.files or any(why != documents.MISSING for _, why in gathered.skipped):
        return
    missing = {path for path, _ in gathered.skipped}
    empty = [str(path) for path in paths if str(path) not in missing]
    if empty:
        raise NotFound(
            f"path: {', '.join(empty)} holds no document that Weft reads",
            hint=f"Files are read whose names end in {', '.join(documents.READABLE)}.",
        )
    raise NotFound(
        f"path: there is nothing at {', '.join(map(str, paths))}",
        hint="Check the spelling, or give the path from its root on.",
    )


def _broken_off(error: Unavailable, then: str, *, done: int, total: int) -> Unavailable:
    """Return ``error`` as it is told once documents are in, which are kept, each being a batch of its own."""
    if not done:
        return error
    said = error.message.replace(_NOTHING, _NOTHING_MORE)
    return type(error)(f"{done} of {total} documents are in, and kept. {said}", hint=f"{error.hint} {then}")


def _within(call: Call, done: int, total: int, message: str) -> Call:
    """Return ``call`` for work inside one document: each report of it says no more than that it is still read."""
    return call if call.progress is None else replace(call, progress=lambda *_: call.report(done, total, message))
