"""What is listed is what the login lets be called: tools, prompts, calls and operations, over MCP and HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio
import pytest

import weft
from doors import client, serving
from faces.test_reach import listed
from postgres.cluster import until
from postgres.installed import free_port
from weft.model import Tier
from weft.store.postgres.connection import bare
from weft.store.postgres.granting import grant

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from postgres.cluster import Cluster

HELD = "SELECT count(*) FROM pg_stat_activity WHERE usename = %s"


class Place:
    """A graph in a database, and a login that is nothing in it yet."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.database = cluster.create_database()
        self.owner = cluster.url(self.database)
        self.login = f"caller_{self.database}"
        self.url = cluster.url(self.database, user=self.login)
        cluster.rows(f"CREATE ROLE {self.login} LOGIN")

    def let_in(self, tier: Tier, *ontologies: str) -> None:
        """Let the login be of a tier."""
        with bare(self.owner) as owner:
            grant(owner, self.login, tier=tier, ontologies=ontologies)

    def connections(self) -> int:
        """Return how many connections the login holds."""
        return int(self.cluster.rows(HELD, self.login)[0][0])


@pytest.fixture
def place(cluster: Cluster) -> Iterator[Place]:
    """A graph, which its owner has made."""
    made = Place(cluster)
    with weft.open(made.owner):
        pass
    yield made
    cluster.drop_database(made.database)
    cluster.rows(f"DROP ROLE {made.login}")


@pytest.mark.parametrize("tier", list(Tier), ids=lambda tier: tier.label)
def test_a_login_is_listed_what_its_tier_may_call(place: Place, tmp_path: Path, tier: Tier) -> None:
    """As to callers of that role, before the graph is open and after; and nobody holds a connection for the list."""
    place.let_in(tier)
    with serving(tmp_path, graph=place.owner, role=tier.label) as held:
        expected = listed(held)
    with serving(tmp_path, graph=place.url) as held:
        assert listed(held) == expected
        until(lambda: place.connections() == 0, what="the end of what the list was asked over")
        held.graph()
        assert listed(held) == expected
    assert ("capture" in expected["tools"]) is (tier > Tier.READER)


def test_a_login_never_raises_what_a_role_reaches(place: Place, tmp_path: Path) -> None:
    """The lower of the two holds; a reader that is held to some ontologies is a reader."""
    place.let_in(Tier.LIBRARIAN)
    with serving(tmp_path, graph=place.url, role="contributor") as held:
        assert held.reach("contributor") == "contributor"
        assert held.reach("curator") == "librarian"
    place.let_in(Tier.READER, "main")
    with serving(tmp_path, graph=place.url) as held:
        assert held.reach("curator") == "reader"


def _nowhere(_place: Place) -> str:
    return f"postgresql://nobody@127.0.0.1:{free_port()}/none"


def _no_role(place: Place) -> str:
    return place.url


@pytest.mark.parametrize("url_of", [_nowhere, _no_role], ids=["nobody listens", "the login has no role"])
def test_where_nobody_can_tell_the_role_decides_and_the_list_is_not_kept(
    place: Place, tmp_path: Path, url_of: Callable[[Place], str]
) -> None:
    """A server answers while its database cannot be asked; the first call says what is amiss."""

    async def asked() -> None:
        async with client(held) as connected:
            told = await connected.list_tools()
            assert "capture" in {tool.name for tool in told.tools}
            assert told.ttl_ms == 0
            refused = await connected.call_tool("search", {"query": "water"})
            assert refused.is_error

    async def known() -> None:
        async with client(held) as connected:
            assert (await connected.list_tools()).ttl_ms > 0

    with serving(tmp_path, graph=url_of(place)) as held:
        anyio.run(asked)
    place.let_in(Tier.CURATOR)
    with serving(tmp_path, graph=place.url) as held:
        anyio.run(known)
