"""What a memory of use must do. Subclass :class:`UsageContract` in your tests, fill in ``open``, and run pytest."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Protocol

import pytest

from weft.model import AuditEntry, HintCount
from weft.ports import Usage
from weft.testing.making import AT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime
    from pathlib import Path

__all__ = ["Remembering", "UsageContract"]

HOUR = timedelta(hours=1)
CALL = AuditEntry(
    at=AT,
    actor="ann",
    client="test",
    caller="c",
    tier="curator",
    tool="forget",
    arguments="{}",
    reason="wrong",
    outcome="done",
)


class Remembering(Usage, Protocol):
    """A memory of use, with what tools and upkeep ask of it."""

    def offered(self, *, caller: str, after: str, hints: Sequence[str], at: datetime) -> None:
        """Remember that ``caller`` was given these hints by the tool ``after``."""
        ...

    def did(self, *, caller: str, hints: Sequence[str], since: datetime) -> None:
        """Count the hints that ``caller`` was given since then and has followed now."""
        ...

    def hints(self, *, since: datetime) -> tuple[HintCount, ...]:
        """Return how often each hint was followed and ignored."""
        ...

    def audit(self, entry: AuditEntry) -> None:
        """Keep a call of an audited tool."""
        ...

    def audits(self, *, limit: int) -> tuple[AuditEntry, ...]:
        """Return the newest calls of audited tools, newest first."""
        ...

    def damage(self) -> str:
        """Return what is wrong with it; empty: nothing."""
        ...

    def erase(self, texts: Sequence[str], *, node: str, people: Sequence[str] = ()) -> None:
        """Let go of a node, of what callers looked for, and of what was recorded with one of ``texts`` in it.

        Who called, and through what, is let go where it holds one of ``people``.
        """
        ...

    def fold(self) -> bool:
        """Take what was let go out for good, and return whether nothing of it is left."""
        ...

    def renew(self) -> None:
        """Begin anew."""
        ...

    def close(self) -> None:
        """Write what waits, and close it."""
        ...


class UsageContract:
    """The promises of :class:`weft.ports.Usage` and of what is asked of it beside.

    It is best effort: what was told to it is known at once, or soon where its place is busy or far away.
    """

    def open(self, place: Path) -> Remembering:
        """Open the one memory that lies at ``place``; it is made when it is not there."""
        raise NotImplementedError

    @pytest.fixture
    def usage(self, tmp_path: Path) -> Iterator[Remembering]:
        """A memory of use, not yet used."""
        usage = self.open(tmp_path)
        yield usage
        usage.close()

    def soon(self, ask: Callable[[], object], answer: object) -> None:
        """Assert that ``ask`` gives ``answer``, within a few seconds."""
        patience = time.monotonic() + 10
        while (said := ask()) != answer and time.monotonic() < patience:
            time.sleep(0.001)
        assert said == answer

    def test_uses_are_counted_and_the_last_one_is_known(self, usage: Remembering) -> None:
        """Once a node and touch; an earlier touch that comes late does not turn the clock back."""
        usage.touch(["a", "b"], at=AT + HOUR)
        usage.touch(["a", "a"], at=AT)
        self.soon(lambda: usage.uses(["a", "b", "c"]), {"a": (3, AT + HOUR), "b": (1, AT + HOUR)})
        assert usage.uses([]) == {}

    def test_the_larger_of_two_memories_counts(self, usage: Remembering) -> None:
        """What was known of a node elsewhere, as a restored export tells it."""
        usage.touch(["a", "a", "b"], at=AT)
        usage.restore({"a": (1, AT + HOUR), "b": (5, AT - HOUR), "c": (2, AT)})
        self.soon(lambda: usage.uses(["a", "b", "c"]), {"a": (2, AT + HOUR), "b": (5, AT), "c": (2, AT)})

    def test_what_a_caller_did_is_noted_newest_first(self, usage: Remembering) -> None:
        """By caller, by event, since a time; each subject once; and known at once to whoever noted it."""
        for hours, subject in enumerate(("ice", "water", "ice", "steam")):
            usage.note(caller="ada", event="searched", subject=subject, at=AT + hours * HOUR)
        usage.note(caller="bob", event="searched", subject="salt", at=AT)
        usage.note(caller="ada", event="nudged", subject="ice", at=AT)
        for _ in range(2):
            assert usage.noted(caller="ada", event="searched", since=AT) == ("steam", "ice", "water")
            assert usage.noted(caller="ada", event="searched", since=AT + 3 * HOUR) == ("steam",)
            assert usage.noted(caller="eve", event="searched", since=AT) == ()
            self.soon(usage.tallies, {"searched": 5, "nudged": 1})

    def test_at_most_two_hundred_subjects_are_told(self, usage: Remembering) -> None:
        """The newest of them."""
        for number in range(250):
            usage.note(caller="ada", event="searched", subject=str(number), at=AT + number * HOUR / 60)
        noted = usage.noted(caller="ada", event="searched", since=AT)
        assert (len(noted), noted[0], noted[-1]) == (200, "249", "50")

    def test_it_is_there_for_the_next_process_and_forgets_after_ninety_days(self, tmp_path: Path) -> None:
        """What is older than that, counted from the newest note, is let go at the next opening."""
        usage = self.open(tmp_path)
        for days, subject in ((0, "old"), (30, "middle"), (100, "new")):
            usage.note(caller="ada", event="searched", subject=subject, at=AT + timedelta(days=days))
        usage.touch(["a"], at=AT)
        usage.close()
        again = self.open(tmp_path)
        self.soon(lambda: again.noted(caller="ada", event="searched", since=AT), ("new", "middle"))
        self.soon(lambda: again.uses(["a"]), {"a": (1, AT)})
        self.soon(again.tallies, {"searched": 3})
        again.close()

    def test_hints_are_followed_ignored_or_open(self, usage: Remembering) -> None:
        """By the tool that gave them; one that is given twice is open once, and what is followed is open no more."""
        usage.offered(caller="ada", after="search", hints=("capture", "fetch"), at=AT)
        usage.offered(caller="ada", after="search", hints=("fetch",), at=AT + HOUR)
        usage.offered(caller="bob", after="capture", hints=("fetch",), at=AT + HOUR)
        usage.did(caller="ada", hints=["fetch"], since=AT)
        usage.did(caller="ada", hints=["fetch"], since=AT)
        told = [("capture", "fetch", 0, 0, 1), ("search", "capture", 0, 1, 0), ("search", "fetch", 1, 0, 0)]
        expected = tuple(
            HintCount(after=after, hint=hint, followed=followed, ignored=ignored, open=left)
            for after, hint, followed, ignored, left in told
        )
        self.soon(lambda: usage.hints(since=AT + HOUR), expected)

    def test_calls_are_recorded_newest_first(self, usage: Remembering) -> None:
        """Word for word."""
        entries = [replace(CALL, at=AT + number * HOUR, arguments=f'{{"id": "{number}"}}') for number in range(5)]
        for entry in entries:
            usage.audit(entry)
        self.soon(lambda: usage.audits(limit=3), tuple(reversed(entries[2:])))

    def test_what_is_erased_is_not_there_any_more(self, usage: Remembering) -> None:
        """The node, what callers looked for, and what was recorded with the text in it, as it is and as JSON."""
        text = 'the "blue"\nkey'
        usage.touch(["a", "b"], at=AT)
        usage.note(caller="ada", event="searched", subject=text, at=AT)
        usage.audit(replace(CALL, reason=f"it holds {text}"))
        usage.audit(replace(CALL, arguments='{"text": "x the \\"blue\\"\\nkey y"}', outcome="DENIED"))
        usage.audit(CALL)
        usage.erase([text], node="a")
        self.soon(lambda: usage.uses(["a", "b"]), {"b": (1, AT)})
        assert usage.noted(caller="ada", event="searched", since=AT) == ()
        blanked = replace(CALL, arguments="[erased]", reason="[erased]")
        self.soon(lambda: usage.audits(limit=9), (CALL, replace(blanked, outcome="DENIED"), blanked))
        assert usage.fold()
        assert usage.damage() == ""

    def test_what_cannot_be_kept_takes_nothing_else_with_it(self, usage: Remembering) -> None:
        """A text that no engine stores stands for it."""
        usage.touch(["a"], at=AT)
        usage.note(caller="ada", event="searched", subject="half a \ud800", at=AT)
        usage.touch(["b"], at=AT)
        self.soon(lambda: usage.uses(["a", "b"]), {"a": (1, AT), "b": (1, AT)})

    def test_it_begins_anew_where_it_is_told_to(self, usage: Remembering) -> None:
        """And goes on from there."""
        usage.touch(["a"], at=AT)
        self.soon(lambda: usage.uses(["a"]), {"a": (1, AT)})
        usage.renew()
        usage.touch(["b"], at=AT)
        self.soon(lambda: usage.uses(["a", "b"]), {"b": (1, AT)})

    def test_a_closed_memory_stays_silent(self, usage: Remembering) -> None:
        """Late calls of background work find nothing and break nothing."""
        usage.touch(["a"], at=AT)
        usage.close()
        usage.touch(["a"], at=AT)
        assert usage.uses(["a"]) == {}

    def test_threads_count_every_use(self, usage: Remembering) -> None:
        """What one thread could not write in time, the next one writes."""
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda _: usage.touch(["a"], at=AT), range(200)))
        usage.touch(["b"], at=AT)
        self.soon(lambda: usage.uses(["a"]), {"a": (200, AT)})

    def test_what_is_noted_is_written_soon_without_being_asked_for(self, tmp_path: Path, usage: Remembering) -> None:
        """Another process, for which the second opening stands, knows of it a moment later."""
        usage.note(caller="ada", event="searched", subject="ice", at=AT)
        other = self.open(tmp_path)
        self.soon(other.tallies, {"searched": 1})
        self.soon(lambda: other.noted(caller="ada", event="searched", since=AT), ("ice",))
        other.close()

    def test_a_flood_of_uses_pushes_none_out(self, usage: Remembering) -> None:
        """More than are written at once."""
        for _ in range(30):
            usage.touch([f"{number}" for number in range(100)], at=AT)
        ids = [f"{number}" for number in range(100)]
        self.soon(lambda: {count for count, _ in usage.uses(ids).values()}, {30})
