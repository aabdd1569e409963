"""Words of those who make software, which an English vocabulary lacks and no slip of the pen makes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["is_jargon", "is_joined"]

_PART_MIN: Final = 4  # letters of a part: with three, two parts are seen in one of eleven misspellings, not of thirty
_PARTS: Final = "app bar box bug end fix hub job key log map off out pre run set sub tag tap up ups web"
_SHORT: Final = frozenset(_PARTS.split())
"""Shorter parts that words are made of: *frontend*, *changelog*, *webhook*, *lookup*."""

_TRIPLE: Final = re.compile(r"(.)\1\1")
_LIST: Final = """
async autoscale autoscaler autoscaling blockchain boolean bundler bytecode caching codec crypto daemon debugger
deprecate deprecated deprecation dequeue deserialize dockerfile embeddings emoji enqueue enum ffmpeg formatter
graphql hashing hypervisor idempotent idempotency iframe indexing infra init ipsum iterable iterator json kanban
kubectl latencies latency lexer linter linting localhost lorem makefile memoize memoization middleware migrator
minifier mixin monorepo multithreading mutex navbar oauth offboarding onboarding paginate paginated pagination
parser parsers pipelining playbook plugin plugins polyfill postmortem preflight preload prefetch profiler protobuf
proxied readme rebase recursion redux refactor refactored refactoring refetch regex repo repos resharding rollout
runbook sandbox schema schemas scrollable semaphore serialize serializer sharding stderr stdin stdout stylesheet
subnet subnets subprocess subquery syslog telemetry teardown templating throttle throttling throughput tokenizer
toolchain tooling tooltip transpile transpiler tuple tuples typecheck unicode unittest unpin upsert username
userspace uuid validator versioned versioning walkthrough webpack websocket websockets whitelist widget widgets
workaround yaml
"""
_WORDS: Final = frozenset(_LIST.split())


def is_jargon(term: str) -> bool:
    """Return whether ``term``, in lower case, is a word of the trade."""
    return term in _WORDS


def is_joined(term: str, is_word: Callable[[str], bool]) -> bool:
    """Return whether ``term`` is two words written as one: *frontend*, *timestamp*.

    Each has four letters or more, or is one of those that such words are often made of. Of 62,000 misspellings
    (codespell) that are no words themselves one in thirty is taken for two (by hand). What has a letter three times in
    a row is a slip: *herrring* is none of *herr* and *ring*.
    """
    if _TRIPLE.search(term):
        return False
    cuts = ((term[:at], term[at:]) for at in range(2, len(term) - 1))
    return any(all(_is_part(part) and is_word(part) for part in cut) for cut in cuts)


def _is_part(part: str) -> bool:
    return len(part) >= _PART_MIN or part in _SHORT
