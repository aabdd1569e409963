"""Readers that are held to some ontologies: row-level security, off until the first of them is granted.

Such a login may take one role only, :data:`BOUNDED`, which reads. Which ontologies are its own stands in a table that
no role reads. A table that this role reads either has a rule for it or holds nothing that anybody said; what is not
listed here stays closed to it. A rule leads back to a node or a document that is seen: a passage, a word or a name is
seen where its node is, a relation where both of its ends are, a line of the log where what it made of its subject is.
To every other role all rows are open, and its queries run as if there were no rules.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from weft.model import Tier
from weft.store.postgres.connection import SCHEMA, role_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from weft.store.postgres.connection import PostgresReader, PostgresWriter

__all__ = ["BOUNDED", "OPEN", "RULES", "bind", "hold", "is_bound"]

BOUNDED: Final = "weft_reader_bounded"
"""The role of readers that are held to some ontologies."""

OPEN: Final = ("meta", "migration", "token", "corpus")
"""Tables without a rule: which graph it is, who may call a server, and how many passages and words there are."""

_ITS_NODE: Final = "EXISTS (SELECT FROM node WHERE node.row = {table}.node)"
_ITS_SUBJECT: Final = """
    (EXISTS (SELECT FROM node WHERE node.id = {subject}) OR EXISTS (SELECT FROM relation WHERE relation.id = {subject}))
"""
_WITHIN: Final = "({value} = ANY ((SELECT bounds())::text[]))"


def _said(field: str) -> str:
    """Return what a line of the log says of a field: it is the same before and after, or there is only one of them."""
    return f"(coalesce(change.after, change.before)::json ->> '{field}')"


def _both(field: str) -> str:
    """Return the condition that a field was within the bounds before a change and after it."""
    each = (f"(change.{text} IS NULL OR {_WITHIN.format(value=_text(text, field))})" for text in ("before", "after"))
    return " AND ".join(each)


def _text(column: str, field: str) -> str:
    return f"(change.{column}::json ->> '{field}')"


RULES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "node": _WITHIN.format(value="ontology"),
        "source": _WITHIN.format(value="ontology"),
        "tally": _WITHIN.format(value="ontology"),
        # What stood before is seen where it was said within the bounds; the node may have come into them since.
        "passage": f"""
            {_ITS_NODE.format(table="passage")}
            AND (to_seq IS NULL OR EXISTS (SELECT FROM change WHERE change.seq = passage.from_seq))
        """,
        "words": "EXISTS (SELECT FROM passage WHERE passage.row = words.row)",
        "posting": "EXISTS (SELECT FROM passage WHERE passage.row = posting.row)",
        "term": "EXISTS (SELECT FROM posting WHERE posting.term = term.term)",
        "tag": _ITS_NODE.format(table="tag"),
        "reference": _ITS_NODE.format(table="reference"),
        "name": _ITS_NODE.format(table="name"),
        "file_print": _ITS_NODE.format(table="file_print"),
        "relation": """
            EXISTS (SELECT FROM node WHERE node.id = relation.source)
            AND EXISTS (SELECT FROM node WHERE node.id = relation.target)
        """,
        "mention": """
            EXISTS (SELECT FROM node WHERE node.id = mention.node)
            AND EXISTS (SELECT FROM node WHERE node.id = mention.target)
        """,
        "evidence": f"""
            {_ITS_SUBJECT.format(subject="evidence.subject")}
            AND EXISTS (SELECT FROM source WHERE source.id = evidence.source)
        """,
        "vote": """
            EXISTS (SELECT FROM node WHERE node.learned_id = vote.learned_id AND node.learned_id <> '')
            OR EXISTS (SELECT FROM relation WHERE relation.learned_id = vote.learned_id AND relation.learned_id <> '')
        """,
        "change": f"""
            CASE change.subject
                WHEN 'node' THEN {_both("ontology")}
                WHEN 'source' THEN {_both("ontology")}
                WHEN 'relation' THEN EXISTS (SELECT FROM node WHERE node.id = {_said("source")})
                    AND EXISTS (SELECT FROM node WHERE node.id = {_said("target")})
                WHEN 'evidence' THEN {_ITS_SUBJECT.format(subject=_said("subject"))}
                    AND EXISTS (SELECT FROM source WHERE source.id = {_said("source")})
                ELSE false
            END
        """,
        # Counts of the whole graph, numbers of days, and what is suggested to those who look after all of it.
        "confidence_band": "false",
        "series": "false",
        "suggestion": "false",
        "suggestion_subject": "false",
    }
)
"""For each table, which of its rows such a reader sees."""

_MADE: Final = f"""
    CREATE TABLE IF NOT EXISTS bound (login plain, ontology plain, PRIMARY KEY (login, ontology));
    CREATE OR REPLACE FUNCTION bounds() RETURNS text[]
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path TO {SCHEMA}, pg_temp AS $$
        SELECT array_agg(ontology::text) FROM bound WHERE login = session_user
    $$
"""
_RULED: Final = """
    DROP POLICY IF EXISTS everyone ON {table};
    DROP POLICY IF EXISTS bounded ON {table};
    CREATE POLICY everyone ON {table} USING (true) WITH CHECK (true);
    CREATE POLICY bounded ON {table} AS RESTRICTIVE TO {role} USING ({rule});
    ALTER TABLE {table} ENABLE ROW LEVEL SECURITY
"""


def is_bound(owner: PostgresReader) -> bool:
    """Return whether any reader of this graph was ever held to some ontologies."""
    return bool(owner.execute("SELECT to_regclass('bound') IS NOT NULL")[0][0])


def bind(owner: PostgresWriter) -> None:
    """Make the rules, and let the role of such readers read by them; inside a transaction of the graph's owner."""
    owner.execute(_MADE)
    for table, rule in RULES.items():
        owner.execute(_RULED.format(table=table, role=BOUNDED, rule=rule))
    owner.execute(f"REVOKE ALL ON bound FROM {', '.join(role_of(tier) for tier in Tier)}")
    owner.execute(f"REVOKE ALL ON ALL TABLES IN SCHEMA {SCHEMA} FROM {BOUNDED}")
    owner.execute(f"GRANT USAGE ON SCHEMA {SCHEMA} TO {BOUNDED}")
    owner.execute(f"GRANT SELECT ON {', '.join((*OPEN, *RULES))} TO {BOUNDED}")


def hold(owner: PostgresWriter, login: str, ontologies: Sequence[str]) -> None:
    """Hold a login to these ontologies; none: it sees none as such a reader."""
    owner.execute("DELETE FROM bound WHERE login = %(login)s", {"login": login})
    for ontology in dict.fromkeys(ontologies):
        owner.execute(
            "INSERT INTO bound (login, ontology) VALUES (%(login)s, %(ontology)s)",
            {"login": login, "ontology": ontology},
        )
