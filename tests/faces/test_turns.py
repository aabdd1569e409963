"""Calls that wait for a worker: each asker has its turn, in the order of its calls, and who leaves is forgotten."""

from __future__ import annotations

import threading
from collections import Counter
from typing import TYPE_CHECKING

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doors import ERAS, serving, visitor
from team import WAIT_S, issue, running, speaking
from weft.faces.turns import Turns, asked_by, who_asks

if TYPE_CHECKING:
    from concurrent.futures import Future
    from pathlib import Path

ASKERS = st.sampled_from("abcd")


def begun_in(calls: list[tuple[str, bool]]) -> tuple[list[tuple[str, int]], Turns]:
    """Return in which order one worker begins ``calls``, all of which wait before it has time; some are cancelled."""
    turns, free = Turns(1, each=1), threading.Event()
    order: list[tuple[str, int]] = []
    first = turns.submit("", lambda: free.wait(WAIT_S))
    made: list[Future[None]] = []
    for number, (who, _) in enumerate(calls):
        made.append(turns.submit(who, lambda who=who, number=number: order.append((who, number))))
    assert turns.waiting == len(calls)
    assert all(answer.cancel() for answer, (_, leaves) in zip(made, calls, strict=True) if leaves)
    assert turns.waiting == sum(not leaves for _, leaves in calls)
    free.set()
    assert first.result(WAIT_S)
    for answer in made:
        assert answer.cancelled() or answer.result(WAIT_S) is None
    return order, turns


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(ASKERS, st.booleans()), max_size=30))
def test_nobody_is_passed_over_and_nobody_s_calls_change_places(calls: list[tuple[str, bool]]) -> None:
    """While one waits, no other has two turns; all that is not cancelled is done, once."""
    order, turns = begun_in(calls)
    kept = [(who, number) for number, (who, leaves) in enumerate(calls) if not leaves]
    left, had = Counter(who for who, _ in kept), Counter[str]()
    for who, _ in order:
        left[who] -= 1
        had[who] += 1
        assert all(had[other] >= had[who] - 1 for other, waits in left.items() if waits)
    assert sorted(order) == sorted(kept)
    for asker in "abcd":
        assert [call for call in order if call[0] == asker] == [call for call in kept if call[0] == asker]
    assert turns.waiting == 0


@settings(max_examples=100, deadline=None)
@given(st.lists(ASKERS, max_size=40), st.integers(1, 4), st.integers(1, 4))
def test_no_more_run_at_once_than_may_and_all_are_done(askers: list[str], workers: int, each: int) -> None:
    """Of all, and of one; an asker that has all it may have keeps no worker from the others."""
    turns, lock = Turns(workers, each=each), threading.Lock()
    inside, most = Counter[str](), Counter[str]()

    def work(who: str) -> str:
        with lock:
            inside[who] += 1
            most[who] = max(most[who], inside[who])
            most[""] = max(most[""], inside.total())
        with lock:
            inside[who] -= 1
        return who

    answers = [turns.submit(who, lambda who=who: work(who)) for who in askers]
    assert [answer.result(WAIT_S) for answer in answers] == askers
    assert most[""] <= workers
    assert all(most[who] <= each for who in askers)
    assert turns.waiting == 0


def test_one_asker_s_long_calls_leave_a_worker_to_the_others() -> None:
    """However long they take, and however many of them wait already."""
    turns, leave = Turns(3, each=2), threading.Event()
    long = [turns.submit("a", lambda: leave.wait(WAIT_S)) for _ in range(5)]
    assert turns.submit("b", lambda: "at once").result(WAIT_S) == "at once"
    assert turns.waiting == 3
    leave.set()
    assert all(answer.result(WAIT_S) for answer in long)


def test_a_failure_is_told_to_whoever_asked_and_the_worker_goes_on() -> None:
    """The twin: what fails takes no worker with it."""
    turns = Turns(1, each=1)

    def fail() -> None:
        raise KeyError("x")

    for _ in range(3):
        with pytest.raises(KeyError):
            turns.submit("a", fail).result(WAIT_S)
    assert turns.submit("a", lambda: 1).result(WAIT_S) == 1


@pytest.mark.parametrize("era", ERAS)
def test_over_mcp_a_call_waits_in_the_turns_of_its_credential(era: str, tmp_path: Path) -> None:
    """Work begins in another task than the request's; with one credential to each client they are told apart."""
    tokens = [issue(tmp_path, actor=actor) for actor in ("ann", "bob")]
    asked: list[str] = []

    async def main(base: str) -> None:
        with anyio.fail_after(WAIT_S):
            for token in tokens:
                async with speaking(base, token, era=era) as client:
                    for _ in range(2):
                        await client.call_tool("search", {"query": "x"})

    with serving(tmp_path) as held, running(held) as base:
        held.told = lambda *_: asked.append(who_asks())
        anyio.run(main, base)
    assert [asked[0] == other for other in asked] == [True, True, False, False]
    assert all(any(part in who for part in (token.split("_")[1] for token in tokens)) for who in asked)


def test_what_shows_no_credential_waits_in_the_turns_of_its_address(tmp_path: Path) -> None:
    """Where none is asked for; what the server does by itself waits in its own."""
    asked: list[str] = []
    with serving(tmp_path) as held, visitor(held) as web:
        held.told = lambda *_: asked.append(who_asks())
        web.post("/api/tools/search", json={"query": "x"})
    assert asked == ["testclient"]
    assert who_asks() == ""
    with asked_by("ann"):
        assert who_asks() == "ann"
    assert who_asks() == ""
