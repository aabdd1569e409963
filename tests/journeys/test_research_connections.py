"""Advanced scenarios of ACI, the first half: hidden connections, mechanisms, gaps, roots, transfer, argument, history.

Each asserts what was derived: the steps of the path, the conflict and its grounds, the gap.
"""

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


def test_scenario_1_hidden_connections_from_rem_sleep_to_creativity(notes: Study) -> None:
    """Two routes, the relation that follows from one of them, and a claim that nothing is joined to."""
    notes.claim("rem", "REM sleep replays recent memories in loose order.", "Wilson 1994")
    notes.claim("loose", "Replaying memories loosely joins remote associations.", "Lewis 2018")
    notes.claim("remote", "Remote associations are the raw material of creative insight.", "Mednick 1962")
    notes.claim("calm", "During REM sleep noradrenaline in the brain is low.", "Aston-Jones 1981")
    notes.claim("drift", "Low noradrenaline lets the mind wander between distant ideas.", "Hasselmo 1999")
    notes.claim("insight", "Creative insight joins ideas that were far apart.")
    notes.claim("naps", "Naps with REM sleep improve the solving of word puzzles.")
    notes.argue("rem", "implies", "loose", "Replay out of order pairs what was never together.")
    notes.argue("loose", "implies", "remote", "What is joined can be drawn on.")
    notes.argue("remote", "supports", "insight", "Insight is such a joining.")
    notes.argue("rem", "supports", "calm", "The two go together in the same phase.")
    notes.argue("calm", "implies", "drift", "Noradrenaline keeps attention narrow.")
    notes.argue("drift", "supports", "insight", "Distant ideas meet.")

    found = notes.lineage("REM sleep replays memories", "creative insight joins ideas")
    assert notes.way(found["path"]) == ["rem", "implies>", "loose", "implies>", "remote", "supports>", "insight"]
    assert [notes.way(each["path"]) for each in found["alternatives"]] == [
        ["rem", "supports>", "calm", "implies>", "drift", "supports>", "insight"]
    ]
    (follows,) = notes.analyze("implied", notes.units["rem"], notes.units["insight"])
    assert follows["record_with"]["arguments"]["relation"] == "supports"
    assert len(follows["steps"]) == 3
    gaps = [each for each in notes.analyze("gaps", "REM sleep and creativity") if each["finding"] == "missing_relation"]
    assert notes.names(gaps[0]["units"])[0] == "naps"
    assert "is related to nothing" in gaps[0]["why"]


def test_scenario_2_a_hypothesis_from_a_chain_of_mechanisms(notes: Study) -> None:
    """Every step from the drug to the tumour, and the hypothesis that follows, which one call records."""
    notes.claim("metformin", "Metformin activates the enzyme AMPK.", "Zhou 2001")
    notes.claim("ampk", "Active AMPK switches mTOR off.", "Inoki 2003")
    notes.claim("mtor", "Without mTOR, cells build hardly any new protein.", "Laplante 2012")
    notes.claim("protein", "Tumours starve without new protein.", "Ruggero 2013")
    notes.claim("growth", "Tumour growth slows down.")
    notes.claim("sugar", "Metformin lowers blood sugar in type 2 diabetes.", "UKPDS 1998")
    for source, target, why in (
        ("metformin", "ampk", "AMPK is active where metformin is."),
        ("ampk", "mtor", "mTOR drives protein synthesis."),
        ("mtor", "protein", "Tumours need more of it than other tissue."),
        ("protein", "growth", "No protein, no growth."),
    ):
        notes.argue(source, "implies", target, why)
    notes.argue("sugar", "supports", "metformin", "The effect on sugar runs over AMPK.")

    (follows,) = notes.analyze("implied", notes.units["metformin"], notes.units["growth"])
    assert notes.steps(follows) == [
        ("metformin", "implies", "ampk"),
        ("ampk", "implies", "mtor"),
        ("mtor", "implies", "protein"),
        ("protein", "implies", "growth"),
    ]
    assert "transitive" in follows["why"]
    assert follows["strength"] == pytest.approx(0.8**4)
    recorded = notes.call("connect_propositions", **follows["record_with"]["arguments"])
    assert (recorded["relation"]["type"], recorded["created"]) == ("implies", True)
    assert notes.analyze("implied", notes.units["metformin"], notes.units["growth"]) == []


