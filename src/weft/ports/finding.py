"""What the verbs ask in order to find: words, vectors, and the models that read texts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Protocol

from weft.model import Embedded

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

    from weft.model import (
        Calibration,
        Filter,
        Near,
        Openings,
        Verdict,
        WordHit,
    )

__all__ = ["Chat", "Embedder", "Entailment", "Intent", "Judge", "Vectors", "WholeTexts", "Words"]


class Words(Protocol):
    """Full text."""

    def search(self, query: str, *, filter: Filter, limit: int) -> tuple[WordHit, ...]:  # noqa: A002
        """Return nodes that hold words of ``query``, best first; any text at all is a valid query."""
        ...

    def held_in(self, query: str, near: Sequence[Near]) -> tuple[WordHit, ...]:
        """Return which words of ``query`` the passages of ``near`` hold, best first; those that hold none are left out.

        Numbers count as any words do.
        """
        ...

    def holding(self, query: str, *, filter: Filter, limit: int) -> tuple[str, ...]:  # noqa: A002
        """Return ids of nodes that hold every word of ``query`` in title, content or tags."""
        ...

    def phrase(self, name: str, *, filter: Filter, limit: int) -> tuple[str, ...]:  # noqa: A002
        """Return ids of nodes whose text holds ``name`` as consecutive words."""
        ...

    def holders(self, names: Sequence[Sequence[str]], *, per_list: int) -> tuple[dict[str, tuple[str, ...]], ...]:
        """Return, for each list of names, its ``per_list`` rarest with the nodes that hold the roots of their words.

        In order, one after the other. A name that stands in one passage alone, or in very many, is left out.
        """
        ...

    def counts(self, roots: Sequence[str]) -> dict[str, int]:
        """Return in how many passages each of these roots of words ever stood; those that none held are left out."""
        ...

    def rarity(self, roots: Sequence[str]) -> dict[str, float]:
        """Return how rare each of these roots of words is: 0 for one in every passage, growing without bound."""
        ...


class Vectors(Protocol):
    """Nearest neighbours by meaning, over what stands now (or stood at ``filter.as_of``)."""

    def nearest(self, vector: npt.NDArray[np.float32], *, filter: Filter, limit: int) -> tuple[Near, ...]:  # noqa: A002
        """Return the nodes whose best passage is nearest to ``vector`` (shape (dimension,), length 1).

        Nearest first.
        """
        ...

    def openings(self, filter: Filter, *, limit: int, per_node: int) -> Openings | None:  # noqa: A002
        """Return the first ``per_node`` passages of all nodes that pass ``filter`` now, whatever they are near to.

        None: over ``limit`` nodes would have to be read.
        """
        ...

    def of(self, ids: Sequence[str]) -> dict[str, npt.NDArray[np.float32]]:
        """Return the passage vectors of these nodes, each of shape (passages, dimension)."""
        ...

    def rows(self, ids: Sequence[str]) -> dict[str, tuple[int, ...]]:
        """Return the passages of these nodes that stand, in the order of their text, as :meth:`of` has their vectors.

        They are named as :class:`weft.model.Near` names them; nodes that have none are left out.
        """
        ...

    def passages(self, passages: Sequence[int]) -> dict[int, npt.NDArray[np.float32]]:
        """Return the vectors of these passages, each of shape (dimension,) and length 1, whether they stand or ended.

        Passages are named as :class:`weft.model.Near` and :class:`weft.model.WordHit` name them; unknown ones are left
        out.
        """
        ...

    def cosines(self, vector: npt.NDArray[np.float32], ids: Sequence[str]) -> dict[str, float]:
        """Return how near the best passage of each of these nodes is to ``vector`` (shape (dimension,), length 1).

        Raw cosines, −1..1; nodes that have no passage are left out.
        """
        ...

    def words(self, passages: Sequence[int], *, width: int) -> dict[int, npt.NDArray[np.int8]]:
        """Return the vectors of the words of these passages, each of shape (words, ``width``).

        Passages are named as :class:`weft.model.Near` and :class:`weft.model.WordHit` name them; those whose words have
        no vectors are left out.
        """
        ...


class Embedder(Protocol):
    """Text to vectors."""

    @property
    def name(self) -> str:
        """Name and variant of the model; stored with the graph, and mixing is refused."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    @property
    def calibration(self) -> Calibration:
        """The map from this model's raw cosine to similarity."""
        ...

    @property
    def word_width(self) -> int:
        """How many numbers :meth:`embed_words` gives for a word; 0: none."""
        ...

    def has_word(self, term: str) -> bool:
        """Return whether ``term`` is a word of the language that the model reads, as far as that is known."""
        ...

    def words(self, text: str) -> tuple[str, ...]:
        """Return the words of ``text`` for which :meth:`embed_words` gives vectors, in their order, and make none."""
        ...

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return one row a text, shape (len(texts), dimension), each of length 1."""
        ...

    def embed_words(self, texts: Sequence[str]) -> tuple[Embedded, ...]:
        """Return each text as a whole, with the vector that :meth:`embed` gives, and word by word where it can."""
        ...


class WholeTexts(ABC):
    """What an embedder inherits whose model gives no vectors of words."""

    word_width: int = 0

    def has_word(self, term: str) -> bool:  # noqa: ARG002 - a part of the port
        """Return whether ``term`` is a word: of a model that shows no vocabulary nothing is known."""
        return False

    def words(self, text: str) -> tuple[str, ...]:  # noqa: ARG002 - a part of the port
        """Return no words: none of them gets a vector."""
        return ()

    @abstractmethod
    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return one row a text; see :meth:`Embedder.embed`."""

    def embed_words(self, texts: Sequence[str]) -> tuple[Embedded, ...]:
        """Return each text as a whole alone."""
        return tuple(Embedded(vector=vector) for vector in self.embed(texts))


class Chat(Protocol):
    """A chat model. What it answers is text of a stranger: nothing that asks may believe it."""

    @property
    def name(self) -> str:
        """Model and host, for messages."""
        ...

    def answer(self, system: str, user: str) -> str:
        """Return what the model answers to ``user`` under the instructions ``system``.

        Raises:
            LimitExceeded: the answer is larger than is read.
        """
        ...


class Judge(Protocol):
    """Says how texts stand to a claim: rules, an entailment model, a chat model. Texts and claim are untrusted."""

    @property
    def name(self) -> str:
        """What judges, for messages."""
        ...

    def judge(self, claim: str, texts: Sequence[str], similarities: Sequence[float]) -> tuple[Verdict, ...]:
        """Return one verdict a text, in their order; ``similarities`` (0..1, calibrated) are those to the claim.

        A judge that cannot tell, or cannot be reached, abstains («unsure»): what is called a conflict should be one.
        """
        ...


class Entailment(Protocol):
    """Reads a claim and a text at once, and says how likely it is that the one follows. Both are untrusted."""

    @property
    def name(self) -> str:
        """Name and variant of the network."""
        ...

    def read(self, claim: str, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return one row a text, shape (len(texts), 3), each adding up to 1.

        The chances that the text rules the claim out, that the claim follows from it, and that it does neither.
        """
        ...


class Intent(Protocol):
    """Reads sentences that name a document, and says what for. They are untrusted."""

    @property
    def name(self) -> str:
        """Name and variant of the network."""
        ...

    def read(self, heading: str, sentences: Sequence[str], /) -> npt.NDArray[np.float32]:
        """Return one row a sentence that stands under ``heading``, shape (len(sentences), 3), each adding up to 1.

        The chances that the text needs what is called «that document» in it, that it takes its place, and neither.
        """
        ...
