"""What can be told of texts in other languages."""

from __future__ import annotations

import pytest

from weft.reason.clause import read
from weft.reason.foreign import denials, denied, is_anaphoric, legible
from weft.reason.judge import judge
from weft.reason.statement import statements


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Das Treffen beginnt nicht, und keine Post kommt.", 2),
        ("«Нет», сказал он. Не сегодня!", 2),
        ("बैठक नहीं होगी", 1),
        ("会议不开始", 1),
        ("始まらない", 1),
        ("Not at all, never, no.", 0),
        ("", 0),
    ],
)
def test_denials_are_counted_in_many_languages(text: str, count: int) -> None:
    """By word, and within a run where there are no spaces; English has its own tables."""
    assert denials(text) == count


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("Sessions are kept.", "Sessions are kept in Redis.", True),
        ("Die Post kommt.", "Die Post kommt heute.", True),
        ("Die Post kommt.", "Die Post kommt nicht.", False),
        ("Sessions are kept.", "Сессии хранятся", False),
        ("Kubernetes 部署", "Kubernetes 部署", True),
        ("12", "", True),
    ],
)
def test_texts_are_legible_together_in_ascii_letters_and_with_the_same_denials(
    one: str, other: str, *, expected: bool
) -> None:
    """Whichever comes first."""
    assert legible(one, other) is legible(other, one) is expected


STATED_AND_DENIED = [
    ("Das Treffen beginnt am Montag", "Das Treffen beginnt nicht am Montag", "nicht"),
    ("La réunion commence lundi", "La réunion ne commence pas lundi.", "ne"),
    ("A reunião começa segunda", "A reunião não começa segunda", "não"),
    ("Сессии хранятся в базе", "Сессии не хранятся в базе", "не"),
    ("Spotkanie zaczyna się rano", "Spotkanie nie zaczyna się rano", "nie"),
    ("बैठक सुबह शुरू होती है", "बैठक सुबह शुरू नहीं होती है", "नहीं"),
    ("会议星期一开始", "会议星期一不开始", "不"),
]


@pytest.mark.parametrize(("stated", "said_not", "word"), STATED_AND_DENIED)
def test_what_is_denied_in_the_same_words_is_a_conflict_in_many_languages(
    stated: str, said_not: str, word: str
) -> None:
    """Whichever of the two is the claim, and however alike they are; the ground names the word."""
    for one, other in ((stated, said_not), (said_not, stated)):
        verdict = judge(one, other, similarity=0.97)
        assert denied(one, other) == word
        assert verdict.verdict == "conflicts"
        assert f"({word})" in verdict.grounds[0]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Das Treffen beginnt am Montag", "Das Seminar beginnt nicht am Montag"),
        ("Он никогда не приходит", "Он не приходит"),
        ("Beginnt das Treffen am Montag?", "Das Treffen beginnt nicht am Montag"),
        ("始まるのは九時だ", "始まらないのは九時だ"),
    ],
)
def test_a_denial_of_something_else_or_of_a_question_decides_nothing(one: str, other: str) -> None:
    """Neither a conflict nor, however alike the two are, support."""
    assert judge(one, other, similarity=0.99).verdict == "unsure"
    assert judge(other, one, similarity=0.99).verdict == "unsure"


DOCUMENTS = {
    "Chinese": """# 备份

数据库每天凌晨自动备份。完成后系统发送邮件。

安全团队保管所有的密钥。谁负责恢复？

日志不包含客户的个人信息！

“演练每个季度进行一次。”

- 备份使用加密传输。
- 没有句号的一项
""",
    "Japanese": """# バックアップ

データベースは毎晩保存される。完了すると通知が届く。

安全チームは全ての鍵を管理します。誰が担当するのか？

ログに個人情報は残る！

「訓練は四半期ごとに行う。」

- 転送は暗号化される。
- 句点のない項目
""",
    "Hindi": """# बैकअप

डेटाबेस का बैकअप हर रात होता है। पूरा होने पर सूचना भेजी जाती है।

कुंजी सुरक्षा टीम के पास रहती है। बहाली कौन करता है?

लॉग में निजी जानकारी होती है!

“अभ्यास हर तिमाही में होता है।”

- स्थानांतरण कूट रूप में होता है।
- बिना विराम की बात
""",
    "Arabic": """# النسخ

تنسخ قاعدة البيانات كل ليلة. ثم ترسل رسالة إشعار.

يحفظ فريق الأمن كل المفاتيح. من المسؤول عن الاستعادة؟

السجلات تحتوي على معلومات!

«التدريب كل ثلاثة أشهر.»

- هل النقل مشفر؟
- بند بلا نقطة
""",
    "Urdu": """# بیک اپ

ڈیٹا بیس کا بیک اپ ہر رات ہوتا ہے۔ پھر اطلاع بھیجی جاتی ہے۔

چابی سیکیورٹی ٹیم کے پاس رہتی ہے۔ بحالی کون کرتا ہے؟

لاگ میں معلومات ہوتی ہیں!

”مشق ہر سہ ماہی میں ہوتی ہے۔“

- منتقلی خفیہ ہوتی ہے۔
- بغیر نشان کی بات
""",
}
DENIED = {  # in Japanese a denial changes the verb's ending, so such pairs are left to the caller
    "Chinese": ("安全团队保管所有的密钥。", "安全团队不保管所有的密钥。"),
    "Hindi": ("कुंजी सुरक्षा टीम के पास रहती है।", "कुंजी सुरक्षा टीम के पास नहीं रहती है।"),
    "Arabic": ("يحفظ فريق الأمن كل المفاتيح.", "لا يحفظ فريق الأمن كل المفاتيح."),
}


