"""Gather what the entailment network learns from, as token ids in one file.

    PYTHONPATH=src python scripts/entailment/gather.py FOLDER --out examples.npz [--earlier SHARE] [--notes SHARE]

Five sources, none of which gives away by a claim alone on which side it stands, or hardly:

- ``bench/judging_chosen.jsonl`` and ``pairs.jsonl.xz`` beside this file: pairs of texts that cannot both hold, with
  claims that follow from the one and are ruled out by the other, and claims that both leave open. A language model
  wrote them.
- ``texts.jsonl.xz``: findings, facts and requirements out of real texts, with claims that they support, rule out and
  leave open; the claims a language model wrote. The texts are abstracts of SciFact's collection that no claim of it
  cites (ODC-By), passages of HotpotQA, MuSiQue and 2WikiMultihopQA that answer no question of theirs (CC BY-SA), PEPs
  (public domain) and KEPs (Apache-2.0).
- ``notes.jsonl.xz``: notes and pairs of notes on what the network overlooked when it had learned from the above, with
  claims as there: denials put into long sentences, earlier states, plans, bounds, other scopes, decisions, facts in few
  words; persons and sides exchanged, and findings; passages (``documents``: of PEPs and KEPs; ``pages``: made up) with
  claims in a colleague's words, true ones with a denial or restriction that the passage does not word so, false ones
  that assert another thing; and notes (``lookalikes``) with claims that lie near them and are open, with the whole note
  said ``again``, and with notes like it that may hold beside it (``apart``). A language model wrote them. Those that
  say ``held`` are held out, all on persons, sides and findings among them. Of a passage, which may be longer than the
  network reads, those sentences are put beside a claim that bear most on it and fit.
- Sentences of the passages in FOLDER/multihop beside the same passage with a number, a name, a denial or a word that
  has an opposite altered.
- STS-B (CC BY-SA): what people gave 4.8 of 5 and more says the same, what they gave 1.5 and less does not.

An example is a claim and one text or two, with how each stands to it: 0 rules it out, 1 says it, 2 neither.
``judging.jsonl`` is held out, to be told by (``held``). ``--earlier`` draws a share of all that is no ``notes``,
``--passages`` one of the notes that are passages, and ``--notes`` one of the others but for ``lookalikes``: what a
network that has learned from it goes on with, so as not to forget it.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import re
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from tokenizers import Tokenizer

from weft.embed import bundle, crossencoder, open_embedder
from weft.embed.crossencoder import CLAIM_TOKENS_MAX
from weft.reason.coverage import by_roots
from weft.reason.opposites import TURNED
from weft.reason.sentences import phrases, sentences
from weft.text import content_roots

if TYPE_CHECKING:
    from collections.abc import Iterator

    from weft.ports import Embedder

HERE = Path(__file__).parent
BENCH = HERE.parent.parent / "bench"
CONFLICTS, SUPPORTS, NEITHER = range(3)
NONE = -1  # in place of a second text
TOKENS_MAX = 150
TOKENS_READ = crossencoder.TOKENS_MAX - 3  # but for the marks around claim and text
PASSAGES_OF = ("documents", "pages")  # what notes are on whose texts are passages
LOOKALIKES = "lookalikes"  # and those that come with the whole note said again, and with notes like it
SAME_MIN, OTHER_MAX = 4.8, 1.5
PASSAGES = ("musique", "hotpotqa", "2wiki")
NUMBER = re.compile(r"\b\d[\d,.]*\d\b|\b\d\b")
NAME = re.compile(r"(?<=[a-z,] )(?:[A-Z][a-z]+)(?: [A-Z][a-z]+)*")
DENIAL = re.compile(r"\b(is|are|was|were|can|could|will|would|should|must|may|has|have|had|does|do|did)(n't| not)?\b")
WORD = re.compile(r"\b[a-z]+\b")
WORDS_MIN, WORDS_MAX = 5, 40
TEXTS_WEIGH = 2  # they are fewer than the pairs, and nearer to what is read in use

Row = dict[str, Any]


class Example(NamedTuple):
    """A claim, one text or two, how each stands to it, and the source."""

    claim: str
    text: str
    other: str
    side: int
    other_side: int
    source: str


SOURCES = ("pairs", "texts", "altered", "alike", "notes")


def main() -> None:
    """Gather and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="a folder with multihop and stsb")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--earlier", type=float, default=1.0, metavar="SHARE")
    parser.add_argument("--notes", type=float, default=1.0, metavar="SHARE")
    parser.add_argument("--passages", type=float, default=1.0, metavar="SHARE")
    asked = parser.parse_args()
    held = lines((BENCH / "judging.jsonl").read_text("utf-8"))
    pairs = [*lines((BENCH / "judging_chosen.jsonl").read_text("utf-8")), *packed("pairs")]
    examples = [example for row in pairs for example in of_pair(row)]
    examples += TEXTS_WEIGH * [example for row in packed("texts") for example in of_text(row)]
    examples += altered(asked.folder / "multihop", random.Random(7))
    examples += alike(asked.folder / "stsb" / "pairs.jsonl")
    examples = random.Random(7).sample(examples, int(asked.earlier * len(examples)))
    learned = [row for row in packed("notes") if not row["held"]]
    drawn = random.Random(9)
    shares = dict.fromkeys(PASSAGES_OF, asked.passages) | {LOOKALIKES: 1.0}
    kept = [row for row in learned if drawn.random() < shares.get(row["about"], asked.notes)]
    examples += [example._replace(source="notes") for row in kept for example in of_note(row)]
    written = Written()
    table = np.array([written.row(example) for example in examples], np.int32)
    told = {
        f"held_{part}": np.array(
            [row for each in held if each["part"] == part for row in written.judged(each)], np.int32
        )
        for part in ("seen", "unseen")
    }
    np.savez_compressed(asked.out, examples=table, **written.tokens(), **told)
    for number, source in enumerate(SOURCES):
        print(f"{source}: {(table[:, 5] == number).sum():,} examples")


