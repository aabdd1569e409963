"""Text that a careless store would run: in every text field of every tool it is stored, or refused, as text."""

from __future__ import annotations

import copy
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Any, Final

import pytest

from doors import Door, door
from engine import copied, execute_at, server
from tools.examples import EXAMPLES, furnish
from weft.errors import Conflict
from weft.model import SuggestionQuery
from weft.store.tables import TABLES
from weft.tools.row import Effect
from weft.tools.table import TOOLS, tool_named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from weft.graph import Graph
    from weft.model import Change

    Way = tuple[str | int, ...]
    Field = tuple[str, Way]
    Schema = Mapping[str, Any]

STRINGS: Final = (
    "'; DROP TABLE node; --",
    '" OR ""="',
    "') OR 1=1 --",
    "1; DELETE FROM weft.change WHERE 'a'='a",
    "%s %d %% %(name)s %(ids)s",
    ":name :ids ::text @name $1 ?1 {0}",
    "{{where}} {{node_columns}} {where}",
    r"\'; TRUNCATE weft.node CASCADE; --",
    "$$; DROP SCHEMA weft CASCADE; $$",
    r"\x27 OR \x271\x27=\x271",
    "/**/ UNION SELECT hash FROM token --",
    "' || (SELECT pg_sleep(9)) || '",
    "E'\\\\' COPY node TO PROGRAM 'true' \\",
    "a\n'; UPDATE node SET title = 'x'; --\nb",
    "\u2019; DROP TABLE tag; -- \uff07 OR \uff071\uff07=\uff071",
    'title:"a" NEAR(b c) AND d* ^e & !f | (g:*)',
)
"""What has broken stores before: quotes, comments, marks of values in both engines' drivers and in our own queries."""

TURNS: Final = 4
"""Where strings take turns, a field is tried with each string of so many, and the next field with the next."""

FREE: Final = frozenset({"query", "claim", "task", "currentTask", "start", "end", "start_concept", "end_concept"})
"""Arguments that are searched by meaning and by word: any text has neighbours."""

SAID: Final = frozenset({"content", "title", "label", "hypothesis", "evidence", "quote", "reasoning", "description"})
"""Arguments that are kept wherever there are any; others are names of what is there, or have rules of their own."""

REFUSALS: Final = frozenset({"INVALID_ARGUMENT", "NOT_FOUND", "AMBIGUOUS", "CONFLICT", "PERMISSION_DENIED"})
HARMLESS: Final = "zxqvw"
ANY: Final = "*"  # the way into an object whose names are free

_SHAPES: Final = {
    False: "SELECT type, name, sql FROM sqlite_master",
    True: """
        SELECT relname::text, attname::text, format_type(atttypid, atttypmod), relacl::text
        FROM pg_attribute JOIN pg_class ON attrelid = pg_class.oid
        WHERE relnamespace IN (SELECT oid FROM pg_namespace WHERE nspname LIKE 'weft%')
        UNION ALL SELECT tgname::text, tgrelid::regclass::text, tgenabled::text, '' FROM pg_trigger
        UNION ALL SELECT rolname::text, rolsuper::text, rolcanlogin::text, '' FROM pg_roles
    """,
}


_PLAIN: Final = frozenset({str, bytes, int, float, bool, type(None)})


State = dict[str, frozenset[tuple[object, ...]]]
"""Every row that lies in the database, by its table."""


def touched_since(before: State, after: State) -> dict[str, set[tuple[object, ...]]]:
    """Return the keys of the rows that are not as they were."""
    return {table.name: set(map(table.key_of, after[table.name] ^ before[table.name])) for table in TABLES}


def state_of(graph: Graph) -> State:
    """Look at the whole database, past all verbs."""
    state = {}
    with graph._opened.database.snapshot() as reader:  # noqa: SLF001 - the engine itself is asked
        for table in TABLES:
            listed = ", ".join(f'"{column}"' for column in table.columns)
            state[table.name] = frozenset(map(_plain, reader.execute(f'SELECT {listed} FROM "{table.name}"')))
    return state


