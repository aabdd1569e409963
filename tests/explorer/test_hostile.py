"""Stored text is nobody's friend: whatever stands in any field, nothing of it is run or becomes an element."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import pytest
from playwright.sync_api import expect

import weft
from explorer.visit import served
from weft.model import CaptureRequest, RelateRequest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from explorer.conftest import Visits
    from explorer.visit import Visit
    from weft import Graph

CALL: Final = "window.ran=1"
STRINGS: Final = (
    f"<script>{CALL}</script>",
    f"</script><script>{CALL}</script>",
    f"<img src=x onerror={CALL}>",
    f'"><img src=x onerror="{CALL}">',
    f"'><img src=x onerror='{CALL}'>",
    f'" onmouseover="{CALL}" autofocus onfocus="{CALL}" x="',
    f"<svg onload={CALL}>",
    f"<svg><script>{CALL}</script></svg>",
    f"<svg><animate onbegin={CALL} attributeName=x dur=1s>",
    f"<math><mtext></p><style><img src onerror={CALL}>",
    f"<body onload={CALL}>",
    f"<details open ontoggle={CALL}>",
    f"<video><source onerror={CALL}></video>",
    f"<input autofocus onfocus={CALL}>",
    "<iframe srcdoc='<script>parent.ran=1</script>'></iframe>",
    f"<iframe src=javascript:{CALL}></iframe>",
    f"<object data=javascript:{CALL}></object>",
    f"<embed src=javascript:{CALL}>",
    f"<a href=javascript:{CALL}>go</a>",
    f"<form action=javascript:{CALL}><button>go</button></form>",
    "<base href=https://evil.example/>",
    "<meta http-equiv=refresh content='0;url=https://evil.example'>",
    "<link rel=stylesheet href=https://evil.example/x.css>",
    "<style>@import 'https://evil.example/x.css'; main { display: none }</style>",
    f"<template><script>{CALL}</script></template>",
    f"<noscript><p title='</noscript><img src=x onerror={CALL}>'>",
    f"<!--><img src=x onerror={CALL}>-->",
    f"<![CDATA[<img src=x onerror={CALL}>]]>",
    f"&lt;img src=x onerror={CALL}&gt; &#60;script&#62;{CALL}&#60;/script&#62;",
    f"javascript:{CALL}",
    f"data:text/html,<script>{CALL}</script>",
    f"[go](javascript:{CALL})",
    f"[go](JaVaScRiPt:{CALL})",
    f"[go](java&#115;cript:{CALL})",
    "[go](data:text/html;base64,PHNjcmlwdD5yYW49MTwvc2NyaXB0Pg==)",
    f"[go](vbscript:{CALL})",
    "[go](//evil.example/x)",
    "[go](file:///etc/passwd)",
    "![pixel](https://evil.example/pixel.png)",
    f"![pixel](javascript:{CALL})",
    f"![a](x){{onerror={CALL}}}",
    f"<https://evil.example/auto> <javascript:{CALL}>",
    f"[x]: javascript:{CALL}\n\n[x]",
    f"```<img src=x onerror={CALL}>\n</code></pre><script>{CALL}</script>\n```",
    f"| <img src=x onerror={CALL}> |\n| --- |\n| <script>{CALL}</script> |",
    f"${{{CALL}}} {{{{constructor.constructor('{CALL}')()}}}}",
    f"\u202e<script>{CALL}</script>\u202c \u2066hidden\u2069",
    f"\u0000\u0008<img src=x onerror={CALL}>\ufeff".replace("\u0000", ""),
    "__proto__",
    "constructor",
    f"#/node/x?with=<img src=x onerror={CALL}>",
    f"%3Cimg%20src%3Dx%20onerror%3D{CALL}%3E",
)
"""Markup, handlers, addresses and Markdown that would set ``window.ran``, or fetch something from elsewhere."""

UNFOLD: Final = """() => {
  document.querySelectorAll('details').forEach((each) => { each.open = true; });
  [...document.querySelectorAll('button')].find((each) => each.textContent === 'Edit').click();
}"""
GO: Final = "([page, text]) => { location.hash = page + encodeURIComponent(text); }"
TALLY: Final = """() => {
  const named = [...document.querySelectorAll('*')].map((each) => each.localName);
  const bad = ['iframe', 'object', 'embed', 'base', 'svg', 'math', 'video', 'img', 'style', 'template', 'animate'];
  const found = bad.filter((name) => named.includes(name));
  const scripts = [...document.scripts].filter((each) => !each.src.startsWith(location.origin));
  const handlers = [...document.querySelectorAll('*')].filter((each) =>
    each.getAttributeNames().some((name) => name.startsWith('on') || name === 'srcdoc'));
  const links = [...document.links].map((each) => each.protocol + '//' + each.host);
  return { ran: window.ran || 0, found, scripts: scripts.length, handlers: handlers.length, links };
}"""


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server whose graph has one of the strings in every text that can be stored."""
    path = tmp_path_factory.mktemp("hostile") / "graph.db"
    with weft.connect(str(path), actor="ann") as connection:
        for number, text in enumerate(STRINGS):
            plant(connection.graph, number, text)
        connection.capture("A plain claim, to be compared with.", title="Plain", kind="claim", ontology="plain")
        connection.ingest(text=f"# {STRINGS[0]}\n\nWe decided to use {STRINGS[2]} because {STRINGS[31]} is slow.\n",
                          document=STRINGS[2], ontology=STRINGS[3])  # fmt: skip
    with served(path) as base:
        yield base


