"""The bundled model: the contract, sameness to the byte, closeness to the float model, and a light start."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import weft
from embed.remembered import BUNDLED
from weft.embed import minilm
from weft.embed.minilm import TOKENS_MAX, MiniLM
from weft.embed.pooling import pooled
from weft.embed.reading import CHARACTERS_MAX
from weft.errors import InvalidArgument
from weft.testing.embedder import EmbedderContract

SHARED = MiniLM()
SENTENCES = [
    "Sessions are kept in Redis.",
    "We keep sessions in PostgreSQL since March, because Redis lost them on restart.",
    "x" * 300,
    "Why does the build fail on Windows but not on Linux, and since which release?",
    "ok",
    "The parser reads one token ahead; everything else follows from that. " * 6,
]


class TestContract(EmbedderContract):
    """The shipped contract."""

    def make(self) -> MiniLM:
        return MiniLM()


class TestContractInThreads(EmbedderContract):
    """The same for bulk work."""

    def make(self) -> MiniLM:
        return MiniLM(threads=3, cache=0)


def test_company_order_threads_and_cache_change_no_byte() -> None:
    """A text's vector depends on the text alone, so duplicates and receipts can rely on it."""
    alone = [MiniLM(cache=0).embed([text]).tobytes() for text in SENTENCES]
    for embedder in (SHARED, MiniLM(threads=2), MiniLM(threads=7, cache=0)):
        assert [row.tobytes() for row in embedder.embed(SENTENCES)] == alone
        assert [row.tobytes() for row in embedder.embed(SENTENCES[::-1])] == alone[::-1]
        assert [embedder.embed([text]).tobytes() for text in SENTENCES * 2] == alone * 2


def test_what_the_tokenizer_made_of_a_text_is_asked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It lists all tokens anew each time: asked once a word, that was a tenth of what a passage costs."""
    asked: Counter[str] = Counter()

    class Heard:
        def __init__(self, encoding: object) -> None:
            self._encoding = encoding

        def __getattr__(self, name: str) -> object:
            asked[name] += 1
            return getattr(self._encoding, name)

    (known,) = SHARED.embed_words([SENTENCES[-1]])
    monkeypatch.setattr(minilm, "pooled", lambda text, encoding, states: pooled(text, Heard(encoding), states))
    (found,) = MiniLM(cache=0).embed_words([SENTENCES[-1]])
    assert np.array_equal(found.word_vectors, known.word_vectors)
    assert set(asked.values()) == {1}


def test_vectors_are_close_to_the_float_models() -> None:
    """Cosine of 0.99 or more to vectors that scripts/build_model.py wrote from the float weights."""
    exact = json.loads(Path(__file__).with_name("float_vectors.json").read_text("utf-8"))
    cosines = np.einsum("ij,ij->i", SHARED.embed(list(exact)), np.array(list(exact.values())))
    assert cosines.min() >= 0.99


def test_the_float_vectors_are_no_formality() -> None:
    """The twin: another sentence's float vector is far off."""
    exact = list(json.loads(Path(__file__).with_name("float_vectors.json").read_text("utf-8")).items())
    assert SHARED.embed([exact[0][0]])[0] @ np.array(exact[1][1]) < 0.5


def test_paraphrases_reach_what_their_calibration_calls_obvious() -> None:
    """Model and map together: the same point is obvious, another subject is below the middle."""
    first, same, near, other = SHARED.embed(
        [
            "The server keeps user sessions in Redis.",
            "User sessions are stored in Redis by the server.",
            "Sessions expire after thirty minutes.",
            "The recipe needs three eggs and some butter.",
        ]
    )
    likeness = SHARED.calibration.similarity
    assert likeness(float(first @ same)) >= 0.85 > likeness(float(first @ near)) > likeness(float(first @ other))
    assert likeness(float(first @ other)) < 0.5


def test_words_that_mean_alike_lie_near_and_stop_words_are_left_out() -> None:
    """A word has the meaning of its place, one of several tokens one vector, and punctuation none."""
    car, other = BUNDLED.embed_words(["Where is the car?", "An automobile, refrigerated; a banana."])
    assert (car.words, other.words) == (("car",), ("automobile", "refrigerated", "banana"))
    assert car.word_vectors is not None
    assert other.word_vectors is not None
    lengths = np.linalg.norm(other.word_vectors.astype(float), axis=1)
    assert np.abs(lengths - 127).max() < 3
    automobile, _, banana = other.word_vectors.astype(int) @ car.word_vectors[0].astype(int)
    assert automobile > 1.3 * banana


def test_a_question_of_stop_words_alone_keeps_them_and_one_of_marks_has_none() -> None:
    """There is something to compare as long as there is a word."""
    who, marks, scripts = BUNDLED.embed_words(["to be or not to be", "?! — …", "naïve 日本"])
    assert who.words == ("to", "be", "or", "not")
    assert marks.words == ()
    assert marks.word_vectors is not None
    assert marks.word_vectors.shape == (0, BUNDLED.word_width)
    assert scripts.words == ("naïve",)