def shape_of(graph: Graph) -> frozenset[tuple[object, ...]]:
    """Return how the tables are made, and who may do what to them."""
    with graph._opened.database.snapshot() as reader:  # noqa: SLF001 - as above
        return frozenset(reader.execute(_SHAPES[bool(server)]))


def _plain(row: tuple[object, ...]) -> tuple[object, ...]:
    if _PLAIN.issuperset(map(type, row)):  # as nearly all of millions are
        return row
    return tuple(value if type(value) in _PLAIN else str(value) for value in row)


# ---- where text goes


def ways(schema: Schema, way: Way = ()) -> Iterator[Way]:
    """Yield the way to each text that is free in arguments of this schema."""
    if "enum" in schema or "format" in schema:
        return
    if schema["type"] == "object":
        if isinstance(schema.get("additionalProperties"), dict):
            yield (*way, ANY)
        for name, part in schema.get("properties", {}).items():
            yield from ways(part, (*way, name))
    elif schema["type"] == "array":
        yield from ways(schema["items"], (*way, 0))
    elif schema["type"] == "string":
        yield way


def least(schema: Schema) -> Any:  # noqa: ANN401 - any value
    """Return the least that the schema allows; a text is the name of a type."""
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema["type"]
    if kind == "object":
        return {name: least(schema["properties"][name]) for name in schema.get("required", ())}
    if kind == "array":
        return [least(schema["items"])]
    return {"string": "uses", "boolean": False}.get(kind, schema.get("minimum", 0))


def placed(value: Any, schema: Schema, way: Way, text: str) -> Any:  # noqa: ANN401 - any value
    """Return ``value`` with ``text`` at the end of ``way``; what is not there on the way is made."""
    if not way:
        return text
    step, rest = way[0], way[1:]
    if step == ANY:
        return {text: text}
    held = copy.deepcopy(least(schema) if value is None else value)
    if step == 0:
        return [placed((held or [None])[0], schema["items"], rest, text), *held[1:]]
    return {**held, step: placed(held.get(step), schema["properties"][step], rest, text)}


FIELDS: Final = tuple((tool.name, way) for tool in TOOLS for way in ways(tool.input_schema))


def with_text(graph: Graph, name: str, way: Way, text: str) -> dict[str, Any]:
    """Return the example of the tool called ``name``, with ``text`` in one place."""
    example = dict(EXAMPLES[name])
    if name == "capture":
        example["relations"] = [{"type": "uses", "target": "Three retries", "reasoning": "So it was seen."}]
    if name == "review":
        (item, *_), _ = graph.store.suggestions(SuggestionQuery())
        example["decide"] = [{"item": item.id, "decision": "dismiss", "reason": "So it was seen."}]
    arguments: dict[str, Any] = placed(example, tool_named(name).input_schema, way, text)
    return arguments


