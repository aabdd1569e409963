"""What every embedder must do. Subclass :class:`EmbedderContract` in your tests, fill in ``make``, and run pytest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from weft.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.ports import Embedder

__all__ = ["EmbedderContract"]

TEXTS = (
    "The cache is cleared when the session ends.",
    "refresh_token rotates",
    "",
    "Ein Zug fährt um 8:15 Uhr von Gleis 3 ab.",
    "注意力机制",
    "def f(x):\n    return x + 1",
    "A much longer text. " * 400,
    "🙂",
)


class EmbedderContract:
    """The promises of :class:`weft.ports.Embedder`; ``make`` returns a fresh one each time.

    ``stable`` is the least cosine between a text's vector alone and in company; set it lower only for a server that
    does worse, and say why.
    """

    stable: float = 0.999

    def make(self) -> Embedder:
        """Return an embedder that can be used."""
        raise NotImplementedError

    def test_it_has_a_name_for_the_graph_to_keep(self) -> None:
        embedder = self.make()
        assert embedder.name.strip() == embedder.name != ""
        assert embedder.name == self.make().name

    def test_a_text_becomes_one_row_of_the_dimension(self) -> None:
        embedder = self.make()
        vectors = embedder.embed(TEXTS)
        assert vectors.dtype == np.float32
        assert vectors.shape == (len(TEXTS), embedder.dimension)

    def test_no_texts_become_no_rows(self) -> None:
        embedder = self.make()
        assert embedder.embed([]).shape == (0, embedder.dimension)

    def test_the_dimension_is_the_same_before_and_after_the_first_text(self) -> None:
        embedder = self.make()
        before = embedder.dimension
        assert embedder.embed(["a"]).shape[1] == before == embedder.dimension

    def test_every_vector_is_finite_and_of_length_one(self) -> None:
        vectors = self.make().embed(TEXTS)
        assert np.isfinite(vectors).all()
        assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)

    def test_blank_texts_share_one_defined_vector(self) -> None:
        vectors = self.make().embed(["", "  \n\t", "\u200b", "."])
        assert np.allclose(vectors, vectors[0], atol=1e-6)

    def test_a_text_has_the_same_vector_alone_and_in_company(self) -> None:
        embedder = self.make()
        together = embedder.embed(TEXTS)
        self._alike(together, np.concatenate([embedder.embed([text]) for text in TEXTS]))
        self._alike(together[::-1], embedder.embed(TEXTS[::-1]))

    def test_another_instance_gives_the_same_vectors(self) -> None:
        self._alike(self.make().embed(TEXTS), self.make().embed(TEXTS))

    def test_rows_stand_in_the_order_of_the_texts(self) -> None:
        many = [f"The number of this sentence is {number}." for number in range(150)]
        embedder = self.make()
        self._alike(embedder.embed(many)[::30], embedder.embed(many[::30]))

    def test_a_text_read_word_by_word_has_the_vector_that_it_has_as_a_whole(self) -> None:
        embedder = self.make()
        read = embedder.embed_words(TEXTS)
        self._alike(np.stack([each.vector for each in read]), embedder.embed(TEXTS))
        assert embedder.embed_words([]) == ()

    def test_every_word_has_a_row_of_the_width_or_none_has(self) -> None:
        embedder = self.make()
        for each in embedder.embed_words(TEXTS):
            rows = each.word_vectors
            assert (rows is None) == (embedder.word_width == 0)
            if rows is None:
                assert each.words == ()
            else:
                assert rows.dtype == np.int8
                assert rows.shape == (len(each.words), embedder.word_width)

    def test_the_words_of_a_text_are_known_without_their_vectors(self) -> None:
        embedder = self.make()
        assert [embedder.words(each) for each in TEXTS] == [each.words for each in embedder.embed_words(TEXTS)]

    def test_what_is_no_word_in_any_language_is_not_taken_for_one(self) -> None:
        assert not self.make().has_word("zxqvwk")

    def test_what_is_handed_out_is_the_callers_own(self) -> None:
        embedder = self.make()
        embedder.embed(["mine"])[:] = 0
        assert np.allclose(np.linalg.norm(embedder.embed(["mine"]), axis=1), 1, atol=1e-5)

    def test_texts_that_mean_the_same_lie_closer_than_texts_that_do_not(self) -> None:
        first, same, other = self.make().embed(
            ["A man is playing a guitar.", "A man plays the guitar.", "The stock market fell sharply on Monday."]
        )
        assert first @ same > first @ other

    def test_likeness_rises_with_the_cosine_and_stays_within_zero_and_one(self) -> None:
        calibration = self.make().calibration
        similarities = [calibration.similarity(step / 50) for step in range(-50, 51)]
        assert similarities == sorted(similarities)
        assert 0 <= similarities[0] < similarities[-1] <= 1

    def test_a_lone_surrogate_is_refused(self) -> None:
        self._refused(["fine", "broken \ud800"])

    def test_one_string_in_place_of_a_list_is_refused(self) -> None:
        self._refused("one string")

    def _refused(self, texts: Sequence[str]) -> None:
        said = ""
        try:
            self.make().embed(texts)
        except InvalidArgument as error:
            said = error.message
        assert "texts" in said

    def _alike(self, first: np.ndarray, second: np.ndarray) -> None:
        assert (np.einsum("ij,ij->i", first, second) >= self.stable).all()
