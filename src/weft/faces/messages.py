"""JSON-RPC messages as they were decoded: what is one, why another is refused, and batches, which one version has."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final

from mcp_types import (
    INVALID_REQUEST,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

__all__ = [
    "BATCHED",
    "ID",
    "MESSAGES_MAX",
    "ONE_EACH",
    "Batch",
    "decoded",
    "is_nameless",
    "read_json",
    "refusal",
    "split",
]

BATCHED: Final = "2025-03-26"
"""The one version of the protocol whose clients may send several messages as a list."""

MESSAGES_MAX: Final = 50
"""Messages of one batch."""

ID: Final = "Invalid Request: a message is one JSON-RPC 2.0 object, and its id a text or a whole number"
ONE_EACH: Final = f"Invalid Request: only clients of protocol {BATCHED} may send a batch; send each message by itself"

_SAID_MAX = 200  # characters of a refusal's message


def refusal(code: int, said: str, message: object = None) -> JSONRPCError:
    """Return the refusal of ``message``, under its id where it has one."""
    number = message.get("id") if isinstance(message, dict) else None
    known = number if isinstance(number, int | str) and not isinstance(number, bool) else None
    return JSONRPCError(jsonrpc="2.0", id=known, error=ErrorData(code=code, message=said[:_SAID_MAX]))


def is_nameless(said: JSONRPCMessage) -> bool:
    """Return whether ``said`` is a request whose id is neither a text nor a whole number.

    The SDK reads it as a notification, which nobody answers; but those have names of their own.
    """
    return isinstance(said, JSONRPCNotification) and not said.method.startswith("notifications/")


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """The messages of a batch in their order, and the refusals of what is none."""

    messages: tuple[JSONRPCMessage, ...]
    refused: tuple[JSONRPCError, ...]

    @property
    def asked(self) -> set[int | str]:
        """The ids of its requests."""
        return {said.id for said in self.messages if isinstance(said, JSONRPCRequest)}


def split(listed: list[object]) -> Batch | JSONRPCError:
    """Return what a decoded list holds, or why it is refused as a whole: it is empty, or too long."""
    if not 0 < len(listed) <= MESSAGES_MAX:
        wrong = f"Invalid Request: a batch holds 1 to {MESSAGES_MAX} messages, not {len(listed)}"
        return refusal(INVALID_REQUEST, wrong)
    messages: list[JSONRPCMessage] = []
    refused: list[JSONRPCError] = []
    asked: set[int | str] = set()
    for each in listed:
        said = decoded(each)
        if said is None or is_nameless(said):
            refused.append(refusal(INVALID_REQUEST, ID, each))
        elif isinstance(said, JSONRPCRequest) and said.id in asked:
            refused.append(refusal(INVALID_REQUEST, "Invalid Request: another one of the batch has its id", each))
        else:
            messages.append(said)
            asked |= {said.id} if isinstance(said, JSONRPCRequest) else set()
    return Batch(messages=tuple(messages), refused=tuple(refused))


def read_json(text: str | bytes) -> object:
    """Return what Python reads in ``text``, half of a surrogate pair and all; None where it is no JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def decoded(said: object) -> JSONRPCMessage | None:
    """Return what was decoded as the message that the SDK takes it for; None: it is none."""
    try:
        return jsonrpc_message_adapter.validate_python(said, by_name=False)
    except ValidationError:
        return None