def lines(text: str) -> list[Row]:
    """Return the rows of a JSON Lines file."""
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def packed(name: str) -> list[Row]:
    """Return the rows of a packed file beside this one."""
    return lines(lzma.decompress((HERE / f"{name}.jsonl.xz").read_bytes()).decode())


def of_note(row: Row) -> Iterator[Example]:
    """Return what a note, a pair of notes or a passage says of the claims that were written for it."""
    if row["about"] in PASSAGES_OF:
        yield from of_passage(row)
    elif row["about"] == LOOKALIKES:
        yield from of_lookalike(row)
    else:
        yield from of_text(row) if "text" in row else of_pair(row)


def of_pair(row: Row) -> Iterator[Example]:
    """Return what a pair of texts that cannot both hold says of its claims, and of itself."""
    first, second = row["a"], row["b"]
    for text, other, claims in ((first, second, row["a_says"]), (second, first, row["b_says"])):
        yield from (Example(claim, text, other, SUPPORTS, CONFLICTS, "pairs") for claim in claims)
        yield Example(text, other, text, CONFLICTS, SUPPORTS, "pairs")
    yield from (Example(claim, first, second, NEITHER, NEITHER, "pairs") for claim in row["neither"])


def of_text(row: Row) -> Iterator[Example]:
    """Return what a real text says of the claims that were written for it."""
    for field, side in (("true", SUPPORTS), ("false", CONFLICTS), ("open", NEITHER)):
        yield from (Example(claim, row["text"], "", side, NEITHER, "texts") for claim in row[field])


def of_lookalike(row: Row) -> Iterator[Example]:
    """Return what a note says of its claims, of itself said again, and of notes like it, which say nothing of either.

    A network that saw whole notes only beside those that they clash with takes every note for a clash.
    """
    yield from of_text(row)
    for again in row["again"]:
        yield Example(again, row["text"], "", SUPPORTS, NEITHER, "texts")
        yield Example(row["text"], again, "", SUPPORTS, NEITHER, "texts")
        yield from (example._replace(text=again) for example in of_text(row))
    for place, apart in enumerate(row["apart"]):
        yield Example(apart, row["text"], "", NEITHER, NEITHER, "texts")
        yield Example(row["text"], apart, "", NEITHER, NEITHER, "texts")
        claims = (*row["true"], *row["false"])
        yield from (Example(claim, apart, "", NEITHER, NEITHER, "texts") for claim in claims[place::2])


# ---- passages of documents


def of_passage(row: Row) -> Iterator[Example]:
    """Return what of a passage is read beside each of its claims, and on which side that is."""
    parts = [" ".join(part.split()) for part in phrases(row["text"])]
    roots, vectors = [content_roots(part) for part in parts], embedder().embed(parts)
    for example in of_text(row):
        alike = vectors @ embedder().embed([example.claim])[0]
        worth = by_roots(content_roots(example.claim), roots).shares() + alike
        yield example._replace(text=fitting(example.claim, parts, worth.tolist()))


def fitting(claim: str, parts: list[str], worth: list[float]) -> str:
    """Return the first part, which is the title, and the worthiest others that fit beside ``claim``, in their order."""
    kept, left = [0], TOKENS_READ - min(CLAIM_TOKENS_MAX, tokens(claim)) - tokens(parts[0])
    for place in sorted(range(1, len(parts)), key=lambda place: -worth[place]):
        if (size := tokens(parts[place])) <= left or len(kept) == 1:
            kept.append(place)
            left -= size
    return " ".join(parts[place] for place in sorted(kept))


def tokens(text: str) -> int:
    """Return how many tokens a text has."""
    return len(tokenizer().encode(text, add_special_tokens=False).ids)


@cache
def embedder() -> Embedder:
    """Return the bundled embedding model."""
    return open_embedder()


@cache
def tokenizer() -> Tokenizer:
    """Return what cuts a text into tokens, however long it is."""
    made = Tokenizer.from_str(bundle.read("tokenizer.json"))
    made.no_padding()
    made.no_truncation()
    return made


# ---- altered sentences


