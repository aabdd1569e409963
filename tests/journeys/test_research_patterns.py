"""Advanced scenarios of ACI, the second half: perspectives, patterns, predictions, audits, agendas, rivals, origins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from journeys.study import Study, study

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def notes(tmp_path: Path) -> Iterator[Study]:
    """An empty study."""
    with study(tmp_path) as opened:
        yield opened


def test_scenario_8_perspectives_on_the_risk_of_ai(notes: Study) -> None:
    """Two positions with what speaks for each, the disagreement between them, and what both hold."""
    notes.claim("doom", "Advanced AI is likely to escape human control.", "Bostrom 2014")
    notes.claim("tool", "Advanced AI will remain a tool under human control.", "LeCun 2022")
    notes.claim("able", "AI systems keep getting more capable.", "Epoch 2023")
    notes.claim("goals", "A capable system may pursue goals nobody meant.", "Omohundro 2008")
    notes.claim("design", "Goals are set by the engineers who build a system.", "LeCun 2022")
    notes.claim("test", "AI systems should be tested before they are released.")
    notes.argue("goals", "supports", "doom", "What it wants may not be what we want.")
    notes.argue("able", "supports", "doom", "The more capable, the harder to stop.")
    notes.argue("able", "supports", "tool", "The more capable, the more useful.")
    notes.argue("design", "supports", "tool", "Nobody builds in a wish to escape.")
    notes.argue("doom", "contradicts", "tool", "Both cannot come true.")
    notes.argue("doom", "implies", "test", "To see it coming.")
    notes.argue("tool", "implies", "test", "As with any tool.")

    found = notes.analyze("perspectives", "Is advanced AI a danger to humanity?")
    sides = [set(notes.names(each["units"])) for each in found if each["finding"] == "side"]
    assert sorted(map(sorted, sides)) == [["design", "tool"], ["doom", "goals"]]
    (clash,) = [each for each in found if each["finding"] == "disagreement"]
    assert set(notes.names(clash["units"])) == {"doom", "tool"}
    assert "Both cannot come true." in clash["why"]
    common = [notes.names(each["units"])[0] for each in found if each["finding"] == "common_ground"]
    assert sorted(common) == ["able", "test"]


def test_scenario_9_one_mechanism_behind_unlike_systems(notes: Study) -> None:
    """What cities and web pages share, and what lies beneath cities and earthquakes."""
    notes.claim("city", "City sizes follow a power law.", "Zipf 1949")
    notes.claim("quake", "Earthquake magnitudes follow a power law.", "Gutenberg and Richter 1944")
    notes.claim("web", "Links between web pages follow a power law.", "Barabasi 1999")
    notes.claim("rich", "What is large attracts more growth: preferential attachment.", "Simon 1955")
    notes.claim("edge", "Slowly driven systems organise themselves to the edge of collapse.", "Bak 1987")
    notes.claim("scale", "Growth without a typical scale yields power laws.", "Newman 2005")
    notes.claim("fires", "Forest fire areas have a heavy tail.", "Malamud 1998")
    for source, target in (("rich", "city"), ("rich", "web"), ("edge", "quake"), ("edge", "fires")):
        notes.argue(source, "implies", target, "It is the mechanism.")
    notes.argue("scale", "implies", "rich", "Attachment has no scale.")
    notes.argue("scale", "implies", "edge", "The edge has no scale either.")

    (near,) = notes.analyze("hubs", "city sizes", "links between web pages")
    assert notes.names(near["units"])[0] == "rich"
    assert notes.steps(near) == [("rich", "implies", "city"), ("rich", "implies", "web")]
    assert "Both rest on it" in near["why"]
    (far,) = notes.analyze("hubs", notes.units["city"], notes.units["quake"])
    assert notes.names(far["units"])[0] == "scale"
    assert len(far["steps"]) == 4
    busiest = notes.analyze("hubs", "power law")
    assert {notes.names(each["units"])[0] for each in busiest[:2]} == {"rich", "edge"}


def test_scenario_10_predictions_with_their_evidence_and_their_risk(notes: Study) -> None:
    """What follows from how people work today, step by step, and what would undo it."""
    notes.claim("remote", "Half of all office workers work from home two days a week.", "Barrero 2023")
    notes.claim("empty", "Offices in city centres stand half empty.", "Kastle 2023")
    notes.claim("rents", "Rents of offices in city centres will fall.")
    notes.claim("tax", "Cities will lose tax income from offices.")
    notes.claim("homes", "Some offices will be turned into homes.")
    notes.claim("return", "Employers will call their workers back to the office.")
    notes.argue("remote", "implies", "empty", "A desk is used three days of five.")
    notes.argue("empty", "implies", "rents", "Supply exceeds demand.")
    notes.argue("rents", "implies", "tax", "Property is taxed by its value.")
    notes.argue("rents", "supports", "homes", "Homes pay more then.")
    notes.argue("return", "refutes", "empty", "Then they fill up again.")

    found = notes.analyze("implied", notes.units["remote"])
    predicted = {notes.names(each["units"])[-1]: each for each in found if each["finding"] == "implied"}
    assert set(predicted) == {"rents", "tax", "homes"}
    assert notes.steps(predicted["tax"]) == [
        ("remote", "implies", "empty"),
        ("empty", "implies", "rents"),
        ("rents", "implies", "tax"),
    ]
    assert predicted["tax"]["strength"] < predicted["rents"]["strength"]
    assert predicted["homes"]["record_with"]["arguments"]["relation"] == "supports"
    (risk,) = [each for each in found if each["finding"] == "implied_conflict"]
    assert notes.names(risk["units"])[0] == "return"
    assert ("return", "refutes", "empty") in notes.steps(risk)


def test_scenario_11_a_claim_is_audited_and_put_right(notes: Study) -> None:
    """What speaks for chocolate and what against, which gap is left, and the corrected claim in its place."""
    notes.claim("long", "Eating chocolate makes people live longer.")
    notes.claim("survey", "Men who eat chocolate lived almost a year longer.", "Lee and Paffenbarger 1999")
    notes.claim("pressure", "Cocoa flavanols lower blood pressure a little.")
    notes.claim("sugar", "Chocolate bars are mostly sugar and fat.", "Label")
    notes.claim("habits", "People who eat chocolate in moderation also smoke less.", "Buijsse 2010")
    notes.argue("survey", "supports", "long", "Seen in 7,841 men.")
    notes.argue("pressure", "supports", "long", "High pressure shortens life.")
    notes.argue("sugar", "refutes", "long", "Sugar and fat shorten life.")
    notes.argue("habits", "refutes", "survey", "The difference is theirs, not the chocolate's.")

    audit = notes.against("Eating chocolate makes people live longer.")
    assert set(notes.names(audit["supporting"])) == {"survey", "pressure"}
    assert set(notes.names(audit["conflicts"])) == {"sugar", "habits"}
    explained = {notes.name(row["unit_id"]): row["explanation"] for row in audit["conflicts"]}
    assert "which supports the claim" in explained["habits"]
    gaps = [each for each in notes.analyze("gaps", notes.units["long"]) if each["finding"] == "unsupported_premise"]
    assert [notes.names(each["units"])[0] for each in gaps] == ["pressure"]
    notes.claim("right", "Whether chocolate lengthens life is not known.")
    notes.argue("right", "refutes", "long", "The survey compared unlike people.")
    notes.argue("habits", "supports", "right", "Unlike people were compared.")
    assert "right" in notes.names(notes.against("Eating chocolate makes people live longer.")["conflicts"])


def test_scenario_12_a_research_agenda_from_open_problems(notes: Study) -> None:
    """The open premise, the claims that hang on nothing, and the hub that most problems hang on."""
    notes.claim("spec", "AI alignment needs goals that say what people really want.", "Russell 2019")
    notes.claim("gamed", "Learned rewards are gamed by the agents that are trained on them.", "Krakovna 2020")
    notes.claim("feedback", "Human feedback steers language models toward what people want.", "Christiano 2017")
    notes.claim("limits", "People cannot judge answers that are beyond them.", "Bowman 2022")
    notes.claim("debate", "Two AI systems that debate let people judge hard answers.", "Irving 2018")
    notes.claim("inner", "A trained AI may hold goals other than those it was trained for.")
    notes.claim("honest", "Alignment of AI requires systems that report honestly what they know.")
    notes.argue("feedback", "supports", "spec", "It is one way to say it.")
    notes.argue("gamed", "refutes", "feedback", "Feedback is a learned reward.")
    notes.argue("limits", "refutes", "feedback", "It ends where people cannot judge.")
    notes.argue("debate", "extends", "feedback", "It helps the people who judge.")
    notes.argue("inner", "supports", "gamed", "Gaming is such a goal.")

    gaps = notes.analyze("gaps", "AI alignment")
    open_premises = [notes.names(each["units"])[0] for each in gaps if each["finding"] == "unsupported_premise"]
    assert open_premises == ["inner"]
    apart = [each for each in gaps if each["finding"] == "missing_relation"]
    assert [notes.names(each["units"]) for each in apart] == [["honest", "spec"]]
    first, *_ = notes.analyze("hubs", "AI alignment")
    assert notes.names(first["units"])[0] == "feedback"
    assert "2 of these relations speak against" in first["why"]


def test_scenario_13_an_unexpected_answer_to_a_stated_problem(notes: Study) -> None:
    """Termites and hot cities: the way between them, and that no wording would have shown it."""
    notes.claim("hot", "Cities become too hot in summer.", "Oke 1982")
    notes.claim("asphalt", "Dark asphalt stores the heat of the day.", "Akbari 2001")
    notes.claim("termites", "Termite mounds stay cool by drawing air through their walls.", "Turner 2001")
    notes.claim("harare", "A building in Harare is cooled by air drawn through its walls.", "Pearce 1996")
    notes.claim("cool", "Buildings can stay cool without power.")
    notes.claim("roots", "Mangrove roots break the force of storm waves.", "Menendez 2020")
    notes.claim("flood", "Coastal towns are flooded by storm waves.")
    notes.argue("asphalt", "implies", "hot", "It gives it back at night.")
    notes.argue("harare", "extends", "termites", "It was built after the mounds.")
    notes.argue("harare", "supports", "cool", "It has stood without air conditioning since 1996.")
    notes.argue("cool", "refutes", "hot", "A city of such buildings is not.")
    notes.argue("roots", "refutes", "flood", "Waves arrive with little force.")

    path = notes.lineage("termite mounds", "cities too hot in summer")["path"]
    assert notes.way(path) == ["termites", "<extends", "harare", "supports>", "cool", "refutes>", "hot"]
    (idea,) = notes.analyze("implied", notes.units["hot"])
    assert notes.names(idea["units"]) == ["harare", "cool", "hot"]
    assert "Their wording does not show it" in idea["why"]
    assert not notes.lineage("mangrove roots", "cities too hot in summer")["connected"]


def test_scenario_14_what_a_rival_plans_and_does_next(notes: Study) -> None:
    """Three signals meet in one plan; the next move follows from each of them."""
    notes.claim("hires", "The rival hired forty battery engineers.", "Job board 2024")
    notes.claim("patent", "The rival filed patents on solid electrolytes.", "Patent office 2024")
    notes.claim("plant", "The rival leased a plant beside a lithium refinery.", "Local news 2024")
    notes.claim("cells", "The rival means to build battery cells of its own.")
    notes.claim("supplier", "The rival will end its contract with its cell supplier.")
    notes.claim("price", "The rival will undercut our prices.")
    for signal in ("hires", "patent", "plant"):
        notes.argue(signal, "supports", "cells", "Nobody else needs that.")
    notes.argue("cells", "implies", "supplier", "Two sources would be too many.")
    notes.argue("supplier", "supports", "price", "The supplier's margin goes.")

    plan, *_ = notes.analyze("hubs", "What does the rival plan?")
    assert notes.names(plan["units"])[0] == "cells"
    assert "3 supports" in plan["why"]
    moves = notes.analyze("implied", notes.units["price"])
    grounds = {notes.names(each["units"])[0]: len(each["steps"]) for each in moves}
    assert grounds == {"cells": 2, "hires": 3, "patent": 3, "plant": 3}


def test_scenario_15_the_ancestry_of_an_idea(notes: Study) -> None:
    """The line from packets to the web, and the point where two lines of descent meet."""
    notes.claim("packet", "Messages can be cut into packets that travel apart.", "Baran 1964")
    notes.claim("queue", "Queueing theory shows that shared lines are used best.", "Kleinrock 1961")
    notes.claim("arpanet", "The ARPANET joined four computers by packet switching.", "ARPA 1969")
    notes.claim("tcp", "TCP joins networks of any make.", "Cerf and Kahn 1974")
    notes.claim("memex", "A machine could follow trails of links between documents.", "Bush 1945")
    notes.claim("hyper", "Hypertext lets readers jump from text to text.", "Nelson 1965")
    notes.claim("www", "The World Wide Web serves hypertext over the internet.", "Berners-Lee 1989")
    notes.claim("dns", "Names of machines are looked up in a distributed directory.", "Mockapetris 1983")
    for child, parent in (
        ("arpanet", "packet"),
        ("arpanet", "queue"),
        ("tcp", "arpanet"),
        ("hyper", "memex"),
        ("www", "hyper"),
        ("www", "tcp"),
        ("www", "dns"),
    ):
        notes.argue(child, "extends", parent, "It is built on it.")

    path = notes.lineage("packets that travel apart", "World Wide Web")["path"]
    assert notes.way(path) == ["packet", "<extends", "arpanet", "<extends", "tcp", "<extends", "www"]
    (meeting,) = notes.analyze("hubs", notes.units["packet"], notes.units["memex"])
    assert notes.names(meeting["units"])[0] == "www"
    assert "It rests on both: the two lines meet in it." in meeting["why"]
    ancestors = {notes.names(each["units"])[-1] for each in notes.analyze("implied", notes.units["www"])}
    assert ancestors == {"arpanet", "packet", "queue", "memex"}
