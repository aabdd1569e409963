"""What can be told of texts in other languages."""

from __future__ import annotations

import pytest

from weft.reason.foreign import denials, denied, legible
from weft.reason.judge import judge


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
