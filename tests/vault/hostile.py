"""Notes that nobody should have written: random bytes, spoilt notes, and YAML that is known to hurt."""

from __future__ import annotations

import random
from typing import Final

__all__ = ["hostile"]

GOOD: Final = (
    "---\nid: 019e8269-5268-703a-9bee-bfdc9c01b256\ntype: decision\ntitle: 'Use: water'\ntags:\n- a\n- b\n"
    "confidence: 0.9\n"
    "created: '2026-03-01T12:00:00.000000+00:00'\nmodified: '2026-03-01T12:00:00.000000+00:00'\nrelations:\n"
    "- type: affects\n  target: Steam\n  direction: outgoing\n  strength: 0.8\n"
    "  edge_id: 34ca4c9a-5f16-4e37-b333-5ac7921bdb1a\n"
    "revision: r6ac24bfa6f224f82\n---\n\n# Use water\n\nIt is wet — 🥐.\n"
)

BOMB: Final = "a: &a [x, x]\n" + "".join(
    f"{name}: &{name} [*{last}, *{last}]\n" for last, name in zip("abcdefgh", "bcdefghi", strict=True)
)

NASTY: Final = (
    BOMB,
    "x: " + "[" * 5_000,
    "x: " + "{a: " * 5_000,
    "- " * 20_000,
    "!!python/object/apply:os.system ['true']",
    "!!binary x",
    "%YAML 1.1\n---\na: 1\n---\nb: 2",
    "d: 9999-99-99\nn: no\nt: 12:30:45\no: 012\nf: .nan\ni: .inf",
    "title: " + "x" * 70_000,
    "id: ../../../../etc/passwd",
    "id: /etc/passwd\npath: /etc/passwd",
    "id: " + "x" * 5_000,
    "id: [1, 2]\ntitle: {a: b}\ntags: {x: y}\nrelations: yes",
    "id: 'a\\0b'\ntitle: \"\\0\\x07\\u202e\"",
    'title: "\\ud800"',
    "type: ../../x\ntitle: ../../y",
    "type: nonsense\nstatus: nonsense\nconfidence: -1\nimportance: 1e400",
    "confidence: nan\nimportance: inf",
    "created: yesterday\nmodified: 99999-01-01",
    "created: 0001-01-01T00:00:00+23:59\nmodified: 9999-12-31T23:59:59-23:59",
    "relations:\n" + "- {type: uses, target: x}\n" * 1_500,
    "relations:\n- type: superseded_by\n  target: " + "y" * 3_000,
    "relations: [1, [2], {type: uses}, {target: x}, null]",
    "tags: [" + ", ".join(f"t{at}" for at in range(500)) + "]",
    "aliases:\n" + "".join(f"- {'a' * 199}{at}\n" for at in range(60)),
    "a: 1\na: 2",
    "? [complex, key]\n: x",
    "? |\n  block\n: x",
    "a: |\n  ---\n  b\n",
    "a: 'x\n---\ny'",
    "\t- tabs\n\t\t: x",
    "a: *missing",
    "<<: {id: 1}",
    "left_out: [content, title, id]\nrevision: r0000000000000000",
    "origin: document\nsource: hook_commit\nlearned_id: learned_2026-01-01_001\nhandles: [x]",
)

SNIPPETS: Final = (
    *("---", "\n---\n", ": ", "- ", "\x00", "\ufeff", "\r", "\u2028", "\u202e", "&a ", "*a", "!!x ", "{", "[", "'"),
    *('"', "#", "|", ">", "%", "@", "`", "\t", "../", "\\", "é", "🥐", "[[x]]", "```\n", "x" * 500),
    "<<<<<<< x\n=======\n>>>>>>> y",
)


def hostile(seed: int) -> bytes:
    """Return the hostile note of this number; the same number gives the same note."""
    dice = random.Random(seed)
    kind = dice.randrange(6)
    if kind == 0:
        return dice.randbytes(dice.randrange(2_000))
    if kind == 1:
        return f"---\n{dice.choice(NASTY)}\n---\n{dice.choice(('', 'text', dice.choice(SNIPPETS) * 50))}".encode(
            "utf-8", "replace"
        )
    if kind == 2:
        return f"---\n{dice.choice(NASTY)}\n{dice.choice(NASTY)}\n---\nbody {seed}".encode("utf-8", "replace")
    if kind == 3:
        return "".join(dice.choice(SNIPPETS) for _ in range(dice.randrange(200))).encode("utf-8", "replace")
    return _spoilt(GOOD.replace("019e8269", f"{seed:08x}").encode(), dice)


def _spoilt(body: bytes, dice: random.Random) -> bytes:
    spoilt = bytearray(body)
    for _ in range(dice.randrange(1, 12)):
        at = dice.randrange(len(spoilt) + 1)
        match dice.randrange(4):
            case 0:
                spoilt[at:at] = dice.choice(SNIPPETS).encode("utf-8", "replace")
            case 1:
                del spoilt[at : at + dice.randrange(30)]
            case 2:
                spoilt[at : at + 1] = dice.randbytes(1)
            case _:
                spoilt[at:at] = spoilt[at : at + dice.randrange(60)]
    return bytes(spoilt)