@pytest.mark.parametrize("language", list(DOCUMENTS))
def test_the_sentences_of_a_text_of_several_paragraphs_are_read_in_any_script(language: str) -> None:
    """As of English ones, with the marks that end them there; headings and items without one state nothing."""
    text = DOCUMENTS[language]
    assert len(statements(text)) == 7
    assert not any(each.startswith("#") or "\n" in each for each in statements(text))


@pytest.mark.parametrize("language", list(DENIED))
def test_what_one_sentence_of_several_denies_is_a_conflict(language: str) -> None:
    """In a text of several paragraphs too, whichever of the two is the claim; the whole text does not deny itself."""
    text, (stated, said_not) = DOCUMENTS[language], DENIED[language]
    assert stated in text
    assert judge(said_not, text, similarity=0.8).verdict == "conflicts"
    assert judge(text, text.replace(stated, said_not), similarity=0.8).verdict == "conflicts"
    assert judge(stated, text, similarity=0.6).verdict == "unsure"
    assert judge(text, text, similarity=1.0).verdict != "conflicts"


@pytest.mark.parametrize("one", list(DOCUMENTS))
@pytest.mark.parametrize("other", list(DOCUMENTS))
def test_texts_of_several_paragraphs_do_not_conflict_for_having_denials(one: str, other: str) -> None:
    """Neither one with another, nor with its own sentences in another order."""
    text, other_text = DOCUMENTS[one], DOCUMENTS[other]
    turned = "\n\n".join(reversed(other_text.split("\n\n")))
    assert judge(text, other_text, similarity=0.9).verdict != "conflicts"
    assert judge(text, turned, similarity=0.9).verdict != "conflicts"


@pytest.mark.parametrize(
    ("stated", "said_not"),
    [
        ("它支持端到端的加密传输。", "它不支持端到端的加密传输。"),
        ("需要密码。", "不需要密码。"),
        ("Он поддерживает шифрование всех данных.", "Он не поддерживает шифрование всех данных."),
        ("Поддерживает шифрование.", "Не поддерживает шифрование."),
        ("यह सभी डेटा कूट रूप में रखता है।", "यह सभी डेटा कूट रूप में नहीं रखता है।"),
        ("هو يحفظ كل المفاتيح هنا.", "هو لا يحفظ كل المفاتيح هنا."),
        ("Diese speichert alle Daten verschlüsselt.", "Diese speichert nicht alle Daten verschlüsselt."),
    ],
)
def test_a_sentence_that_leans_on_those_before_it_decides_nothing_among_several(stated: str, said_not: str) -> None:
    """«It» may be something else in the other text, and many languages leave out a subject that was named before."""
    before, other = "Redis。", "MySQL。"
    texts = [f"{opening}\n\n{said}" for opening, said in ((before, stated), (other, said_not))]
    assert judge(texts[0], texts[1], similarity=0.8).verdict == "unsure"
    assert judge(stated, said_not, similarity=0.8).verdict == "conflicts"


def test_english_sentences_lean_on_nothing_in_other_languages() -> None:
    """Abbreviations and names that are spelt as such words are."""
    for sentence in ("IL-6 increases.", "CE marking is required.", "Data is kept.", "", "…", "42"):
        assert not is_anaphoric(sentence)


@pytest.mark.parametrize("question", ["会议星期一开始？", "会议星期一开始?", "هل يبدأ الاجتماع غدا؟"])
def test_a_question_asks_whatever_its_mark(question: str) -> None:
    """So that nothing conflicts with it."""
    assert read(question).asks
    assert judge(question, question.replace("开始", "不开始").replace("هل", "لا"), similarity=0.9).verdict == "unsure"


def test_words_keep_their_vowels_when_they_are_read() -> None:
    """In Hindi they are marks: «दिन» is a day, «दीन» a poor man."""
    assert read("दिन बड़ा है").content == {"दिन", "बड़ा", "है"}
    assert read("يُحفظ المفتاح").content == {"يُحفظ", "المفتاح"}
    assert judge("वह दिन अच्छा था और हम साथ थे", "वह दीन अच्छा था और हम साथ थे", similarity=0.95).verdict == "unsure"
