"""What of a database holds a text, as queries see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from postgres.cluster import Cluster

__all__ = ["holding"]

_SCHEMAS: Final = ("weft", "weft_use")
_TABLES: Final = """
SELECT relnamespace::regnamespace::text, relname FROM pg_class
WHERE relnamespace::regnamespace::text = ANY(%s) AND relkind = 'r'
"""
_SEEN: Final = "SELECT 1 FROM {} AS held WHERE lower(held::text) LIKE ANY(%s) LIMIT 1"


def holding(cluster: Cluster, name: str, *needles: str) -> list[str]:
    """Return what of the database holds one of ``needles``: its tables, and the planner's samples of their columns."""
    tables = cluster.rows(_TABLES, list(_SCHEMAS), database=name)
    places = [*(f"{schema}.{table}" for schema, table in tables), "pg_catalog.pg_statistic"]
    like = [f"%{needle.lower()}%" for needle in needles]
    return sorted(place for place in places if cluster.rows(_SEEN.format(place), like, database=name))