def test_what_is_read_word_by_word_is_kept_from_changes() -> None:
    """A query that comes again is handed out again."""
    first = MiniLM().embed_words(["mine"])[0]
    assert first.word_vectors is not None
    with pytest.raises(ValueError, match="read-only"):
        first.word_vectors[:] = 0


def test_only_the_first_256_tokens_are_read() -> None:
    """What comes after them changes nothing; what comes before does."""
    long = "word " * 400
    assert len(SHARED.ids(long)) == TOKENS_MAX
    ended, begun = SHARED.embed([f"{long} unlike", f"unlike {long}"])
    assert ended.tobytes() == SHARED.embed([long])[0].tobytes() != begun.tobytes()


def test_a_text_without_end_takes_no_time_without_end() -> None:
    """Beyond 20,000 characters nothing is looked at, so 50 MB cost no more than 20 kB."""
    endless = "a b " * (CHARACTERS_MAX // 4)
    assert SHARED.embed([endless + "c" * 50_000_000]).tobytes() == SHARED.embed([endless]).tobytes()


def test_threads_that_meet_at_the_first_text_get_the_same_vectors() -> None:
    """Loading happens once, whoever comes first."""
    embedder, start = MiniLM(), threading.Barrier(8)
    found: list[bytes] = []

    def ask() -> None:
        start.wait(timeout=30)
        found.append(embedder.embed(["first come"]).tobytes())

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert found == [SHARED.embed(["first come"]).tobytes()] * 8


@pytest.mark.parametrize("threads", [0, -1, 65])
def test_threads_out_of_range_are_refused(threads: int) -> None:
    """The message names the range."""
    with pytest.raises(InvalidArgument, match="1 and 64"):
        MiniLM(threads=threads)


def test_a_negative_cache_is_refused() -> None:
    """A cache of 0 is none; less is nothing."""
    with pytest.raises(InvalidArgument, match="cache"):
        MiniLM(cache=-1)


def _run(program: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a fresh interpreter that finds the Weft under test."""
    found = f"import sys; sys.path.insert(0, {str(Path(weft.__file__).parents[1])!r})\n"
    return subprocess.run(
        [sys.executable, "-c", found + program], check=True, capture_output=True, text=True, timeout=120
    )


@pytest.mark.parametrize(
    ("program", "absent"),
    [
        ("import weft.embed", {"onnxruntime", "tokenizers", "httpx2", "numpy"}),
        ("from weft.embed import open_embedder; open_embedder().name", {"onnxruntime", "tokenizers", "httpx2"}),
        (
            "from weft import embed, settings as s; embed.open_embedder(s.Endpoint(url='http://host', model='m')).name",
            {"onnxruntime", "tokenizers", "httpx2"},
        ),
    ],
)
def test_nothing_heavy_is_imported_before_the_first_text(program: str, absent: set[str]) -> None:
    """Start-up time is a promise."""
    loaded = json.loads(_run(f"{program}\nimport json, sys; print(json.dumps(sorted(sys.modules)))").stdout)
    assert not absent & set(loaded)


def test_the_list_of_modules_would_show_it() -> None:
    """The twin: the first text loads both libraries."""
    program = "from weft.embed import open_embedder; open_embedder().embed(['a'])"
    loaded = json.loads(_run(f"{program}\nimport json, sys; print(json.dumps(sorted(sys.modules)))").stdout)
    assert {"onnxruntime", "tokenizers"} <= set(loaded)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows tells no process how much memory it took")
def test_what_is_kept_of_many_passages_holds_no_more_memory_than_it_needs() -> None:
    """Headings of one letter: 1.7 MB a passage could not be used again, so that 400 KB of them took two gigabytes."""
    program = (
        "import resource, sys\n"
        "from weft.embed.minilm import MiniLM\n"
        "def taken():\n"
        "    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "    return most // 1024 if sys.platform != 'darwin' else most // 1024 ** 2\n"
        "model, text = MiniLM(), ('a (part 2)\\n' + '# a\\n' * 80)[:271]\n"
        "kept = model.embed_words([text, text])\n"
        "before = taken()\n"
        "kept += model.embed_words([text] * 100)\n"
        "print(taken() - before)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 40  # MB


def test_loading_and_embedding_write_to_no_stream() -> None:
    """A server's standard output carries its protocol only."""
    done = _run("from weft.embed.minilm import MiniLM; MiniLM(threads=2).embed(['a', 'b', ''])")
    assert (done.stdout, done.stderr) == ("", "")


@pytest.mark.parametrize("home", ["home", "home/file"])
def test_the_engine_keeps_no_count_of_its_use_and_complains_of_no_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: str
) -> None:
    """It would make an id of the machine in the user's cache, or say that it cannot."""
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "file").write_text("no folder")
    monkeypatch.setenv("HOME", str(tmp_path / home))
    for name in ("ORT_DISABLE_TELEMETRY", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    done = _run("from weft.embed import open_embedder; open_embedder().embed(['a'])")
    assert (done.stdout, done.stderr) == ("", "")
    assert [path.name for path in (tmp_path / "home").iterdir()] == ["file"]
