"""Operators' verbs that are no tools of ``core``: which tier they need and how their answers read."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from weft.vocabulary import Kind, key_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from weft.model import (
        AuditEntry,
        Configured,
        Examined,
        GraphMap,
        HintCount,
        Ingested,
        Issued,
        LearnedExported,
        Logged,
        Registered,
        Token,
        Undone,
    )

__all__ = ["OPERATIONS", "Operation"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """The tier that a verb needs, by name, and its answer's JSON-ready form.

    ``budget`` is how many bytes of JSON the answer may take; None: as many as every answer, of what is to be read.
    """

    needs: str
    reshape: Callable[[Any], dict[str, Any]]
    budget: int | None = None


def _undone(result: Undone) -> dict[str, Any]:
    return {
        "batch": result.batch,
        "reverted": result.reverted,
        "conflicts": result.conflicts,
        "undo_batch": result.undo_batch or None,
    }


def _logged(result: Logged) -> dict[str, Any]:
    from weft.tools.logged import logged

    return logged(result)


def _mapped(result: GraphMap) -> dict[str, Any]:
    from weft.tools.mapped import mapped

    return mapped(result)


def _ingested(result: Ingested) -> dict[str, Any]:
    return {
        "documents": result.documents,
        "unchanged": result.unchanged,
        "nodes_made": result.nodes_made,
        "nodes_reused": result.nodes_reused,
        "nodes_updated": result.nodes_updated,
        "reuse_rate": result.reuse_rate,
        "relations": result.relations,
        "evidence": result.evidence,
        "marked": result.marked,
        "unsaid": result.unsaid,
        "questions": result.questions,
        "documents_absent": result.documents_absent,
        "absent": result.absent,
        "skipped": [{"path": path, "reason": reason} for path, reason in result.skipped],
        "batches": result.batches,
    }


def _learned(result: LearnedExported) -> dict[str, Any]:
    return {"format": result.format, "items": result.items, "total": result.total}


def _hints(result: tuple[HintCount, ...]) -> dict[str, Any]:
    from weft.tools.prerequisites import PREREQUISITES

    rows = [asdict(row) for row in result]
    return {"hints": rows, "nudges": sum(sum(_told(row)) for row in rows if row["hint"] in PREREQUISITES)}


def _told(row: Mapping[str, Any]) -> tuple[int, ...]:
    return row["followed"], row["ignored"], row["open"]


def _place(result: Path) -> dict[str, Any]:
    return {"root": str(result)}


def _nothing(result: None) -> dict[str, Any]:
    del result
    return {"on": False}


def _audits(result: tuple[AuditEntry, ...]) -> dict[str, Any]:
    return {"calls": [asdict(row) for row in result]}


def _configured(result: tuple[Configured, ...]) -> dict[str, Any]:
    return {"keys": [asdict(each) for each in result]}


def _registered(result: Registered) -> dict[str, Any]:
    told = {"key": key_of(result.row), **asdict(result.row), "own": result.own, "uses": result.uses}
    return told | ({"proposals": result.proposals} if result.proposals else {})


def _vocabulary(result: tuple[Registered, ...]) -> dict[str, Any]:
    kinds = [_registered(each) for each in result if isinstance(each.row, Kind)]
    types = [_registered(each) for each in result if not isinstance(each.row, Kind)]
    return {"kinds": kinds, "types": types}


def _examined(result: Examined) -> dict[str, Any]:
    return {"sound": result.sound, **asdict(result)}


def _token(result: Token) -> dict[str, Any]:
    return {
        "id": result.id,
        "actor": result.actor,
        "role": result.tier.label,
        "created_at": result.created_at,
        "created_by": result.created_by,
        "expires_at": result.expires_at,
        "revoked_at": result.revoked_at,
    }


def _issued(result: Issued) -> dict[str, Any]:
    return {"token": result.credential, **_token(result.token)}


def _tokens(result: tuple[Token, ...]) -> dict[str, Any]:
    return {"tokens": [_token(each) for each in result]}


_DRAWN: Final = 2_000_000
"""Bytes of what a page is drawn from, and no model reads. None comes near it: cut, relations would lead nowhere."""

OPERATIONS: Mapping[str, Operation] = MappingProxyType(
    {
        "undo": Operation(needs="librarian", reshape=_undone),
        "ingest": Operation(needs="contributor", reshape=_ingested),
        "log": Operation(needs="reader", reshape=_logged),
        "counts": Operation(needs="reader", reshape=asdict, budget=_DRAWN),
        "map": Operation(needs="reader", reshape=_mapped, budget=_DRAWN),
        "text": Operation(needs="reader", reshape=asdict),
        "import": Operation(needs="curator", reshape=asdict),
        "export": Operation(needs="reader", reshape=asdict),
        "hints_stats": Operation(needs="reader", reshape=_hints),
        "hints_audit": Operation(needs="curator", reshape=_audits),
        "vault_on": Operation(needs="curator", reshape=_place),
        "vault_off": Operation(needs="curator", reshape=_nothing),
        "vault_status": Operation(needs="reader", reshape=asdict),
        "sync": Operation(needs="contributor", reshape=asdict),
        "sync_files": Operation(needs="contributor", reshape=asdict),
        "learn_export": Operation(needs="reader", reshape=_learned),
        "doctor": Operation(needs="reader", reshape=_examined),
        "backup": Operation(needs="reader", reshape=asdict),
        "restore": Operation(needs="curator", reshape=asdict),
        "erase": Operation(needs="curator", reshape=asdict),
        "config_set": Operation(needs="curator", reshape=asdict),
        "config_get": Operation(needs="reader", reshape=asdict),
        "config_list": Operation(needs="reader", reshape=_configured),
        "vocabulary": Operation(needs="reader", reshape=_vocabulary),
        "vocabulary_add": Operation(needs="curator", reshape=_registered),
        "vocabulary_remove": Operation(needs="curator", reshape=_registered),
        "token_create": Operation(needs="curator", reshape=_issued),
        "token_list": Operation(needs="curator", reshape=_tokens),
        "token_revoke": Operation(needs="curator", reshape=_token),
        "calibrate": Operation(needs="curator", reshape=asdict),
    }
)
