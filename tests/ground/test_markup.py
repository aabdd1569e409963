"""Marks of Markdown and its kin: which of them hold code."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.text.markup import blank_code

PIECES = st.lists(
    st.sampled_from(
        [
            "```",
            "~~~",
            "````",
            "py",
            "\n",
            "\n\n",
            "  ",
            "> ",
            "::",
            ".. code::",
            "<pre>",
            "</pre>",
            "lamp",
            "\t",
            "é",
            "\r",
        ]
    ),
    max_size=40,
)


@pytest.mark.parametrize(
    "code",
    [
        "```\nlamp\n```",
        "```py title='x'\nlamp\n\nlamp\n```",
        "~~~\n```\nlamp\n~~~",
        "````\n```\nlamp\n````",
        "  ```\n  lamp\n  ```",
        "> ```\n> lamp\n> ```",
        "```\nlamp, and nothing closes it",
        "Like so::\n\n  lamp\n\n    lamp",
        ".. code-block:: py\n   :linenos:\n\n   lamp",
        "A log: <pre>lamp\nlamp</pre>",
        '<syntaxhighlight lang="py">\nlamp\n</syntaxhighlight>',
    ],
)
def test_a_block_of_code_is_blanked(code: str) -> None:
    """Fenced, literal or tagged; what stands before it stays."""
    assert "lamp" not in blank_code(code)
    assert blank_code(f"A lamp.\n\n{code}").startswith("A lamp.\n\n")


@pytest.mark.parametrize(
    "prose",
    [
        "lamp",
        "A `lamp` and ```lamps``` too.",
        "```lamp``` is\nno fence",
        "~~lamp~~",
        "Like so:\n\n    lamp",
        ".. note::\n\n   lamp",
        "lamp:: 3\n\n  lamp",
        "- a\n\n      lamp",
        "<presents>lamp",
        "<pre>\n  BIP: 7\n  Title: lamp\n</pre>",
    ],
)
def test_what_only_looks_like_code_stays(prose: str) -> None:
    """Code within a line, what is struck out or merely indented, notes, fields."""
    assert blank_code(prose) == prose


def test_what_stands_behind_a_block_stays() -> None:
    """A fence ends at one as long, a literal block where the lines are no longer indented."""
    for block in ("```\nx\n```\n", "````\n```\nx\n````\n", "So::\n\n  x\n\n", "x <pre>x</pre>\n"):
        assert blank_code(f"{block}A lamp.").endswith("A lamp.")


@given(PIECES)
def test_everything_keeps_its_place_and_line(pieces: list[str]) -> None:
    """And what is blank is blanked no further."""
    text = "".join(pieces)
    blanked = blank_code(text)
    assert len(blanked) == len(text)
    assert [at for at, sign in enumerate(text) if sign == "\n"] == [
        at for at, sign in enumerate(blanked) if sign == "\n"
    ]
    assert all(now in (" ", was) for now, was in zip(blanked, text, strict=True))


@pytest.mark.parametrize(
    "piece", ["```\n", "~~~x\n", "<pre>", "a::\n\n", "a::\n\n  b\n", ".. code::\n :a\n", " >", "\n", "::"]
)
def test_halves_of_blocks_over_and_over_are_read_no_slower_than_code(piece: str) -> None:
    """All text is untrusted."""

    def seconds(text: str) -> float:
        begun = process_time()
        for _ in range(20):
            blank_code(text)
        return process_time() - begun

    code = ("So::\n\n  x = 1\n\nThat is all.\n```\ny\n```\n" * 600)[:20_000]
    assert seconds((piece * 20_000)[:20_000]) < 10 * seconds(code)