def test_scenario_3_gaps_in_the_permafrost_feedback(notes: Study) -> None:
    """The loop that is not closed, the premise without support, the amounts without a figure."""
    notes.claim("warm", "Arctic air is warming.", "IPCC 2021")
    notes.claim("thaw", "Warmer Arctic air thaws permafrost.", "Schuur 2015")
    notes.claim("rot", "Thawed permafrost lets microbes rot old plant matter.", "Schuur 2015")
    notes.claim("methane", "Rotting plant matter gives off large amounts of methane.")
    notes.claim("heat", "Methane in the air makes the Arctic air warmer.", "IPCC 2021")
    notes.claim("tip", "Beyond a tipping point permafrost thaws on its own.")
    notes.claim("lakes", "Thaw lakes let methane bubble up.", "Walter 2006")
    for source, target in (("warm", "thaw"), ("thaw", "rot"), ("rot", "methane"), ("methane", "heat")):
        notes.argue(source, "implies", target, "The one brings about the other.")
    notes.argue("tip", "supports", "rot", "It would go on without further warming.")

    found = {each["finding"]: each for each in reversed(notes.analyze("gaps", "permafrost methane feedback"))}
    loop = found["open_loop"]
    assert notes.steps(loop)[0][0] == "warm"
    assert notes.steps(loop)[-1][2] == "heat"
    closing = loop["record_with"]["arguments"]
    assert (notes.name(closing["id_a"]), notes.name(closing["id_b"])) == ("heat", "warm")
    premise = found["unsupported_premise"]
    assert notes.names(premise["units"]) == ["tip", "rot"]
    assert "no support, no citation and no quote" in premise["why"]
    bare = [
        each for each in notes.analyze("gaps", "permafrost methane feedback") if each["finding"] == "missing_figure"
    ]
    assert {notes.names(each["units"])[0] for each in bare} == {"tip", "methane"}
    assert notes.names(found["missing_relation"]["units"])[0] == "lakes"


def test_scenario_4_an_implicit_contradiction_is_traced_to_its_root(notes: Study) -> None:
    """Two claims about the minimum wage conflict because two assumptions about the market do."""
    notes.claim("competitive", "Labour markets are perfectly competitive.")
    notes.claim("floor", "In a competitive market a price floor lowers the quantity demanded.", "Stigler 1946")
    notes.claim("loss", "A higher minimum wage destroys jobs.", "Stigler 1946")
    notes.claim("monopsony", "Employers in many towns have the power to set wages.", "Manning 2003")
    notes.claim("below", "Employers with wage-setting power pay less than workers are worth.", "Manning 2003")
    notes.claim("none", "A higher minimum wage does not destroy jobs.", "Card and Krueger 1994")
    notes.argue("competitive", "implies", "floor", "Demand slopes down.")
    notes.argue("floor", "implies", "loss", "The wage is the price of labour.")
    notes.argue("monopsony", "implies", "below", "They can.")
    notes.argue("below", "implies", "none", "There is room to raise pay before a job stops paying.")
    notes.argue("monopsony", "contradicts", "competitive", "With power over wages no market is competitive.")

    checked = notes.against("A higher minimum wage destroys jobs.")
    explained = {notes.name(row["unit_id"]): row["explanation"] for row in checked["conflicts"]}
    assert "not" in explained["none"]
    (root,) = notes.analyze("root_conflict", "minimum wage and jobs")
    assert set(notes.names(root["units"])[:2]) == {"competitive", "monopsony"}
    assert {row["role"] for row in root["units"][:2]} == {"premise"}
    assert {notes.name(row["unit_id"]) for row in root["units"] if row["role"] == "claim"} == {"loss", "none"}
    assert ("competitive", "contradicts", "monopsony") in notes.steps(root) or (
        "monopsony",
        "contradicts",
        "competitive",
    ) in notes.steps(root)
    assert "nothing beneath these premises clashes" in root["why"]
    surface = root["record_with"]["arguments"]
    assert {notes.name(surface["id_a"]), notes.name(surface["id_b"])} == {"loss", "none"}
    assert surface["relation"] == "contradicts"


def test_scenario_5_ideas_are_carried_from_immunity_to_security(notes: Study) -> None:
    """Four pairs of the two fields that say the like and that no relation joins, each with what they share."""
    for name, text in {
        "skin": "Skin keeps most germs out of the body.",
        "innate": "White blood cells of the immune system attack whatever looks foreign.",
        "adaptive": "The immune system recognises germs by markers it has learned.",
        "tolerance": "The immune system spares the body's own cells.",
        "fever": "Fever slows germs down while defences build up.",
        "wall": "A firewall keeps most attacks out of a computer network.",
        "anomaly": "Anomaly detection in computer security flags traffic that looks foreign.",
        "scanner": "A virus scanner recognises malware on a computer by markers from a list.",
        "allow": "A list of trusted programs spares a computer's own software from being blocked.",
        "backup": "Backups of a computer restore what was lost.",
    }.items():
        notes.claim(name, text)
    for source, target in (
        ("skin", "innate"),
        ("innate", "adaptive"),
        ("adaptive", "tolerance"),
        ("fever", "adaptive"),
    ):
        notes.argue(source, "supports", target, "Both are lines of one defence.")
    for source, target in (("wall", "anomaly"), ("anomaly", "scanner"), ("allow", "scanner"), ("backup", "wall")):
        notes.argue(source, "supports", target, "Both are lines of one defence.")

    found = notes.analyze("gaps", "immune system", "computer security")
    pairs = {frozenset(notes.names(each["units"])) for each in found}
    assert pairs >= {
        frozenset(("skin", "wall")),
        frozenset(("innate", "anomaly")),
        frozenset(("adaptive", "scanner")),
        frozenset(("tolerance", "allow")),
    }
    foreign = next(each for each in found if set(notes.names(each["units"])) == {"innate", "anomaly"})
    assert "foreign" in foreign["why"]
    assert foreign["steps"] == []
    assert "extends" in foreign["record_with"]["relation_choices"]


