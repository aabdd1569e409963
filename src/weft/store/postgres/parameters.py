"""What connections are given: parameters of connecting, which a URL may set itself, and settings of their sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CONNECTION", "READING", "SESSION"]

# A server that is gone is noticed within half a minute, whatever the network does with what is sent to it.
CONNECTION: Final[Mapping[str, str]] = {
    "connect_timeout": "5",
    "application_name": "weft",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "20000",
}
# As in the embedded engine a plan never depends on the values bound to it, so that a statement is planned once; nor
# does it fear a page that lies elsewhere, as it would on a turning disk; and compiling a plan to machine code, which a
# server that is not told otherwise begins with at some hundred thousand passages, takes longer than any of ours runs.
SESSION: Final = """
    SET idle_in_transaction_session_timeout TO '10min';
    SET client_min_messages TO warning;
    SET plan_cache_mode TO force_generic_plan;
    SET random_page_cost TO 1.1;
    SET jit TO off;
"""
# Under a filter pgvector goes on looking until enough pass, in about the order of their distance; since 0.8, where an
# older one refuses the setting.
READING: Final = """
    SET default_transaction_read_only TO on;
    SELECT set_config('hnsw.iterative_scan', 'relaxed_order', false) FROM pg_extension
    WHERE extname = 'vector' AND regexp_match(extversion, '^(\\d+)\\.(\\d+)')::integer[] >= '{0,8}';
"""
