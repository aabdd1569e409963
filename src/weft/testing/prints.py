"""What a memory of files must do. Subclass :class:`PrintsContract` in your tests, fill in ``open``, and run pytest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import pytest

from weft.errors import PermissionDenied
from weft.model import FilePrint, SaveFilePrints, SaveNode, Tier
from weft.testing.graphs import GraphContract, Kept
from weft.testing.making import a_batch, a_node, changed, retired, saved

if TYPE_CHECKING:
    from weft.model import Node
    from weft.ports import Prints

__all__ = ["PrintsContract"]


class Printed(Kept, Protocol):
    """An open graph that remembers files."""

    @property
    def prints(self) -> Prints:
        """What files looked like."""
        ...


def a_print(node: Node, file: str, *, digest: str = "d", root: str = "") -> FilePrint:
    """Return what a file below ``root`` looked like; the node refers to it by its path."""
    return FilePrint(node=node.id, reference=file, root=root, file=file, digest=digest)


class PrintsContract(GraphContract):
    """The promises of :class:`weft.ports.Prints`, and of the counts of confidence."""

    def keep(self, kept: Printed, node: Node, *prints: FilePrint, tier: Tier = Tier.CURATOR) -> None:
        """Replace the prints of a node."""
        kept.store.commit(a_batch(SaveFilePrints(node=node.id, prints=prints), tier=tier))

    def test_the_prints_of_a_node_are_replaced_as_one(self, kept: Printed) -> None:
        """In the batch that makes the node, and again later; the log does not tell of them."""
        node, other = a_node("one"), a_node("two")
        first = (a_print(node, "a.py"), a_print(node, "b.py"))
        kept.store.commit(a_batch(saved(node), SaveFilePrints(node=node.id, prints=first), saved(other)))
        head = kept.log.head()
        assert kept.prints.of_nodes([node.id, other.id, "nobody"]) == first
        then = a_print(node, "b.py", digest="e")
        self.keep(kept, node, then)
        assert kept.prints.of_nodes([node.id]) == (then,)
        self.keep(kept, node)
        assert kept.prints.of_nodes([node.id]) == ()
        assert kept.log.head() == head

    def test_prints_of_a_node_that_is_not_there_are_nothing(self, kept: Printed) -> None:
        """Nothing is written for it."""
        self.keep(kept, a_node("nobody"), a_print(a_node("nobody"), "a.py"))
        assert kept.prints.of_files("", ["a.py"], limit=9) == ()

    def test_who_keeps_a_print_of_a_file_is_found_newest_first(self, kept: Printed) -> None:
        """Below the same root only, standing nodes only, each once."""
        one, two, gone, elsewhere = (a_node(title) for title in ("one", "two", "gone", "elsewhere"))
        self.write(kept, one, two, gone, elsewhere)
        self.keep(kept, one, a_print(one, "a.py"), a_print(one, "b.py"))
        self.keep(kept, two, a_print(two, "a.py"))
        self.keep(kept, gone, a_print(gone, "a.py"))
        self.keep(kept, elsewhere, a_print(elsewhere, "a.py", root="/other"))
        kept.store.commit(a_batch(SaveNode(node=retired(gone), expect=gone.version)))
        assert kept.prints.of_files("", ["a.py", "b.py"], limit=9) == (two.id, one.id)
        assert kept.prints.of_files("", ["a.py"], limit=1) == (two.id,)
        assert kept.prints.of_files("/other", ["a.py"], limit=9) == (elsewhere.id,)
        assert kept.prints.of_files("", ["c.py"], limit=9) == ()

    def test_whoever_refers_to_anything_is_walked_through_once(self, kept: Printed) -> None:
        """A page after the other, each node once however much it refers to."""
        nodes = [a_node(f"n{at}", references=("a.py", "b.py")) for at in range(5)]
        self.write(kept, *nodes, a_node("none"))
        seen: list[str] = []
        after = 0
        while page := kept.prints.referring(after, limit=2):
            seen += [id_ for _, id_ in page]
            after = page[-1][0]
        assert seen == [node.id for node in nodes]

    def test_a_reader_keeps_no_prints(self, kept: Printed) -> None:
        """A contributor does."""
        node = a_node("one")
        self.write(kept, node)
        self.keep(kept, node, a_print(node, "a.py"), tier=Tier.CONTRIBUTOR)
        with pytest.raises(PermissionDenied):
            self.keep(kept, node, tier=Tier.READER)
        assert len(kept.prints.of_nodes([node.id])) == 1

    def test_bands_of_confidence_are_counted_as_nodes_come_change_and_go(self, kept: Printed) -> None:
        """High from 0.8, medium from 0.5, else low; forgotten nodes count no more."""
        sure, fair, poor = (a_node(f"{value}", confidence=value) for value in (0.8, 0.5, 0.49))
        self.write(kept, sure, fair, poor)
        assert kept.store.counts().nodes_by_confidence == {"high": 1, "medium": 1, "low": 1}
        doubted = changed(sure, confidence=0.79)
        kept.store.commit(a_batch(SaveNode(node=doubted, expect=1), SaveNode(node=retired(poor), expect=1)))
        assert kept.store.counts().nodes_by_confidence == {"medium": 2}
