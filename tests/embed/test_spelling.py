"""Texts in scripts that the network cannot read: compared by their letters, and as likely to be alike as they are."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from embed.remembered import BUNDLED
from weft.embed.minilm import MiniLM
from weft.embed.spelling import spelled

PLAIN: Final = MiniLM(cache=0)
STRANGERS: Final = [
    ("Сервер базы данных падает каждую ночь в три часа", "Отпуск согласуется за две недели до начала"),
    ("数据库服务器每天凌晨三点崩溃", "每周五向供应商订购咖啡"),
    ("データベースは毎晩三時に落ちる", "金曜日に業者へコーヒーを注文する"),
    ("회의는 월요일 아침 아홉 시에 시작한다", "고객과의 계약은 다음 달에 끝난다"),
    ("ስብሰባው ሰኞ ጠዋት ይጀምራል", "የደንበኛው ውል በሚቀጥለው ወር ያበቃል"),
    ("يبدأ الاجتماع صباح الاثنين", "تعطل الخادم الليلة الماضية"),
    ("บทความนี้เกี่ยวกับแมว", "เซิร์ฟเวอร์ล่มเมื่อคืน"),
    ("👍👍", "🎉"),
]


@pytest.mark.parametrize(("one", "other"), STRANGERS)
def test_two_texts_that_share_no_word_are_not_alike(one: str, other: str) -> None:
    """In any script: «unrelated» is a similarity under 0.50."""
    assert _similarity(one, other) < 0.4


@pytest.mark.parametrize(("one", "other"), STRANGERS)
def test_the_network_alone_takes_them_for_alike(one: str, other: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin: without their letters the same pairs lie as near as texts on one matter do, or nearer."""
    monkeypatch.setattr("weft.embed.minilm.understood", lambda *_: 1.0)
    assert _similarity(one, other, PLAIN) > 0.5


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Сервер базы данных падает каждую ночь", "Серверы баз данных падали каждой ночью"),
        ("数据库服务器每天凌晨三点崩溃", "凌晨三点数据库服务器崩溃"),
        ("회의는 월요일 아침에 시작한다", "월요일 아침에 회의가 시작한다"),
        ("የደንበኛው ውል ያበቃል", "ውል ያበቃል የደንበኛው"),
    ],
)
def test_the_same_words_in_other_forms_or_order_are_alike(one: str, other: str) -> None:
    """0.70 and more, which 1 % of random pairs reach."""
    assert _similarity(one, other) >= 0.7


def test_a_text_in_two_scripts_is_compared_by_both() -> None:
    """The English part by what it means, the rest by its letters."""
    text = "Kubernetes 部署失败，因为镜像拉取超时"
    same_rest = "Terraform 部署失败，因为镜像拉取超时"
    other = "The picnic was moved to Sunday"
    assert _similarity(text, same_rest) > 0.7
    assert _similarity(text, "Kubernetes deployment") > _similarity(text, other)


@pytest.mark.parametrize(
    "text",
    [
        "Sessions are kept in Redis.",
        "x = a + b  # ∀ x",
        "Die Prüfung beginnt um neun Uhr früh, außer am Samstag.",
        "Réunion à l'hôtel: où étiez-vous?",
        "Zażółć gęślą jaźń w poniedziałek rano",
        "“Quoted” — and dashed…",
        "—",
        "",
    ],
)
def test_what_the_network_reads_is_left_as_it_is(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """English, code, marks, and other languages in Latin letters: the same to the byte as without all this."""
    vector = PLAIN.embed([text])
    monkeypatch.setattr("weft.embed.minilm.understood", lambda *_: 1.0)
    assert vector.tobytes() == PLAIN.embed([text]).tobytes()


def test_words_that_the_network_cannot_read_have_no_vectors() -> None:
    """All unknown words have one and the same: each would be the nearest of each."""
    russian, mixed = BUNDLED.embed_words(["Сервер упал", "Kubernetes 部署失败"])
    assert russian.words == ()
    assert mixed.words == ("kubernetes",)


def test_letters_are_counted_where_they_were_on_every_machine() -> None:
    """Vectors are kept: two groups of letters, each at two places, must fall on the same ones for good."""
    nothing = np.zeros(384, np.float32)
    nothing[0] = 1.0
    made = spelled("да", nothing, 0.0)
    places = {int(place): round(float(made[place]), 3) for place in np.flatnonzero(made)}
    assert places == {14: -0.5, 69: 0.5, 74: 0.5, 236: 0.5}


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet=st.sampled_from(list("aб日ก👍 .ሰ́-…ß\u200d")), max_size=60) | st.text(max_size=60))
def test_every_text_has_a_vector_of_length_one_that_is_its_own(text: str) -> None:
    """Whatever it is written in; the two ways to embed agree."""
    text = text.encode("utf-8", "ignore").decode()
    (read,) = BUNDLED.embed_words([text])
    assert float(np.linalg.norm(read.vector)) == pytest.approx(1.0, abs=1e-5)
    assert np.array_equal(read.vector, PLAIN.embed([text])[0])


def _similarity(one: str, other: str, model: MiniLM = BUNDLED) -> float:
    first, second = model.embed([one, other])
    return model.calibration.similarity(float(first @ second))