def texts(value: object) -> Iterator[str]:
    """Yield every text in a value, however deep, names too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, part in value.items():
            yield from texts(name)
            yield from texts(part)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from texts(part)


# ---- what becomes of it


def unexplained(touched: Mapping[str, set[tuple[object, ...]]], changes: list[Change], state: State) -> list[object]:
    """Return what was touched, besides what the log says was written and what goes with it."""
    ids = {change.subject_id for change in changes}
    ids |= {str(part) for change in changes for part in texts([change.before, change.after])}
    numbers = {row[0] for row in state["node"] if row[1] in ids}
    standing = {
        table.name: {table.key_of(row): row for row in state[table.name]}
        for table in TABLES
        if table.name in {"node", "passage"} and touched[table.name]
    }
    owner = {"passage": 1, "tag": 1, "reference": 1, "name": 2, "file_print": 0}
    found: list[object] = []
    for name, keys in touched.items():
        for key in keys:
            row = standing.get(name, {}).get(key, key)
            if name in owner:
                where = row[1] if name == "passage" else key[owner[name]]
                fine = where in numbers
            elif name in {"node", "relation", "source", "evidence", "suggestion"}:
                fine = str(row[1] if name == "node" else row[0]) in ids
            elif name in {"mention", "suggestion_subject"}:
                fine = bool(ids & set(map(str, key)))
            else:
                fine = name in {"tally", "confidence_band", "series", "receipt", "vote", "change"}
            if not fine:
                found.append((name, key))
    return found


class Bench:
    """An open graph, and what becomes of texts in it."""

    numbers = count()

    def __init__(self, ann: Door, folder: Path) -> None:
        self.ann = ann
        self.folder = folder
        self.stored: set[Way] = set()

    def put(self, name: str, way: Way, string: str, before: State) -> State:
        """Call the tool with the string in one field, check what was touched and kept, and take it back."""
        mark = f"w{next(self.numbers)}w"
        text, head = f"{string} {mark}", self.ann.graph.log.head()
        answer = self.ann.answer(name, with_text(self.ann.graph, name, way, text))
        assert answer.get("error", "INVALID_ARGUMENT") in REFUSALS, (name, way, string, answer)
        changes = list(self.ann.graph.log.since(head, limit=500))
        if not changes:
            return before
        assert "error" not in answer
        after = state_of(self.ann.graph)
        touched = touched_since(before, after)
        assert unexplained(touched, changes, after) == [], (name, way, string)
        assert touched["change"] == {(change.seq,) for change in changes}
        self.look(name, way, text, mark, changes)
        for batch in {change.batch for change in changes}:
            with suppress(Conflict):  # a vote can be changed, but not taken back
                self.ann.graph.curate.undo(batch, self.ann.graph.call("undo"))
        return state_of(self.ann.graph)

    def look(self, name: str, way: Way, text: str, mark: str, changes: list[Change]) -> None:
        """Read back what was stored: wherever the mark is, the whole text is, letter by letter."""
        ids = [change.subject_id for change in changes]
        standing = self.ann.graph.store.nodes(ids)
        read = [found for change in changes for found in texts([change.session, change.after]) if mark in found]
        read += [
            found for node in standing.values() for found in (node.title, node.content, *node.tags) if mark in found
        ]
        line = " ".join(text.split())  # what a title makes of it
        for found in read:
            assert text in found or line in found or found in text, (name, way, found)
        if any(text in found or line in found for found in read):
            self.stored.add(way)


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph that every example fits, to be copied."""
    folder = tmp_path_factory.mktemp("graph")
    with door(folder) as ann:
        furnish(ann.graph)
    return folder


@pytest.fixture(scope="module", params=["in turns", pytest.param("all", marks=pytest.mark.slow)])
def strings(request: pytest.FixtureRequest) -> Callable[[Field], tuple[str, ...]]:
    """Which strings a field is tried with; ``make test-postgres`` tries all, and so does ``-m slow`` on files."""
    if server or request.param == "all":
        return lambda _: STRINGS
    return lambda field: STRINGS[FIELDS.index(field) % TURNS :: TURNS]


@pytest.fixture
def bench(furnished: Path, tmp_path: Path) -> Iterator[Bench]:
    """A graph of its own for one tool."""
    folder = copied(furnished, tmp_path / "graph")
    with door(folder) as ann:
        yield Bench(ann, folder)


