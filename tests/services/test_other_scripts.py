"""Graphs in other languages than English: what is found, and what is not made out of nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from services.readers import asked, recall_of
from weft.model import Filter

if TYPE_CHECKING:
    from pathlib import Path

    from services.desk import Desk

NOTES = {
    "Chinese": ("数据库每天凌晨备份，日志保留三十天", "会议星期一早上九点开始", "客户合同下个月到期", "我家的猫很可爱"),
    "Japanese": (
        "データベースは毎晩バックアップする",
        "会議は月曜日の朝九時に始まる",
        "契約は来月切れる",
        "ネコは魚が好きだ",
    ),
    "Thai": ("ฐานข้อมูลสำรองทุกคืน", "การประชุมเริ่มวันจันทร์เก้าโมงเช้า", "สัญญาของลูกค้าหมดอายุเดือนหน้า", "แมวชอบปลา"),
    "Russian": (
        "Резервная копия базы данных делается каждую ночь",
        "Совещание начинается в понедельник в девять утра",
        "Договор с клиентом истекает в следующем месяце",
        "Кошка любит рыбу",
    ),
    "Amharic": ("የመረጃ ቋቱ በየሌሊቱ ይቀመጣል", "ስብሰባው ሰኞ ጠዋት በሦስት ሰዓት ይጀምራል", "የደንበኛው ውል በሚቀጥለው ወር ያበቃል", "ድመት ዓሣ ትወዳለች"),
    "Hindi": (
        "डेटाबेस का बैकअप हर रात होता है",
        "बैठक सोमवार सुबह नौ बजे शुरू होती है",
        "अनुबंध अगले महीने समाप्त होता है",
        "बिल्ली को मछली पसंद है",
    ),
}


@pytest.mark.parametrize(
    ("language", "query", "wanted"),
    [
        ("Chinese", "备份", 0),
        ("Chinese", "猫", 3),
        ("Chinese", "会议什么时候开始？", 1),
        ("Japanese", "会議", 1),
        ("Japanese", "魚", 3),
        ("Thai", "สัญญา", 2),
        ("Russian", "договоры с клиентами", 2),
        ("Russian", "когда начнётся совещание?", 1),
        ("Amharic", "ስብሰባው", 1),
        ("Hindi", "बैठक", 1),
    ],
)
def test_a_word_of_a_note_finds_it_first(language: str, query: str, wanted: int, desk: Desk, tmp_path: Path) -> None:
    """And nothing that shares no word with it: among notes in five other scripts."""
    made = {each: [desk.add(note).node.id for note in notes] for each, notes in NOTES.items()}
    hits = recall_of(desk, tmp_path).search(asked(query), desk.call()).hits
    assert hits[0].node.id == made[language][wanted]
    assert {hit.node.id for hit in hits} <= set(made[language])


@pytest.mark.parametrize("mode", ["hybrid", "keyword"])
def test_a_character_is_found_wherever_it_stands(mode: str, desk: Desk, tmp_path: Path) -> None:
    """At the start, in the middle and at the end of a run, in titles and tags, and under a filter."""
    texts = ("猫很可爱", "我家的猫很可爱", "我有一只猫")
    inside = [desk.add(text, ontology="home").node.id for text in texts]
    named = desk.add("It sleeps.", title="小猫日记", ontology="home").node.id
    tagged = desk.add("It purrs.", tags=("家猫",), ontology="home").node.id
    desk.add("我家的狗很可爱", ontology="home")
    recall = recall_of(desk, tmp_path)
    for wanted in (Filter(), Filter(ontologies=("home",))):
        found = recall.search(asked("猫", mode=mode, filter=wanted), desk.call()).hits
        assert {hit.node.id for hit in found} == {*inside, named, tagged}


@pytest.mark.parametrize(
    ("text", "query", "told"),
    [
        ("长颈鹿吃金合欢的叶子", "长颈鹿喝什么", "长颈鹿"),
        ("データベースは毎晩バックアップする", "データベースの話", "データベース"),
        ("ฐานข้อมูลสำรองทุกคืน", "ฐานข้อมูล", "ฐานข้อมูล"),
        ("세종대왕은 한글을 만들었다", "세종대왕", "세종대왕"),
    ],
)
def test_a_hit_tells_the_word_that_it_holds_as_it_is_written(
    text: str, query: str, told: str, desk: Desk, tmp_path: Path
) -> None:
    """And not the pairs of characters that it is looked up by."""
    desk.add(text)
    (hit,) = recall_of(desk, tmp_path).search(asked(query), desk.call()).hits
    assert f"words: {told}" in hit.why


@pytest.mark.parametrize("language", list(NOTES))
def test_notes_with_nothing_in_common_are_not_related(language: str, desk: Desk) -> None:
    """Not by a rule, not as a suggestion, and none is taken for another: a problem is not solved by the next note."""
    kinds = ("problem", "solution", "decision", "concept")
    for note, kind in zip(NOTES[language], kinds, strict=True):
        captured = desk.add(note, kind=kind)
        assert not captured.relations
        assert not captured.suggestions
        assert not captured.near_duplicates
        assert not captured.related


def test_an_emoji_is_not_another_one(desk: Desk) -> None:
    """Two memories of one picture each."""
    desk.add("👍👍", kind="claim")
    captured = desk.add("🎉", kind="claim")
    assert not captured.near_duplicates
    assert not captured.suggestions