def test_scenario_6_an_argument_is_laid_out_with_its_counter_argument(notes: Study) -> None:
    """Premises with their evidence on one side, the counter-argument and what answers it on the others."""
    notes.claim("income", "A universal basic income reduces poverty.")
    notes.claim("reach", "Cash without conditions reaches every poor household.", "Standing 2017")
    notes.claim("pilot", "In the Kenyan pilot hunger fell by 42 percent.", "Egger 2022")
    notes.claim("spent", "People spend unconditional cash on food and school.")
    notes.claim("idle", "A universal basic income makes people stop working.")
    notes.claim("finland", "In Finland employment rose slightly under a basic income.", "Kela 2020")
    notes.argue("reach", "supports", "income", "No poor household is left out.")
    notes.argue("pilot", "supports", "reach", "It was measured.")
    notes.argue("spent", "supports", "income", "It goes where need is.")
    notes.argue("idle", "refutes", "income", "Without work incomes fall.")
    notes.argue("finland", "refutes", "idle", "The opposite was seen.")

    found = notes.analyze("perspectives", "Does a universal basic income reduce poverty?")
    sides = [set(notes.names(each["units"])) for each in found if each["finding"] == "side"]
    assert sides == [{"income", "reach", "pilot", "spent"}, {"idle"}, {"finland"}]
    assert ("pilot", "supports", "reach") in notes.steps(found[0])
    clashes = {notes.steps(each)[0] for each in found if each["finding"] == "disagreement"}
    assert clashes == {("idle", "refutes", "income"), ("finland", "refutes", "idle")}
    bare = [each for each in notes.analyze("gaps", notes.units["income"]) if each["finding"] == "unsupported_premise"]
    assert [notes.names(each["units"])[0] for each in bare] == ["spent"]
    checked = notes.against("A universal basic income reduces poverty.")
    assert notes.names(checked["conflicts"]) == ["idle"]
    assert "finland" not in notes.names(checked["supporting"])


def test_scenario_7_a_paradigm_changes_over_time(notes: Study) -> None:
    """From the old belief to the new practice: the break is marked, the sources date the stages."""
    notes.claim("stress", "Stress and stomach acid cause peptic ulcers.", "Textbook 1950")
    notes.claim("sterile", "No bacteria can live in the acid of the stomach.", "Palmer 1954")
    notes.claim("seen", "Spiral bacteria are seen in the stomachs of ulcer patients.", "Warren and Marshall 1984")
    notes.claim("drank", "A doctor who drank the bacteria fell ill with gastritis.", "Marshall 1985")
    notes.claim("pylori", "Infection with Helicobacter pylori causes most peptic ulcers.", "Marshall 1988")
    notes.claim("cure", "Antibiotics cure peptic ulcers for good.", "Hentschel 1993")
    notes.claim("practice", "Ulcer patients with the infection should be given antibiotics.", "NIH consensus 1994")
    notes.argue("sterile", "supports", "stress", "What else could it be.")
    notes.argue("seen", "refutes", "sterile", "They are there.")
    notes.argue("seen", "supports", "pylori", "Wherever there is an ulcer.")
    notes.argue("drank", "supports", "pylori", "Cause, not company.")
    notes.argue("pylori", "refutes", "stress", "Another cause.")
    notes.argue("pylori", "implies", "cure", "Kill the cause.")
    notes.argue("cure", "supports", "practice", "It works.")

    path = notes.lineage("stress causes peptic ulcers", "antibiotics for ulcer patients")["path"]
    assert notes.way(path) == ["stress", "<refutes", "pylori", "implies>", "cure", "supports>", "practice"]
    assert [stop.get("relation_to_next", {}).get("conflict", False) for stop in path] == [True, False, False, False]
    years = [int(stop["source"].rsplit(" ", 1)[-1]) for stop in path]
    assert years == sorted(years)
    assert years[-1] - years[1] == 6
    (root,) = notes.analyze("root_conflict", "what causes peptic ulcers")
    assert set(notes.names(root["units"])[:2]) == {"seen", "sterile"}
    assert {notes.name(row["unit_id"]) for row in root["units"] if row["role"] == "claim"} == {"pylori", "stress"}