@pytest.fixture(scope="module")
def reading(furnished: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    """The graph, for tools that write nothing."""
    with door(copied(furnished, tmp_path_factory.mktemp("reading") / "graph")) as ann:
        yield ann


WRITING: Final = [tool.name for tool in TOOLS if tool.effect is not Effect.READS]
READING: Final = [tool.name for tool in TOOLS if tool.effect is Effect.READS]


@pytest.mark.parametrize("name", WRITING)
def test_what_is_written_is_the_text_and_nothing_else_is_touched(
    name: str, bench: Bench, strings: Callable[[Field], tuple[str, ...]]
) -> None:
    """Strings in every text field: what is stored is read back letter by letter, and only what the log names.

    Each string has its turn in many of the fields; all strings in all fields is a slow test.
    """
    shape, before = shape_of(bench.ann.graph), state_of(bench.ann.graph)
    for way in (way for tool, way in FIELDS if tool == name):
        for string in strings((name, way)):
            before = bench.put(name, way, string, before)
    assert shape_of(bench.ann.graph) == shape
    touched = touched_since(before, state_of(bench.ann.graph))
    assert {table for table, keys in touched.items() if keys} <= {"receipt"}
    assert {way for tool, way in FIELDS if tool == name and way[-1] in SAID} <= bench.stored


def test_every_string_has_its_turn(strings: Callable[[Field], tuple[str, ...]]) -> None:
    """Whatever the fields are."""
    assert {string for field in FIELDS for string in strings(field)} == set(STRINGS)
    assert min(len(strings(field)) for field in FIELDS) > 1


def size(answer: Mapping[str, Any]) -> dict[str, Any]:
    """Return the error of an answer, or how long its lists are."""
    if "error" in answer:
        return {"error": answer["error"]}
    return {name: len(value) for name, value in answer.items() if isinstance(value, list)}


@pytest.mark.parametrize("name", READING)
def test_what_is_asked_is_the_text_and_nothing_is_touched(
    name: str, reading: Door, strings: Callable[[Field], tuple[str, ...]]
) -> None:
    """Strings in every text field, by turns: no filter lets more through, or less, than a word nobody has heard."""
    shape, before = shape_of(reading.graph), state_of(reading.graph)
    for way in (way for tool, way in FIELDS if tool == name):
        wanted = size(reading.answer(name, with_text(reading.graph, name, way, HARMLESS)))
        for string in strings((name, way)):
            answer = reading.answer(name, with_text(reading.graph, name, way, string))
            assert answer.get("error", "INVALID_ARGUMENT") in REFUSALS, (name, way, string, answer)
            assert way[0] in FREE or size(answer) == wanted, (way, string)
    assert (shape_of(reading.graph), state_of(reading.graph)) == (shape, before)


@pytest.mark.parametrize("name", [tool.name for tool in TOOLS])
def test_the_name_of_an_argument_is_no_sql_either(name: str, reading: Door) -> None:
    """It is refused, and told as it was."""
    head = reading.graph.log.head()
    for string in STRINGS:
        answer = reading.answer(name, {**EXAMPLES[name], string: "x"})
        assert answer["error"] == "INVALID_ARGUMENT"
    assert reading.graph.log.head() == head


@pytest.mark.parametrize("sql", ["UPDATE node SET title = 'x' WHERE row = 1", "DELETE FROM name"])
def test_a_row_that_no_call_wrote_would_be_noticed(bench: Bench, sql: str) -> None:
    """The twin: one statement past the store."""
    before = state_of(bench.ann.graph)
    head = bench.ann.graph.log.head()
    bench.ann.call("capture", content="Workers take one job at a time.", tags=["queue"])
    mid = state_of(bench.ann.graph)
    changes = list(bench.ann.graph.log.since(head, limit=500))
    assert unexplained(touched_since(before, mid), changes, mid) == []
    execute_at(bench.folder / "notes.db", sql)
    after = state_of(bench.ann.graph)
    assert unexplained(touched_since(before, after), changes, after) != []


def test_a_table_that_is_gone_would_be_noticed(bench: Bench) -> None:
    """The twin: what an injected DROP would do."""
    before = shape_of(bench.ann.graph)
    execute_at(bench.folder / "notes.db", "DROP TABLE token")
    assert shape_of(bench.ann.graph) != before
