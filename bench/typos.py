"""Search for misspelt questions: the questions of public sets with one slip each, as asked and as they were meant.

    pip download --no-deps codespell && unzip -q codespell-*.whl -d codespell
    python bench/typos.py codespell/codespell_lib/data/dictionary.txt --data FOLDER [--keep FOLDER] [--questions 150]

Reads a list of misspellings that people made (``wrong->right[, right]``, a line each) and the sets of
``bench/quality``. In each question of the reporting half one word of five letters or more is misspelt: in a way that
the list has for it («made»), and by a random edit («random»). Printed a set, in percent: recall@10 of the questions
without the slip, with it and nothing corrected, and with it as Weft answers; how many of the slips were read as the
word that was meant, as another, and left. Then how many names of tools and people are read as something else, with
their capital and without it. At last the questions as they stand: how many have a word that is read as another, and
what becomes of their recall.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent / "quality"))

from graphs import filled
from sets import data_sets, half

from weft.model import Filter, Page, SearchRequest
from weft.services.search.correcting import Corrected, Correcting
from weft.text import STOP_WORDS, edits, root

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from graphs import Filled
    from sets import DataSet, Row

WORD = re.compile(r"[a-z]{5,}", re.IGNORECASE)
DEEPEST = 10
NAMES = (
    "Kafka Redis Celery Caddy Traefik Grafana Terraform Ansible Svelte Bazel Pulumi Airflow Snowflake Trino Presto "
    "Druid Flink Spark Hadoop Pinot Clickhouse Cassandra Scylla Mongo Django Flask Fastapi Uvicorn Gunicorn Nginx "
    "Envoy Istio Linkerd Consul Nomad Vagrant Docker Podman Helm Argo Tekton Jenkins Travis Gitlab Gitea Sentry "
    "Datadog Prometheus Loki Jaeger Zipkin Kibana Logstash Elastic Solr Lucene Milvus Qdrant Weaviate Chroma "
    "Pinecone Faiss Annoy Hnswlib Ollama Mistral Llama Gemini Claude Cohere Anthropic Stripe Twilio Segment "
    "Mixpanel Amplitude Okta Keycloak Vault Bitwarden Cloudflare Fastly Akamai Vercel Netlify Heroku Render "
    "Supabase Firebase Hasura Prisma Drizzle Kysely Sequelize Alembic Flyway Liquibase Marlow Okonkwo Nakamura "
    "Fitzgerald Lindqvist Kowalski Brandt Meier Schmidt Laurent Petrov Ivanova Garcia Muller Rossi Bianchi Tanaka "
    "Nguyen Kaplan Weber Wagner Becker Hoffmann Ruby Rails Elixir Phoenix Erlang Haskell Scala Kotlin Swift Groovy "
    "Clojure Julia Fortran Cobol Pascal Prolog Racket Ocaml Rescript Purescript Remix Astro Qwik Preact Angular "
    "Ember Backbone Webpack Rollup Parcel Turbo Lerna Yarn Pnpm Mocha Jasmine Karma Cypress Playwright Puppeteer "
    "Selenium Locust Gatling Wiremock Testcontainers"
)
"""Names of tools and of people, most of which no set holds: none of them is a slip."""


class Slip(NamedTuple):
    """A question with one slip, and what was meant."""

    row: Row
    text: str
    wrong: str
    right: str


def main() -> None:
    """Print the lines of each set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dictionary", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()) / "weft-typos")
    parser.add_argument("--questions", type=int, default=150, help="of a set at most")
    options = parser.parse_args()
    options.keep.mkdir(parents=True, exist_ok=True)
    made = misspellings(options.dictionary)
    print(
        f"{'':26}{'slips':>6}{'right':>7}{'slip':>7}{'Weft':>7}{'   read right, wrong, left':24}   recall@10, percent"
    )
    for data in data_sets(options.data):
        if data.queries:
            told(data, options.keep, made, options.questions)


def misspellings(path: Path) -> dict[str, list[str]]:
    """Return how each word has been misspelt; of a misspelling of several the first counts."""
    found = defaultdict(list)
    for line in path.read_text("utf-8").splitlines():
        wrong, _, right = line.partition("->")
        found[right.split(",")[0].strip().lower()].append(wrong)
    return {right: [each for each in wrong if each.isalpha()] for right, wrong in found.items()}