def altered(folder: Path, chance: random.Random) -> list[Example]:
    """Return sentences beside their passage as it stands and with a number or a name altered in both ways."""
    passages = [row["text"] for name in PASSAGES for row in lines((folder / name / "nodes.jsonl").read_text("utf-8"))]
    cut = [parts for text in passages if (parts := in_sentences(text))]
    names = [name for parts in cut for part in parts for name in NAME.findall(part)]
    return [example for parts in cut for example in beside(parts, names, chance)]


def in_sentences(text: str) -> list[str]:
    """Return the sentences of a passage."""
    flat = " ".join(text.split())
    return [flat[start:end] for start, end in sentences(flat, 0, end=len(flat))]


def beside(parts: list[str], names: list[str], chance: random.Random) -> Iterator[Example]:
    """Return what one of the sentences is beside its neighbourhood and beside the same with something altered."""
    place = chance.randrange(len(parts))
    said, around = parts[place], neighbourhood(parts, place, chance)
    changed = alter(said, names, chance) if WORDS_MIN <= len(said.split()) <= WORDS_MAX else None
    if changed is None:
        return
    other = around.replace(said, changed)
    yield Example(said, around, other, SUPPORTS, CONFLICTS, "altered")
    yield Example(changed, other, around, SUPPORTS, CONFLICTS, "altered")
    far = [part for part in parts if part not in around]
    if far:
        yield Example(chance.choice(far), around, "", NEITHER, NEITHER, "altered")


def neighbourhood(parts: list[str], place: int, chance: random.Random) -> str:
    """Return a sentence with the one before it, the one after it, both or none."""
    return " ".join(parts[max(0, place - chance.randrange(2)) : place + 1 + chance.randrange(2)])


def alter(said: str, names: list[str], chance: random.Random) -> str | None:
    """Return ``said`` with one number, name, denial or word changed; nothing where none of them can be."""
    ways = [(NUMBER, other_number), (NAME, partial(other_name, names=names)), (DENIAL, denied), (WORD, turned)]
    chance.shuffle(ways)
    for pattern, other in ways:
        for found in chance.sample(places := list(pattern.finditer(said)), len(places)):
            if new := other(found, chance):
                return said[: found.start()] + new + said[found.end() :]
    return None


def other_name(found: re.Match[str], chance: random.Random, *, names: list[str]) -> str:
    """Return a name of which no part is one of the name that was found; nothing where the one drawn has some."""
    new = chance.choice(names)
    return new if set(new.split()).isdisjoint(found.group().split()) else ""


def denied(found: re.Match[str], chance: random.Random) -> str:
    """Return the auxiliary with a denial, or without the one it has."""
    return found.group(1) if found.group(2) else found.group(1) + chance.choice((" not", " not", " never"))


def turned(found: re.Match[str], _: random.Random) -> str:
    """Return the word's opposite, if one is known."""
    return opposites().get(found.group(), "")


@cache
def opposites() -> dict[str, str]:
    """Return what each word that has an opposite is turned into."""
    pairs = [pair.split(":") for pair in TURNED.split()]
    return {second: first for first, second in reversed(pairs)} | dict(pairs)


def other_number(found: re.Match[str], chance: random.Random) -> str:
    """Return a number that differs in one of its last two figures."""
    number = found.group()
    place = chance.choice([place for place, sign in enumerate(number) if sign.isdigit()][-2:])
    return number[:place] + chance.choice([each for each in "123456789" if each != number[place]]) + number[place + 1 :]


def alike(path: Path) -> Iterator[Example]:
    """Return the sentences that people call the same, or different altogether, of even rows."""
    for row in lines(path.read_text("utf-8"))[::2]:
        if row["score"] >= SAME_MIN or row["score"] <= OTHER_MAX:
            side = SUPPORTS if row["score"] >= SAME_MIN else NEITHER
            yield Example(row["b"], row["a"], "", side, NEITHER, "alike")


# ---- token ids


class Written:
    """Numbers every text once."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}

    def row(self, example: Example) -> tuple[int, ...]:
        """Return an example in numbers."""
        other = self.place(example.other) if example.other else NONE
        texts = self.place(example.claim), self.place(example.text), other
        return (*texts, example.side, example.other_side, SOURCES.index(example.source))

    def judged(self, row: Row) -> Iterator[tuple[int, int, int]]:
        """Return the claims of a held-out pair beside both of its texts: claim, text and side."""
        for text, says, ruled in ((row["a"], "a_says", "b_says"), (row["b"], "b_says", "a_says")):
            for field, side in ((says, SUPPORTS), (ruled, CONFLICTS), ("neither", NEITHER)):
                yield from ((self.place(claim), self.place(text), side) for claim in row[field])

    def place(self, text: str) -> int:
        """Return the number of a text."""
        return self._places.setdefault(" ".join(text.split()), len(self._places))

    def tokens(self) -> dict[str, Any]:
        """Return the ids of all texts, one after the other, and where each ends."""
        found = [each.ids[1:-1][:TOKENS_MAX] for each in tokenizer().encode_batch(list(self._places))]
        flat = np.concatenate([np.array(ids, np.uint16) for ids in found])
        return {"flat": flat, "ends": np.cumsum([len(ids) for ids in found]).astype(np.int32)}


if __name__ == "__main__":
    main()
