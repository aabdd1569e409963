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


@pytest.mark.parametrize(
    ("title", "text", "mentioned"),
    [
        ("アメリカ", "アメリカンコーヒーを飲む", False),
        ("テキスト", "コンテキストを渡す", False),
        ("テキスト", "テキストを渡す", True),
        ("データベース", "データベースエラーの一覧", True),
        ("의사", "회의사항을 기록한다", False),
        ("의사", "의사에게 물었다", True),
        ("도로", "제도로 정했다", False),
        ("결제", "결제서버를 바꾼다", True),
    ],
)
def test_a_name_is_no_mention_within_another_word(title: str, text: str, *, mentioned: bool, desk: Desk) -> None:
    """Of Katakana a compound of whole words mentions them, of Hangul a word what it begins with."""
    before = desk.add(text, title="x").node
    named = desk.add("It is what it is.", title=title).node
    after = desk.add(f"{text}。", title="y").node
    found = {(each.node, each.target) for each in desk.shelf.mentions((before.id, after.id), per_node=9)}
    assert found == ({(before.id, named.id), (after.id, named.id)} if mentioned else set())


BACKUPS = {
    "Chinese": """## 备份

数据库每天凌晨两点自动备份。完成后系统会发送通知邮件。

安全团队保管所有的密钥。谁负责恢复？

备份文件保留三十天，每月第一天的备份保留一年。

- 备份使用加密传输。
- 日志不包含客户的个人信息！
""",
    "Hindi": """## बैकअप

डेटाबेस का बैकअप हर रात दो बजे होता है। पूरा होने पर सूचना भेजी जाती है।

कुंजी सुरक्षा टीम के पास रहती है। बहाली कौन करता है?

बैकअप फ़ाइलें तीस दिन तक रखी जाती हैं।

- स्थानांतरण कूट रूप में होता है।
- लॉग में निजी जानकारी नहीं होती!
""",
    "Arabic": """## النسخ

تنسخ قاعدة البيانات كل ليلة في الساعة الثانية. ثم ترسل رسالة إشعار.

يحفظ فريق الأمن كل المفاتيح. من المسؤول عن الاستعادة؟

تحفظ ملفات النسخ ثلاثين يوما.

- هل النقل مشفر؟
- لا تحتوي السجلات على معلومات شخصية!
""",
}
DENIED = {
    "Chinese": ("团队保管", "团队不保管"),
    "Hindi": ("पास रहती", "पास नहीं रहती"),
    "Arabic": ("يحفظ فريق", "لا يحفظ فريق"),
}


@pytest.mark.parametrize("language", list(BACKUPS))
def test_a_text_of_several_paragraphs_that_denies_a_sentence_of_another_conflicts_with_it(
    language: str, desk: Desk
) -> None:
    """With that one of three in three languages, and it is not taken for a repetition; the three are left in peace."""
    made = {each: desk.add(text, kind="claim") for each, text in BACKUPS.items()}
    assert not any(each.conflicts or each.near_duplicates or each.relations for each in made.values())
    denied = desk.add(BACKUPS[language].replace(*DENIED[language]), kind="claim")
    assert [side.node.id for side in denied.conflicts] == [made[language].node.id]
    assert not denied.near_duplicates