def told(data: DataSet, keep: Path, made: Mapping[str, Sequence[str]], most: int) -> None:
    """Print the lines of one set."""
    rows = half(data.queries, "report")[:most]
    with filled(data, keep) as held:
        for name, ways in (("made", lambda word: made.get(word, ())), ("random", edits)):
            slips = slipped(rows, ways, random.Random(7))
            if slips:
                print(f"{data.name:19}{name:7}{line(slips, held)}", flush=True)
        changed = [row for row in rows if reading(held)(row["text"]).warning]
        before, after = recall(texts(changed), held, corrected=False), recall(texts(changed), held, corrected=True)
        print(f"{data.name:19}names {names_misread(held)}")
        print(f"{data.name:19}as asked {len(changed)} of {len(rows)} read otherwise: {before:.1f} → {after:.1f}")


def names_misread(held: Filled) -> str:
    """Return how many names are read as something else."""
    read, names = reading(held), NAMES.split()
    whole, lower = (sum(bool(read(case(each)).warning) for each in names) for case in (str, str.lower))
    return f"{whole} of {len(names)} read otherwise, in lower case {lower}"


def texts(rows: Sequence[Row]) -> list[tuple[Row, str]]:
    """Return the questions as they stand."""
    return [(row, row["text"]) for row in rows]


def slipped(rows: Sequence[Row], ways: Callable[[str], Sequence[str]], dice: random.Random) -> list[Slip]:
    """Return the questions with a slip in one of their words, those that have a word for it."""
    found = []
    for row in rows:
        words = [
            each for each in WORD.finditer(row["text"]) if each[0].lower() not in STOP_WORDS and ways(each[0].lower())
        ]
        if words:
            at = dice.choice(words)
            wrong = dice.choice(ways(at[0].lower()))
            text = row["text"][: at.start()] + wrong + row["text"][at.end() :]
            found.append(Slip(row, text, wrong, at[0].lower()))
    return found


def line(slips: Sequence[Slip], held: Filled) -> str:
    """Return the figures of these slips."""
    clean = recall([(slip.row, slip.row["text"]) for slip in slips], held, corrected=False)
    as_asked, as_read = (recall([slip[:2] for slip in slips], held, corrected=each) for each in (False, True))
    read = reading(held)
    right = sum(known(slip, read(slip.text)) for slip in slips)
    left = sum(not read(slip.text).warning for slip in slips)
    counts = f"{right}, {len(slips) - right - left}, {left}"
    return f"{len(slips):6}{clean:7.1f}{as_asked:7.1f}{as_read:7.1f}   {counts}"


def known(slip: Slip, read: Corrected) -> bool:
    """Return whether what was meant is in what was read, in any form, in place of the slip."""
    said = {word.lower() for word in re.findall(r"[^\W\d_]+", read.query)}
    return slip.wrong.lower() not in said and root(slip.right) in map(root, said)


def reading(held: Filled) -> Callable[[str], Corrected]:
    """Return what corrects a query of this graph."""
    recall_verbs = held.graph.recall
    correcting: Correcting = recall_verbs._searching._correcting  # noqa: SLF001 - what it does is measured
    return correcting.corrected


def recall(asked: Sequence[tuple[Row, str]], held: Filled, *, corrected: bool) -> float:
    """Return recall@10 of these questions in percent, nan for none of them."""
    as_it_stands = mock.patch.object(Correcting, "corrected", lambda _, query: Corrected(query))
    if corrected:
        shares = [share(row, text, held) for row, text in asked]
    else:
        with as_it_stands:
            shares = [share(row, text, held) for row, text in asked]
    return 100 * sum(shares) / len(shares) if shares else float("nan")


def share(row: Row, text: str, held: Filled) -> float:
    """Return which share (0..1) of what answers a question is among the first ten."""
    inside = Filter(ontologies=(row["scope"],)) if row.get("scope") else Filter()
    request = SearchRequest(query=text, filter=inside, page=Page(limit=DEEPEST))
    hits = held.graph.recall.search(request, held.graph.call("search")).hits
    found = [each for hit in hits for each in held.rows.get(hit.node.id, ())][:DEEPEST]
    return len(set(found) & set(row["relevant"])) / len(set(row["relevant"]))


if __name__ == "__main__":
    main()
