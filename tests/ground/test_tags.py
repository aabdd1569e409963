"""Tags in the text of a note: what is one, what only looks like one, and what the import of a vault makes of them."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weft.formats import obsidian
from weft.formats.tags import FOUND_MAX, inline_tags, with_tags
from weft.vocabulary import TAG_MAX


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("#one two (#three/deep), #four; *#five*", ("one", "three/deep", "four", "five")),
        ("#日本 #ça-va #y2024 #a_b #v2/ #done- #🎉", ("日本", "ça-va", "y2024", "a_b", "v2", "done", "🎉")),
        ("#Auth and #auth and #AUTH", ("Auth",)),
        ("加密。#安全，#运维/备份、#三；标签：#四（#五）「#六」", ("安全", "运维/备份", "三", "四", "五", "六")),
        ("#أمان، #تشغيل/نسخ،#آخر #सुरक्षा। #नीति", ("أمان", "تشغيل/نسخ", "آخر", "सुरक्षा", "नीति")),
        ("## A heading #inside\n\n- [ ] #todo buy it\n- item\n    - #deep", ("inside", "todo", "deep")),
        ("> [!note] #titled\n> and #told\n\n> quoted #quoted", ("titled", "told", "quoted")),
        ("| #cell | x |\n|---|---|\n|#tight|#b|", ("cell", "tight", "b")),
        ("wrapped\n    and #lazy", ("lazy",)),
        (
            "#add #bad #cafe #facade #decade #bdd #e2e #b2b #2fa",
            ("add", "bad", "cafe", "facade", "decade", "bdd", "e2e", "b2b", "2fa"),
        ),
    ],
)
def test_a_tag_is_a_word_behind_a_hash(text: str, tags: tuple[str, ...]) -> None:
    """Nested ones and those of other scripts too, wherever text stands; each once, as it was written first."""
    assert inline_tags(text) == tags


@pytest.mark.parametrize(
    "text",
    [
        "#123 #12/3 #2024-01 GH-1 x#no C#no",
        "# Heading\n\n## Another\n\n###### Last",
        "#fff #FFF #1e90ff #abc123 #ffeedd #fafafa #00000080 #0af #f5f5",
        "`#no` and ``a ` #no`` and `two\n#no`",
        "```c\n#include <stdio.h>\n```\n\n~~~\n#no\n~~~",
        "text\n\n    #include <stdio.h>\n\n- item\n\n      #define X",
        "> ```\n> #no\n> ```\n\n- item\n  ```\n  #no\n  ```",
        "[a](#no) [b](x.md#no) [see #no](y.md) ![c #no](d.png) [e #no][f] [g [h] i](#no)\n\n[f]: #no",
        "[[Note#No]] [[#No]] [[Note #no|shown #no]] ![[Note#^no]]",
        "https://x.org/#no https://x.org/a(#no) www.x.org/(#no) <https://x.org/#no> x.org/#no",
        '<font color="#add"> <div style="color: #add"> <style>\np #no {}\n\n#no {}\n</style> <pre> #no </pre>',
        "<!-- #no\n\n#no --> %% #no\n\n#no %%",
        r"\#no &#39; '#no' “#no” «#no» #-no #/no #! #",
        f"#{'x' * (TAG_MAX + 1)}",
        "",
    ],
)
def test_what_only_looks_like_a_tag_is_none(text: str) -> None:
    """Numbers of issues, headings, colours, code of any kind, links, addresses, HTML, comments, escapes."""
    assert inline_tags(text) == ()


def test_what_has_no_end_hides_nothing() -> None:
    """One backtick, one comment that is only begun, one tag of HTML without its end."""
    assert inline_tags("a ` b #one\n\n<!-- c #two\n\n<pre> #three\n\n%% #four") == ("one", "two", "three", "four")


def test_of_a_text_of_tags_the_first_are_read() -> None:
    """So that a note stays readable."""
    tags = inline_tags(" ".join(f"#t{number}x" for number in range(FOUND_MAX + 50)))
    assert (len(tags), tags[-1]) == (FOUND_MAX, f"t{FOUND_MAX - 1}x")


def test_tags_are_joined_without_regard_to_case() -> None:
    """The first spelling stays."""
    assert with_tags(("b", "A"), ("a", "c", "C")) == ("b", "A", "c")


def test_the_import_of_a_vault_reads_the_same() -> None:
    """Front matter first; code that is indented or lies in a quotation, links and colours are no tags there either."""
    text = "---\ntags: [auth]\n---\n#Auth #idea [a](#no) #fff\n\n    #include <x.h>\n\n> ```\n> #no\n> ```\n"
    (record,) = obsidian.parse(text, name="Note.md").records
    assert record.tags == ("auth", "idea")


PIECES = st.sampled_from(
    ["#", "#a", "`", "``", "\n", "\n\n", "    ", "> ", "- ", "[", "](", ")", "]]", "<!--", "%%", " ", "<a "]
)


@settings(max_examples=500, deadline=None)
@given(st.text(max_size=100) | st.lists(PIECES | st.text(max_size=3), max_size=30).map("".join))
def test_every_tag_stands_in_the_text_and_is_read_again(text: str) -> None:
    """A list of the tags that were found gives these tags."""
    tags = inline_tags(text)
    assert all(f"#{tag}" in text for tag in tags)
    assert inline_tags(" ".join(f"#{tag}" for tag in tags)) == tags


def test_hostile_texts_take_linear_time() -> None:
    """Hundreds of thousands of characters of one pattern."""
    pieces = [
        "#a <!--",
        "#a `",
        "[#a",
        "#a ](",
        "#a <b ",
        "%%#a ",
        "#a ",
        "#a <pre",
        "#a http://",
        "#a [[",
        "> ",
        "#a ``` ",
    ]
    began = time.thread_time()
    for piece in pieces:
        inline_tags(piece * (400_000 // len(piece)))
    assert time.thread_time() - began < 20