def plant(graph: Graph, number: int, text: str) -> None:
    """Write two nodes and a relation that have ``text`` wherever a text can stand."""
    call = replace(graph.call("capture"), actor=text[:80], client=text[:80], session=text[:80])
    ends = []
    for side in ("one", "other"):
        request = CaptureRequest(
            title=f"{text} {number} {side}",
            content=f"{text}\n\nIt is the {side} end of number {number}.\n\n{text}",
            kind="claim",
            ontology=text[:60],
            tags=(text[:60],),
            aliases=(f"{text} {side}",),
            references=(text,),
            citation=text,
        )
        ends.append(graph.capture.capture(request, call).node.id)
    graph.relate.relate(
        RelateRequest(source=ends[0], target=ends[1], type="supports", reasoning=text, evidence=text), call
    )


PAGES: Final = (
    "#/search",
    "#/search?q=number",
    "#/review",
    "#/log?limit=100",
    "#/status",
    "#/bridges",
    "#/capture",
    "#/challenge?claim=number",
)


def test_nothing_that_is_stored_runs_on_a_page_that_lists(visit: Visits, hostile: str) -> None:
    """No script, no handler, no element and no request of theirs."""
    visiting = visit(hostile)
    for address in PAGES:
        expect(visiting.open(address)).to_be_visible()
        harmless(visiting)


def test_nothing_that_is_stored_runs_on_a_page_of_one_node(visit: Visits, hostile: str) -> None:
    """Each of the strings, with its drawing, its history open, and its editing form filled."""
    visiting = visit(hostile)
    hits = []
    visiting.open()
    for offset in (0, 50, 100):
        hits += visiting.call("search", query="", limit=50, offset=offset)["hits"]
    ones = [hit for hit in hits if hit["title"].endswith("one")]
    assert len(ones) == len(STRINGS)
    for hit in ones:
        expect(visiting.open(f"#/node/{hit['id']}")).to_be_visible()
        visiting.page.evaluate(UNFOLD)
        harmless(visiting)
    assert visiting.drawn("graph.nodes().length") == 2


def test_nothing_that_stands_in_an_address_runs(visit: Visits, hostile: str) -> None:
    """An address may be sent by anybody."""
    visiting = visit(hostile)
    visiting.expected |= {400, 404}
    visiting.open()
    pages = ("search?q=", "trail?to=Plain&from=", "challenge?claim=", "log?node=", "node/")
    for number, text in enumerate(STRINGS):
        before = visiting.shown()
        visiting.page.evaluate(GO, [f"#/{pages[number % len(pages)]}", text])
        visiting.settled(before)
        harmless(visiting)


def test_what_got_through_would_be_seen(visit: Visits, hostile: str) -> None:
    """The twin that must fail: an element with a handler, put into the page by hand."""
    visiting = visit(hostile)
    visiting.open()
    harmless(visiting)
    visiting.page.evaluate("() => document.querySelector('main').append(document.createElement('iframe'))")
    with pytest.raises(AssertionError):
        harmless(visiting)


def harmless(visit: Visit) -> None:
    """Hold that nothing ran, that only our elements are there, and that links lead here or to the web by name."""
    tally = visit.page.evaluate(TALLY)
    links = {link.split("//")[0] for link in tally.pop("links")}
    assert tally == {"ran": 0, "found": [], "scripts": 0, "handlers": 0}
    assert links <= {"http:", "https:"}
    assert visit.page.url.startswith(visit.base)
