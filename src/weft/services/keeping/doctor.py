"""Whether everything in a graph agrees, and making anew what is derived where it does not."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from weft.model import Examined, Flaw, Tier
from weft.services.keeping.naming import Naming
from weft.services.keeping.sameness import Sameness
from weft.services.passages import embed, embedded_anew

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from weft.model import Call
    from weft.ports import Store
    from weft.services.keeping.ports import KeepingPorts, Look

__all__ = ["Doctor"]

AT_ONCE: Final = 64
"""Nodes or passages that are embedded, and written, in one go."""

_ANEW: Final = "weft doctor --repair makes it anew."
_BEFORE_NAMES: Final = frozenset({"engine", "schema", "rows", "derived", "passages", "words"})
"""What must be whole before names are looked up."""

_VECTORS: Final = frozenset({"vectors_broken", "vectors_other"})
_LOOKED_UP: Final = frozenset({"index_unusable", "index_behind"})
"""After mending either of these an index has to be made anew."""

_INDEX: Final = {
    "unusable": "Search compares vectors exactly meanwhile: slower in a large graph, never wrong.",
    "behind": "Search compares what came after exactly: slower, never wrong.",
    "leftover": "They take room; a process died while it made them.",
}


class Doctor:
    """Looks at a whole graph. Only what is derived is ever made anew; the truth is told of, and left as it is."""

    def __init__(self, ports: KeepingPorts, *, store: Store) -> None:
        self._ports = ports
        self._store = store
        self._naming = Naming(ports, store=store)
        self._sameness = Sameness(ports)

    def examine(self, call: Call, *, repair: bool = False) -> Examined:
        """Look at everything and return what does not agree; with ``repair`` make anew what is derived, and look again.

        The look sees one moment of the graph and stops nobody. It takes about half a millisecond a passage, and a few
        seconds at most to look for names in up to a thousand texts, evenly spread, and to embed the openings of 64
        again; a repair of these reads all texts.

        Raises:
            PermissionDenied: ``repair`` below curator.
        """
        if repair:
            call.require(Tier.CURATOR, "doctor --repair")
        look, found = self._looked(call)
        if repair and any(finding.derived for finding in found):
            self._mend(found, call)
            look, left = self._looked(call)
            keys = {finding.key for finding in left}
            fresh = [finding for finding in left if finding.key not in {each.key for each in found}]
            found = [replace(each, repaired=each.derived and each.key not in keys) for each in found] + fresh
        return Examined(
            path=self._ports.where,
            engine=look.engine,
            schema=look.schema,
            rows=look.rows,
            changes=look.changes,
            passages=look.passages,
            findings=tuple(found),
        )

    def _looked(self, call: Call) -> tuple[Look, list[Flaw]]:
        look = self._ports.health.look(call.progress)
        whole = () if any(flaw.part in _BEFORE_NAMES for flaw in look.found) else self._of_a_whole_graph(call)
        others = (*self._of_the_files(), *self._of_the_model(), *self._ports.mirror.faults(call))
        return look, [*look.found, *self._of_the_words(), *whole, *others]

    def _of_a_whole_graph(self, call: Call) -> Iterator[Flaw]:
        """Yield what can be looked for where rows, words and passages are as they should be."""
        yield from self._of_the_names(call)
        yield from self._of_the_vocabulary()
        if not self._ports.model_damaged():
            yield from self._of_the_vectors()

    def _of_the_vectors(self) -> Iterator[Flaw]:
        looked, others = self._sameness.looked()
        if others:
            yield Flaw(
                part="passages",
                key="vectors_other",
                what=f"{others} of {looked} passages that were embedded again have another vector than is kept.",
                meaning="Search compares these by a vector that an older Weft made, and may find them by words alone.",
                remedy=f"No knowledge is lost: {_ANEW}",
                derived=True,
                waits=True,
            )

    def _of_the_words(self) -> Iterator[Flaw]:
        lacking = len(self._ports.health.wordless()) if self._ports.embedder.word_width else 0
        if lacking:
            yield Flaw(
                part="passages",
                key="words_lacking",
                what=f"{lacking:,} passages have no vectors of their words.",
                meaning="Search compares these as a whole only, not word by word: an older Weft wrote them.",
                remedy=f"No knowledge is lost: {_ANEW}",
                derived=True,
                waits=True,
            )

    def _of_the_names(self, call: Call) -> Iterator[Flaw]:
        looked, lacking = self._naming.looked(call)
        if lacking:
            first = self._store.nodes((lacking[0].node,))[lacking[0].node]
            yield Flaw(
                part="mentions",
                key="mentions_lacking",
                what=f"{len(lacking)} mentions are lacking in the {looked:,} texts looked at (all of a small graph): "
                f"«{first.title}» ({first.id}) names «{lacking[0].name}».",
                meaning="Search does not follow these names from text to text.",
                remedy=f"No knowledge is lost: {_ANEW}",
                derived=True,
            )

    def _of_the_vocabulary(self) -> Iterator[Flaw]:
        counts, known = self._store.counts(), self._store.vocabulary
        known.refresh()
        kinds = {name: count for name, count in counts.nodes_by_kind.items() if not known.knows_kind(name)}
        types = {name: count for name, count in counts.relations_by_type.items() if not known.knows_type(name)}
        held = [_held(names, word) for names, word in ((kinds, "node"), (types, "relation")) if names]
        if held:
            yield Flaw(
                part="vocabulary",
                key="names_unregistered",
                what=f"of a kind or type that nobody registered: {', '.join(held)}.",
                meaning="Such nodes read as plain records, such relations say that two things belong together, and a "
                "file of an export without loss that holds them is refused.",
                remedy="weft vocabulary registers the names again; weft update gives a node another kind, and weft "
                "unrelate takes a relation out.",
                waits=True,
            )

    def _of_the_files(self) -> Iterator[Flaw]:
        for key, what in self._ports.files.faults().items():
            yield _file("index", f"index_{key}", f"{what}.", _INDEX[key])
        if damage := self._ports.memory.damage():
            meaning = "Hints and the counts of use are lost, and the record of audited calls; no knowledge is."
            yield _file("usage", "usage_damaged", f"The memory of use is damaged: {damage}", meaning)
        if left := self._ports.health.leftovers():
            meaning = "They take room; a process died while it made them."
            yield _file("files", "leftovers", f"Files are left over: {', '.join(left)}.", meaning)

    def _of_the_model(self) -> Iterator[Flaw]:
        if damaged := self._ports.model_damaged():
            yield Flaw(
                part="model",
                key="model_damaged",
                what=f"Files of the bundled embedding model are not those that were shipped: {', '.join(damaged)}.",
                meaning="What is embedded from now on may not be comparable with what was.",
                remedy="Install Weft again.",
            )

    def _mend(self, found: Sequence[Flaw], call: Call) -> None:
        keys = {finding.key for finding in found}
        self._ports.health.mend(found, tier=call.tier)
        if "passages_lacking" in keys:
            self._enter(call)
        self._mend_vectors(keys, call)
        if "mentions_lacking" in keys:
            self._naming.mend(call)
        if "usage_damaged" in keys:
            self._ports.memory.renew()

    def _mend_vectors(self, keys: Collection[str], call: Call) -> None:
        if "vectors_broken" in keys:
            self._revector(self._ports.health.broken(), call)
        if "words_lacking" in keys:
            self._revector(self._ports.health.wordless(), call)
        if "vectors_other" in keys:
            self._sameness.mend(call)
        stale = not _VECTORS.isdisjoint(keys) and not self._ports.files.faults()
        if stale or not _LOOKED_UP.isdisjoint(keys):
            self._ports.files.rebuild()
        elif "index_leftover" in keys:
            self._ports.files.discard()

    def _enter(self, call: Call) -> None:
        lacking = self._ports.health.lacking()
        for start in range(0, len(lacking), AT_ONCE):
            nodes = list(self._store.nodes(lacking[start : start + AT_ONCE]).values())
            for node, passages in zip(nodes, embed(nodes, self._ports.embedder), strict=True):
                self._ports.health.enter(node, passages, tier=call.tier)
            call.report(start, len(lacking), "embedding")

    def _revector(self, rows: Sequence[int], call: Call) -> None:
        for start in range(0, len(rows), AT_ONCE):
            given = self._ports.health.given(rows[start : start + AT_ONCE])
            self._ports.health.revector(embedded_anew(given, self._ports.embedder), tier=call.tier)
            call.report(start, len(rows), "embedding")


def _file(part: str, key: str, what: str, meaning: str) -> Flaw:
    remedy = f"No knowledge is lost: {_ANEW}" if part == "index" else "weft doctor --repair clears it away."
    return Flaw(part=part, key=key, what=what, meaning=meaning, remedy=remedy, derived=True)


def _held(names: dict[str, int], word: str) -> str:
    """Return how many nodes or relations are of ``names``: «2 nodes (recipe)»."""
    total = sum(names.values())
    return f"{total} {word if total == 1 else f'{word}s'} ({', '.join(sorted(names))})"
