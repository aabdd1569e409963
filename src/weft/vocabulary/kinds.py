"""Every kind of node the graph knows, as data: one row a kind, in the order that settles ties."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["KINDS", "KIND_FAMILIES", "PROJECT_KINDS", "Kind"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """What a node can be.

    ``plural`` names the folder its notes lie in. ``keywords`` speak for the kind when they stand in a text (a phrase
    stands as a phrase); of the standard kinds only the seven of a project have them. ``exemplars`` are sentences
    typical of the kind: in a graph with kinds of its own a text's likeness to those of all kinds is measured.
    ``weight`` is what the kind adds to a node's relevance to the work at hand.
    """

    name: str
    plural: str
    family: str
    meaning: str
    exemplars: tuple[str, ...]
    keywords: tuple[str, ...] = ()
    weight: float = 0.15


KIND_FAMILIES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "design": "how something is built, and why so",
        "thought": "what is held, meant or understood",
        "trouble": "what does not work",
        "remedy": "what makes it work again",
        "practice": "how something is done or set up",
        "record": "what happened, and whatever fits nowhere else",
    }
)

_ROWS: Final = (
    Kind(
        name="decision",
        plural="decisions",
        family="design",
        weight=0.3,
        meaning="a choice that was made, with its reasons",
        keywords=(
            "decide",
            "decision",
            "chose",
            "alternative",
            "option",
            "trade-off",
            "adr",
            "context",
            "consequence",
            "rationale",
        ),
        exemplars=(
            "We decided to use one technology instead of another because of its advantages.",
            "The team chose this option after comparing the alternatives.",
            "Decision: adopt the new approach and drop the old one.",
            "We will use PostgreSQL instead of MySQL because we need transactional schema changes.",
            "After weighing three candidates we settled on a message queue between the two services.",
        ),
    ),
    Kind(
        name="component",
        plural="components",
        family="design",
        weight=0.2,
        meaning="something that was built: a service, a module, a part of a system",
        keywords=("component", "module", "service", "class", "package", "library"),
        exemplars=(
            "This service is the part of the system that handles requests from other parts.",
            "The module provides functions for reading and writing data.",
            "A class that is responsible for one task in the application.",
            "The billing worker reads invoices from the queue and writes PDF files to the bucket.",
            "UserRepository wraps all access to the users table and hides the SQL from its callers.",
        ),
    ),
    Kind(
        name="convention",
        plural="conventions",
        family="design",
        weight=0.25,
        meaning="how everybody here is expected to do something",
        keywords=("convention", "guideline", "standard", "style", "rule", "practice"),
        exemplars=(
            "Always do it this way, never do it that way.",
            "Every file must be named according to this rule.",
            "Our coding style requires names to be written like this.",
            "Always name test files after the module they test, and never import from another test.",
            "Every public function must carry type hints and a docstring.",
        ),
    ),
    Kind(
        name="concept",
        plural="concepts",
        family="thought",
        weight=0.15,
        meaning="an idea, a term or a model that other knowledge refers to",
        keywords=("concept", "definition", "meaning", "lifecycle", "domain"),
        exemplars=(
            "This term means the following.",
            "The concept is defined as a kind of thing with these properties.",
            "X is the degree to which something has a quality.",
            "Eventual consistency means that replicas agree after some time without new writes.",
            "A tenant is an organisation whose users and data are kept apart from all others.",
        ),
    ),
    Kind(
        name="pattern",
        plural="patterns",
        family="design",
        weight=0.2,
        meaning="an approach that can be used again in another place",
        keywords=("pattern", "approach", "strategy", "template", "reusable"),
        exemplars=(
            "Use this reusable approach whenever the same design situation comes up.",
            "A design pattern that puts a layer between two parts of a system.",
            "When this happens, wrap it in that, so that the parts stay independent.",
            "Put a repository between the domain and the database so that storage can be swapped.",
            "Retry with exponential backoff and jitter whenever a remote call may fail for a moment.",
        ),
    ),
    Kind(
        name="issue",
        plural="issues",
        family="trouble",
        weight=0.1,
        meaning="something known to be wrong or in the way that somebody should take care of",
        keywords=("issue", "bug", "error", "bottleneck", "debt"),
        exemplars=(
            "There is a known bug that should be fixed.",
            "This is slow and needs to be improved.",
            "The feature does not work correctly in some cases.",
            "The search endpoint takes four seconds when a customer has more than ten thousand orders.",
            "Two copies of the validation logic have drifted apart and need to be unified.",
        ),
    ),
    Kind(
        name="session",
        plural="sessions",
        family="record",
        weight=0.05,
        meaning="a stretch of work and what came of it",
        keywords=("session", "finished", "completed", "worked", "progress"),
        exemplars=(
            "Today I worked on this and finished that, tomorrow I will continue.",
            "Summary of the work done in this session.",
            "We completed two tasks, started a third and left the rest for later.",
            "Today we finished the login form, fixed two tests and left the password reset for tomorrow.",
            "Worked on the importer from nine to noon; parsing is done, mapping is half way.",
        ),
    ),
    Kind(
        name="claim",
        plural="claims",
        family="thought",
        weight=0.15,
        meaning="a statement about the world that can be true or false",
        exemplars=(
            "Research shows that one factor increases the risk of a disease.",
            "Scientific studies found that a protein regulates a process in cells.",
            "It is a fact about the world that one thing causes another.",
            "Water boils at 100 degrees Celsius at sea level.",
            "Transformers outperform recurrent networks on machine translation.",
        ),
    ),
    Kind(
        name="problem",
        plural="problems",
        family="trouble",
        weight=0.1,
        meaning="a difficulty or an open need that wants a solution",
        exemplars=(
            "We have a problem that we do not know how to solve.",
            "Users cannot do what they need to do.",
            "It is not possible to find out why this happens.",
            "We cannot tell which customer a background job belongs to once it has left the queue.",
            "Deployments take the site down for a minute, and nobody knows how to avoid it.",
        ),
    ),
    Kind(
        name="error",
        plural="errors",
        family="trouble",
        weight=0.1,
        meaning="a failure with its message, as it was seen",
        exemplars=(
            "Error: an exception was raised with this message and stack trace.",
            "The program crashed with exit code 1.",
            "Connection refused: could not connect to the server.",
            "TypeError: cannot read properties of undefined (reading 'map') in the order list.",
            "The container exits with code 137 right after start-up: out of memory.",
        ),
    ),
    Kind(
        name="solution",
        plural="solutions",
        family="remedy",
        weight=0.2,
        meaning="what answered a problem, and how",
        exemplars=(
            "We solved the problem by changing the way it works.",
            "Adding this made the problem go away.",
            "The solution was to replace one with the other.",
            "Moving the counters into Redis removed the lock contention and brought latency back to normal.",
            "Setting a read timeout on the client keeps the workers from hanging for ever.",
        ),
    ),
    Kind(
        name="fix",
        plural="fixes",
        family="remedy",
        weight=0.2,
        meaning="a concrete repair that was made",
        exemplars=(
            "Fixed a bug by correcting a wrong condition in the code.",
            "Patched the function so that it no longer crashes.",
            "Corrected a mistake in one line.",
            "Fixed the off-by-one in the pager: the last page is no longer empty.",
            "Patched the date parser to accept a trailing Z; the import runs again.",
        ),
    ),
    Kind(
        name="insight",
        plural="insights",
        family="thought",
        weight=0.2,
        meaning="something learned that changes how one looks at things",
        exemplars=(
            "We realised that the real cause is something else than we thought.",
            "Looking back we learned an important lesson.",
            "It turns out that people behave differently than expected.",
            "It turns out that most of the latency comes from name resolution, not from the database.",
            "Looking back, every outage this year began with a change of configuration.",
        ),
    ),
    Kind(
        name="procedure",
        plural="procedures",
        family="practice",
        weight=0.2,
        meaning="steps to follow, in order",
        exemplars=(
            "Step one: do this. Step two: do that. Step three: check the result.",
            "How to do it: first open it, then change it, finally save it.",
            "Run these commands in this order to set it up.",
            "First stop the workers, then run the migration, then start the workers and watch the log.",
            "To rotate the key: create a new one, deploy it beside the old, switch over, revoke the old.",
        ),
    ),
    Kind(
        name="configuration",
        plural="configurations",
        family="practice",
        weight=0.2,
        meaning="settings that something runs with",
        exemplars=(
            "The setting is set to this value in the configuration file.",
            "Environment variables: PORT=8080, LOG_LEVEL=debug.",
            "Timeout 30 seconds, pool size 10, port 443.",
            "max_connections = 200 and shared_buffers = 4GB on the primary database.",
            "The staging environment listens on port 8443 and reads its secrets from the vault.",
        ),
    ),
    Kind(
        name="workflow",
        plural="workflows",
        family="practice",
        weight=0.2,
        meaning="how work passes from one stage or person to the next",
        exemplars=(
            "The work goes from one person to the next: draft, review, approval, release.",
            "A ticket is created, assigned, worked on, reviewed and closed.",
            "Each stage of the process hands over to the following one.",
            "A branch is opened, reviewed by two people, merged, and deployed to staging by the pipeline.",
            "Support triages the ticket, engineering reproduces it, and the release manager schedules it.",
        ),
    ),
    Kind(
        name="code_pattern",
        plural="code_patterns",
        family="practice",
        weight=0.2,
        meaning="a snippet or an idiom of code worth using again",
        exemplars=(
            "for item in list: do something with item",
            "A code snippet: function call with arguments and return value.",
            "SELECT column FROM table WHERE condition",
            "with open(path) as file: rows = [line.split(',') for line in file]",
            "Use functools.cache on pure functions that are called with the same arguments again and again.",
        ),
    ),
    Kind(
        name="document",
        plural="documents",
        family="record",
        weight=0.05,
        meaning="a text that was taken in whole; what it says hangs on it as evidence",
        exemplars=(
            "A document with a title, an introduction, several chapters and a conclusion.",
            "Report, paper or manual with a table of contents.",
            "The full text of an article.",
            "This paper presents the method, the experiments and the results, followed by a discussion.",
            "Table of contents, introduction, installation, usage, reference and licence of the project.",
        ),
    ),
    Kind(
        name="general",
        plural="general",
        family="record",
        weight=0.05,
        meaning="a note that is none of the other kinds",
        exemplars=(
            "A personal note about someone I know.",
            "Remember to buy something.",
            "She went there on the weekend with her family.",
            "The office is closed on Monday.",
            "Anna prefers to be called in the afternoon.",
        ),
    ),
)

KINDS: Final[Mapping[str, Kind]] = MappingProxyType({row.name: row for row in _ROWS})

PROJECT_KINDS: Final[tuple[str, ...]] = tuple(row.name for row in _ROWS if row.keywords)
