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
from weft.store.postgres.catalogue import has_table
from weft.store.postgres.names import SCHEMA, role_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from weft.store.postgres.connection import PostgresReader, PostgresWriter

__all__ = ["BOUNDED", "FUNCTIONS", "OPEN", "RULES", "bind", "bind_table", "hold", "is_bound"]

BOUNDED: Final = "weft_reader_bounded"
"""The role of readers that are held to some ontologies."""

OPEN: Final = ("meta", "migration", "token", "corpus")
"""Tables without a rule: which graph it is, who may call a server, and how many passages and words there are."""

_SAID: Final = """
    CASE {subject}
        WHEN 'node' THEN {said} ->> 'ontology' = ANY ((SELECT sees_ontologies())::text[])
        WHEN 'source' THEN {said} ->> 'ontology' = ANY ((SELECT sees_ontologies())::text[])
        WHEN 'relation' THEN sees({said} ->> 'source') AND sees({said} ->> 'target')
        WHEN 'evidence' THEN sees_subject({said} ->> 'subject') AND sees_source({said} ->> 'source')
        ELSE false
    END
"""
_LOGGED: Final = " AND ".join(
    f"({what} IS NULL OR {_SAID.format(subject='subject', said=f'{what}::json')})" for what in ("before", "after")
)
"""The rule of the log, which calls no function where it can do without: who sees nothing has every line asked. What the
reader is held to is looked up once a query."""

RULES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "node": "sees_ontology(ontology)",
        "source": "sees_ontology(ontology)",
        "tally": "sees_ontology(ontology)",
        "passage": "sees_passage(row)",
        "words": "sees_passage(row)",
        "posting": "sees_passage(row)",
        "term": "sees_term(term)",
        "tag": "sees_node(node)",
        "reference": "sees_node(node)",
        "name": "sees_node(node)",
        "file_print": "sees_node(node)",
        "relation": "sees(source) AND sees(target)",
        "mention": "sees(node) AND sees(target)",
        "evidence": "sees_subject(subject) AND sees_source(source)",
        "vote": "sees_learned(learned_id)",
        "change": _LOGGED,
        # Counts of the whole graph, numbers of days, and what is suggested to those who look after all of it.
        "confidence_band": "false",
        "series": "false",
        "suggestion": "false",
        "suggestion_subject": "false",
    }
)
"""For each table, which of its rows such a reader sees."""

# Each tells whether the login that connected sees something; they read as the graph's owner, and nothing that they are
# called with widens what they say. What stood before is seen where it was said within the bounds: a node may have come
# into them since.
FUNCTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "sees_ontologies() RETURNS text[]": """
            ARRAY (SELECT ontology::text FROM bound WHERE login = session_user)
        """,
        "sees_ontology(ontology_ text) RETURNS boolean": """
            EXISTS (SELECT FROM bound WHERE login = session_user AND ontology = ontology_)
        """,
        "sees_node(row_ bigint) RETURNS boolean": """
            EXISTS (SELECT FROM node JOIN bound USING (ontology) WHERE node.row = row_ AND bound.login = session_user)
        """,
        "sees(id_ text) RETURNS boolean": """
            EXISTS (SELECT FROM node JOIN bound USING (ontology) WHERE node.id = id_ AND bound.login = session_user)
        """,
        "sees_source(id_ text) RETURNS boolean": """
            EXISTS (SELECT FROM source JOIN bound USING (ontology) WHERE source.id = id_ AND bound.login = session_user)
        """,
        "sees_subject(id_ text) RETURNS boolean": """
            sees(id_) OR EXISTS (SELECT FROM relation WHERE id = id_ AND sees(source) AND sees(target))
        """,
        "sees_learned(learned_id_ text) RETURNS boolean": """
            learned_id_ <> '' AND (
                EXISTS (SELECT FROM node WHERE learned_id = learned_id_ AND sees_node(row))
                OR EXISTS (SELECT FROM relation WHERE learned_id = learned_id_ AND sees(source) AND sees(target))
            )
        """,
        "sees_text(subject_ text, said json) RETURNS boolean": _SAID.format(subject="subject_", said="said"),
        "sees_change(seq_ bigint) RETURNS boolean": """
            EXISTS (
                SELECT FROM change WHERE seq = seq_
                    AND (before IS NULL OR sees_text(subject, before::json))
                    AND (after IS NULL OR sees_text(subject, after::json))
            )
        """,
        "sees_passage(row_ bigint) RETURNS boolean": """
            EXISTS (
                SELECT FROM passage WHERE row = row_ AND sees_node(node) AND (to_seq IS NULL OR sees_change(from_seq))
            )
        """,
        "sees_term(term_ text) RETURNS boolean": """
            EXISTS (SELECT FROM posting WHERE term = term_ AND sees_passage(row))
        """,
    }
)
"""What the rules ask: how each function is called, and what it tells."""

_BOUND: Final = "CREATE TABLE IF NOT EXISTS bound (login plain, ontology plain, PRIMARY KEY (login, ontology))"
_FUNCTION: Final = """
    CREATE OR REPLACE FUNCTION {signature} LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO {schema}, pg_temp AS $$ BEGIN RETURN {told}; END $$
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
    return has_table(owner, SCHEMA, "bound")


def bind(owner: PostgresWriter) -> None:
    """Make the rules, and let the role of such readers read by them; inside a transaction of the graph's owner."""
    owner.execute(_BOUND)
    for signature, told in FUNCTIONS.items():
        owner.execute(_FUNCTION.format(signature=signature, schema=SCHEMA, told=told))
    for table, rule in RULES.items():
        owner.execute(_RULED.format(table=table, role=BOUNDED, rule=rule))
    owner.execute(f"REVOKE ALL ON bound FROM {', '.join(role_of(tier) for tier in Tier)}")
    owner.execute(f"REVOKE ALL ON ALL TABLES IN SCHEMA {SCHEMA} FROM {BOUNDED}")
    owner.execute(f"GRANT USAGE ON SCHEMA {SCHEMA} TO {BOUNDED}")
    owner.execute(f"GRANT SELECT ON {', '.join((*OPEN, *RULES))} TO {BOUNDED}")


def bind_table(owner: PostgresWriter, table: str) -> None:
    """Make the rule of one table that is new, and let the role of such readers read by it."""
    owner.execute(_RULED.format(table=table, role=BOUNDED, rule=RULES[table]))
    owner.execute(f"GRANT SELECT ON {table} TO {BOUNDED}")


def hold(owner: PostgresWriter, login: str, ontologies: Sequence[str]) -> None:
    """Hold a login to these ontologies; none: it sees none as such a reader."""
    owner.execute("DELETE FROM bound WHERE login = %(login)s", {"login": login})
    for ontology in dict.fromkeys(ontologies):
        owner.execute(
            "INSERT INTO bound (login, ontology) VALUES (%(login)s, %(ontology)s)",
            {"login": login, "ontology": ontology},
        )
