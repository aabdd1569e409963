"""The other thing that such an endpoint does: ``POST …/chat/completions``. Off unless a URL is set.

What comes back is text of a stranger; nothing here believes it.
"""

from __future__ import annotations

import json
from typing import Final

from weft.embed.posting import Endpoint, Post
from weft.errors import Unavailable

__all__ = ["ANSWER_MAX", "ChatCompletions"]

ANSWER_MAX: Final = 200_000
"""Characters of an answer that are read."""

TOKENS_MAX: Final = 4_096
HINT: Final = "Check that the chat endpoint's URL and model are those of a chat model."


class ChatCompletions:
    """A chat model over the OpenAI protocol: OpenAI, Ollama, vLLM and whatever else speaks it.

    ``url`` is what stands before ``/chat/completions``; ``timeout_s`` is how long one answer may take.

    Raises:
        InvalidArgument: the URL, the model, the key or the time is out of range.
    """

    def __init__(self, url: str, model: str, *, key: str | None = None, timeout_s: float = 120.0) -> None:
        self._model = model
        self._post = Post(
            Endpoint(
                url=url,
                suffix="/chat/completions",
                model=model,
                what="chat",
                hint=HINT,
                key=key or "",
                timeout_s=timeout_s,
            )
        )

    @property
    def name(self) -> str:
        """Model and host, ``qwen3@localhost``."""
        return self._post.name

    def answer(self, system: str, user: str) -> str:
        """Return what the model answers to ``user`` under the instructions ``system``; the same each time, if it can.

        Raises:
            Unavailable: the endpoint could not be reached, refused, or gave no answer.
            LimitExceeded: its answer is larger than 64 MiB.
        """
        messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
        asked = {
            "model": self._model,
            "messages": messages,
            "temperature": 0,
            "max_tokens": TOKENS_MAX,
            "stream": False,
        }
        return _said(self._post.post(json.dumps(asked).encode()))[:ANSWER_MAX]

    def close(self) -> None:
        """Close the connections; the next question opens new ones."""
        self._post.close()


def _said(body: bytes) -> str:
    try:
        said = json.loads(body)["choices"][0]["message"]["content"]
    except (ValueError, KeyError, IndexError, TypeError, RecursionError) as error:
        raise Unavailable("The chat endpoint's answer cannot be used: it has no message.", hint=HINT) from error
    if not isinstance(said, str):
        raise Unavailable("The chat endpoint's answer cannot be used: its message is no text.", hint=HINT)
    return said
