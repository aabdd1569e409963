"""Tokens on the command line: who may call a server over HTTP, and as what."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import Annotated, Any

import typer
from rich.text import Text

from weft.faces.lines import command, hanging, line
from weft.faces.terminal import console, operated, written

__all__ = ["register"]

token = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Who may call over HTTP, and as what (curator).",
    context_settings={"help_option_names": ["-h", "--help"]},
)


@token.command()
def create(
    context: typer.Context,
    actor: Annotated[str, typer.Option(help="Whose calls they are: the name that stands beside what is written.")],
    role: Annotated[str, typer.Option(help="reader, contributor, librarian or curator.")],
    expires: Annotated[str, typer.Option(help="12h, 90d, a date or a time; default: never.")] = "",
) -> None:
    """Make a token; it is shown this once. Who makes it is said before the command (weft --actor ME token create)."""
    answer = operated(
        context, "token_create", lambda graph, by: graph.keeping.tokens.create(actor, role, by, expires=expires)
    )
    if written(context, answer):
        return
    sys.stdout.write(f"{answer['token']}\n")
    screen = console(stderr=True)
    line(screen, f"Token {answer['id']} lets {answer['actor']} call as a {answer['role']}, {_until(answer)}.")
    line(screen, "It is shown this once: only its hash is kept.", style="dim", indent=2)
    line(screen, "send it with each request: Authorization: Bearer TOKEN", style="dim", indent=2)
    command(screen, f"take it back: weft token revoke {answer['id']}", indent=2)


@token.command("list")
def list_(context: typer.Context) -> None:
    """Show every token, those too that ended."""
    answer = operated(context, "token_list", lambda graph, by: graph.keeping.tokens.list(by))
    if written(context, answer):
        return
    for row in answer["tokens"]:
        hanging(console(), Text(f"{row['id']}  {row['actor']}, {row['role']}, {_state(row)}"))
        line(console(), f"made {row['created_at'][:10]} by {row['created_by']}", style="dim", indent=2)
    if not answer["tokens"]:
        line(console(), "There are none: a server on this machine asks nobody for one.")


@token.command()
def revoke(
    context: typer.Context,
    id: Annotated[str, typer.Argument(help="The token's id, as weft token list shows it.")],  # noqa: A002
) -> None:
    """End a token, from its next request on."""
    answer = operated(context, "token_revoke", lambda graph, by: graph.keeping.tokens.revoke(id, by))
    if not written(context, answer):
        line(console(), f"Token {answer['id']} of {answer['actor']} is good no more.", style="bold")


def _until(row: dict[str, Any]) -> str:
    return f"until {row['expires_at'][:16].replace('T', ' ')} UTC" if row.get("expires_at") else "until it is revoked"


def _state(row: dict[str, Any]) -> str:
    if row.get("revoked_at"):
        return f"revoked {row['revoked_at'][:10]}"
    expires = row.get("expires_at")
    if expires and datetime.fromisoformat(expires) <= datetime.now(UTC):
        return f"expired {expires[:10]}"
    return _until(row)


def register(app: typer.Typer) -> None:
    """Put the commands on ``app``."""
    app.add_typer(token, name="token")
