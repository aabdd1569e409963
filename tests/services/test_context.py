"""Context: what bears on the work at hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from services.readers import recall_of
from weft.errors import InvalidArgument
from weft.model import CaptureRequest, ContextRequest, SearchRequest

if TYPE_CHECKING:
    from pathlib import Path

    from services.desk import Desk
    from weft.services.recall.recall import Recall


@pytest.fixture
def recall(desk: Desk, tmp_path: Path) -> Recall:
    """The reading verbs over the desk."""
    return recall_of(desk, tmp_path)


def test_the_file_at_hand_weighs_most(desk: Desk, recall: Recall) -> None:
    """A decision about this very file is highly relevant, one about its folder less, one about another not at all."""
    exact = desk.add("Tokens are signed.", kind="decision", references=("src/auth/token.py",)).node
    beside = desk.add("Keys are rotated.", kind="decision", references=("src/auth/keys.py",)).node
    desk.add("Invoices are printed.", kind="decision", references=("src/billing/print.py",))
    found = recall.context(ContextRequest(current_file="src/auth/token.py", task="sign tokens"), desk.call()).nodes
    assert [each.node.id for each in found] == [exact.id, beside.id]
    assert found[0].band == "high"
    assert dict(found[0].factors)["current_file"] == 1.0
    assert found[0].why[0] == "refers to src/auth/token.py"
    assert found[1].why == ("refers to src/auth/keys.py, beside src/auth/token.py",)
    folder = desk.add("Sessions end at night.", kind="convention", references=("src/auth/",)).node
    said = {
        each.node.id: each.why[0]
        for each in recall.context(ContextRequest(current_file="src/auth/token.py"), desk.call()).nodes
    }
    assert said[folder.id] == "refers to src/auth/, where src/auth/token.py lies"


def test_a_task_alone_finds_by_meaning_and_words(desk: Desk, recall: Recall) -> None:
    """Without files «high» by points cannot be reached; the band by rank says what to read first."""
    wanted = desk.add("The cache is emptied when memory runs out.", kind="decision").node
    desk.add("Penguins keep their eggs warm on their feet.", kind="decision")
    (found,) = recall.context(
        ContextRequest(task="evict entries from the cache under memory pressure"), desk.call()
    ).nodes
    assert found.node.id == wanted.id
    assert found.band != "high"
    assert found.band_by_rank == "high"
    assert dict(found.factors)["task"] == 0.8


def test_both_ends_of_a_long_task_count(desk: Desk, recall: Recall) -> None:
    """A conversation of eight thousand characters finds what its beginning and what its end is about."""
    first = desk.add("Barley is harvested in late summer.", kind="concept").node
    last = desk.add("Glaciers carve deep valleys into soft rock.", kind="concept").node
    small_talk = "We went on about nothing in particular for quite a while. " * 130
    task = f"When is the barley harvest?{small_talk}"[:7_900] + " And how do glaciers form valleys?"
    found = recall.context(ContextRequest(task=task), desk.call()).nodes
    assert {first.id, last.id} <= {each.node.id for each in found}
    both, *_ = recall.context(ContextRequest(task=f"{task} After the barley harvest, that is."), desk.call()).nodes
    assert both.node.id == first.id
    assert sum(why.startswith("meaning") for why in both.why) == 1


def test_what_was_written_in_the_session_bears_on_it(desk: Desk, recall: Recall) -> None:
    """The caller's session is a ground of its own; another session's notes are not."""
    mine = desk.capture.capture(
        CaptureRequest(content="Barley is harvested in late summer."), desk.call(session="sprint 7")
    ).node
    desk.capture.capture(CaptureRequest(content="Glaciers carve deep valleys."), desk.call(session="sprint 8"))
    found = recall.context(ContextRequest(), desk.call(session="sprint 7")).nodes
    assert [each.node.id for each in found] == [mine.id]
    assert found[0].why == ("written in this session",)


def test_with_nothing_given_the_newest_are_shown(desk: Desk, recall: Recall) -> None:
    """An open question has an answer too, and says that it is only recency."""
    nodes = [desk.add(f"Note {number}.").node for number in range(3)]
    found = recall.context(ContextRequest(limit=2), desk.call()).nodes
    assert {each.node.id for each in found} <= {node.id for node in nodes}
    assert {each.why for each in found} == {("recent",)}


def test_a_session_that_has_only_begun_is_shown_the_newest(desk: Desk, recall: Recall) -> None:
    """Who names a new piece of work before anything is written in it asks what there is; with a task it is the task."""
    note = desk.add("Glaciers carve deep valleys.").node
    begun = desk.call(session="sprint 9")
    assert [(each.node.id, each.why) for each in recall.context(ContextRequest(), begun).nodes] == [
        (note.id, ("recent",))
    ]
    assert recall.context(ContextRequest(task="kubernetes autoscaling thresholds"), begun).nodes == ()


def test_a_task_that_nothing_answers_finds_nothing(desk: Desk, recall: Recall) -> None:
    """The twin of the test above: a task is not answered with what is merely new."""
    desk.add("Penguins keep their eggs warm on their feet.")
    assert recall.context(ContextRequest(task="kubernetes autoscaling thresholds"), desk.call()).nodes == ()


def test_age_and_relations_count(desk: Desk, recall: Recall) -> None:
    """Three relations add their bonus, and after a week the freshness is gone."""
    hub = desk.add("The cache is emptied when memory runs out.", kind="decision").node
    for number in range(3):
        desk.join(hub.id, desk.add(f"Penguin number {number} waddles.").node.id)
    request = ContextRequest(task="cache eviction under memory pressure")
    fresh = recall.context(request, desk.call()).nodes[0]
    later = recall.context(request, replace(desk.call(), at=desk.call().at + timedelta(days=8))).nodes[0]
    assert fresh.relations == 3
    assert dict(fresh.factors)["relations"] == 0.15
    assert fresh.relevance - later.relevance == pytest.approx(0.3)


@pytest.mark.parametrize(
    "request_", [ContextRequest(limit=0), ContextRequest(limit=101), ContextRequest(task="x" * 8_001)]
)
def test_values_out_of_bounds_are_refused(desk: Desk, recall: Recall, request_: ContextRequest) -> None:
    """Nothing is read for them."""
    with pytest.raises(InvalidArgument, match=r"limit|task"):
        recall.context(request_, desk.call())


def test_words_of_a_task_without_spaces_are_told_whole(desk: Desk, recall: Recall) -> None:
    """As search tells them, and not the pairs of characters that they are looked up by."""
    wanted = desk.add("长颈鹿吃金合欢的叶子").node
    desk.add("データベースは毎晩保存される")
    (found,) = recall.context(ContextRequest(task="长颈鹿喝什么"), desk.call()).nodes
    assert found.node.id == wanted.id
    assert "words: 长颈鹿" in found.why


def test_a_word_that_a_task_shares_with_something_quite_unlike_it_does_not_count(desk: Desk, recall: Recall) -> None:
    """«Reduce» is in both, and so is nothing else; a word of a text about the matter counts, and so does a name."""
    meant = desk.add("The checkout asks three providers for a payment, one after the other.", kind="issue").node
    named = desk.add("Penguins of the colony h264 keep their eggs warm on their feet.", kind="issue").node
    strange = desk.add("Masks reduce the transmission of viruses indoors.", kind="decision").node
    task = "reduce what a slow payment provider does to the checkout while h264 is encoded"
    found = recall.context(ContextRequest(task=task), desk.call()).nodes
    assert {each.node.id: "task" in dict(each.factors) for each in found} == {
        meant.id: True,
        named.id: True,
        strange.id: False,
    }
    assert found[-1].node.id == strange.id
    alone = recall.context(ContextRequest(task="reduce"), desk.call()).nodes
    assert [(each.node.id, dict(each.factors)["task"]) for each in alone] == [(strange.id, 0.8)]


def test_what_is_found_by_its_words_alone_is_compared_too(desk: Desk, recall: Recall) -> None:
    """Among many that are nearer: it is not taken for near only because nobody looked."""
    for number in range(40):
        desk.add(f"Payment provider {number} of the checkout is slow on Mondays.", kind="issue")
    strange = desk.add("Masks reduce the transmission of viruses indoors.", kind="decision").node
    task = "reduce what a slow payment provider does to the checkout"
    found = recall.context(ContextRequest(task=task, limit=60), desk.call()).nodes
    (masks,) = (each for each in found if each.node.id == strange.id)
    assert "task" not in dict(masks.factors)


def test_what_a_task_is_about_is_shown_before_what_only_holds_a_word_of_it(desk: Desk, recall: Recall) -> None:
    """Forty decisions on caches, with all that a kind counts for, do not hide the note on what went wrong."""
    for number in range(40):
        desk.add(f"The cache of service {number} keeps entries for {number + 5} minutes.", kind="decision")
    storm = desk.add("Eviction storm: the cache of all services was emptied at once.", kind="issue").node
    task = "what to do so that no eviction storm empties the cache again"
    for limit in (1, 5, 10):
        found = recall.context(ContextRequest(task=task, limit=limit), desk.call()).nodes
        assert storm.id in {each.node.id for each in found}
        assert len(found) == limit
    among = {each.node.id: dict(each.factors)["task"] for each in found}
    assert among.pop(storm.id) == 0.8
    assert min(among.values()) < 0.8


def test_what_a_file_brings_counts_for_the_task_as_far_as_it_bears_on_it(desk: Desk, recall: Recall) -> None:
    """It is compared with the task although the task finds others first, and counts below them."""
    for number in range(12):
        desk.add(f"Login attempt {number} with a stolen token is refused and told to the owner.")
    signed = desk.add("Tokens are signed with a key.", kind="decision", references=("src/token.py",)).node
    strange = desk.add("Masks are worn indoors.", kind="decision", references=("src/token.py",)).node
    request = ContextRequest(task="refuse a login with a stolen token", current_file="src/token.py", limit=4)
    factors = {each.node.id: dict(each.factors) for each in recall.context(request, desk.call()).nodes}
    assert 0 < factors[signed.id]["task"] < 0.8
    assert "task" not in factors[strange.id]


def test_a_file_is_found_by_its_name_alone(desk: Desk, recall: Recall) -> None:
    """Whoever gives no folder may mean the file in any; where some node refers to that very name, only that counts."""
    gateway = desk.add("The gateway speaks SOAP.", kind="decision", references=("src/net/gateway.py",)).node
    desk.add("Invoices are printed.", kind="decision", references=("src/net/my_gateway.py", "gateway.py.bak"))
    for asked in (ContextRequest(current_file="gateway.py"), ContextRequest(recent_files=("gateway.py",))):
        (found,) = recall.context(asked, desk.call()).nodes
        assert found.node.id == gateway.id
        assert found.why == ("refers to a file named gateway.py",)
        assert {"current_file_partial", "recent_files"} & dict(found.factors).keys()
    assert recall.context(ContextRequest(current_file="./gateway.py"), desk.call()).nodes == ()
    root = desk.add("The gateway is started by hand.", references=("gateway.py",)).node
    (found,) = recall.context(ContextRequest(current_file="gateway.py"), desk.call()).nodes
    assert found.node.id == root.id


def test_a_path_with_a_slip_in_it_leads_to_the_one_that_is_nearly_so(desk: Desk, recall: Recall) -> None:
    """The answer says which is meant; a file of that name in another folder is another file."""
    node = desk.add(
        "DHL reports in local time.", kind="insight", references=("services/carriers/adapters/dhl.py",)
    ).node
    slip = ContextRequest(current_file="services/carrier/adapters/dhl.py")
    (found,) = recall.context(slip, desk.call()).nodes
    assert found.node.id == node.id
    assert found.why == ("refers to services/carriers/adapters/dhl.py, not to services/carrier/adapters/dhl.py",)
    assert not recall.context(ContextRequest(current_file="services/billing/adapters/dhl.py"), desk.call()).nodes


@pytest.mark.parametrize("spelt", ["./src/auth/jwt.py", "src\\auth\\jwt.py", "src/auth/jwt.py#L12"])
def test_a_file_is_found_however_a_node_spells_its_path(desk: Desk, recall: Recall, spelt: str) -> None:
    """The current file is named as editors name it; who captured may have been elsewhere."""
    node = desk.add("Rotation keeps a family id.", references=(spelt,)).node
    for number in range(3):
        desk.add(f"Screen {number} is wide.", references=("src/auth/screens.py",))
    (first, *_) = recall.context(ContextRequest(current_file="src/auth/jwt.py"), desk.call()).nodes
    assert (first.node.id, dict(first.factors)["current_file"]) == (node.id, 1.0)
    (hit, *_) = recall.search(SearchRequest(query="src/auth/jwt.py"), desk.call()).hits
    assert (hit.node.id, "reference matches" in hit.why) == (node.id, True)


@pytest.mark.parametrize("root", ["/home/ann/app/", "C:\\work\\app\\", "file:///srv/app/"])
def test_an_absolute_path_is_found_by_what_the_project_calls_it(desk: Desk, recall: Recall, root: str) -> None:
    """Editors and hooks name files so; another project's file of the same name is not meant."""
    node = desk.add("Rotation keeps a family id.", references=("src/auth/jwt.py",)).node
    desk.add("Screens are wide.", references=("lib/jwt.py",))
    at = root + ("src\\auth\\jwt.py" if "\\" in root else "src/auth/jwt.py")
    (found,) = recall.context(ContextRequest(current_file=at), desk.call()).nodes
    assert (found.node.id, dict(found.factors)["current_file"]) == (node.id, 1.0)
    (found,) = recall.context(ContextRequest(recent_files=(f"{at}:12",)), desk.call()).nodes
    assert (found.node.id, dict(found.factors)["recent_files"]) == (node.id, 0.4)
    assert not recall.context(
        ContextRequest(current_file=at.replace("auth", "b").replace("src", "a")), desk.call()
    ).nodes
