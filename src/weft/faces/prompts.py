"""The prompts a person can pick in an MCP client: a few whole pieces of work with the graph."""

from __future__ import annotations

from dataclasses import dataclass

from mcp_types import GetPromptResult, Prompt, PromptArgument, PromptMessage, TextContent

from weft.errors import InvalidArgument

__all__ = ["PROMPTS", "Ask", "listed", "worded"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """One argument of a prompt. ``completes`` is true where it names a node, so that titles can be offered."""

    name: str
    description: str
    required: bool = True
    completes: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """One prompt: ``text`` is asked of the model, with the inputs in braces; ``uses`` are the tools it needs."""

    name: str
    title: str
    description: str
    text: str
    uses: frozenset[str]
    inputs: tuple[Input, ...] = ()


PROMPTS: tuple[Ask, ...] = (
    Ask(
        name="brief",
        title="Brief me on a task",
        description="Gathers what the graph knows about a task before it is begun.",
        inputs=(Input(name="task", description="What is to be done, in words."),),
        uses=frozenset({"context", "search", "fetch"}),
        text=(
            "I am about to work on this: {task}\n\nUse context and search to gather what the knowledge graph holds on "
            "it, fetch what matters most, and brief me: decisions that bind us, known problems and fixes, open "
            "questions. Name the node behind each point."
        ),
    ),
    Ask(
        name="remember",
        title="Remember this conversation",
        description="Captures what was learned or decided here, related to what the graph holds already.",
        inputs=(Input(name="topic", description="What to keep to; empty: everything.", required=False),),
        uses=frozenset({"search", "capture", "relate"}),
        text=(
            "Go through our conversation and capture what is worth finding again: decisions with their reasons, "
            "problems with their fixes, facts that took effort to find. Topic: {topic}\n\nSearch before each capture, "
            "relate each piece to what it bears on, and list at the end what was written."
        ),
    ),
    Ask(
        name="challenge_claim",
        title="Challenge a claim",
        description="Looks for what speaks for and against a claim, and weighs it.",
        inputs=(Input(name="claim", description="One statement.", completes=True),),
        uses=frozenset({"challenge", "fetch"}),
        text=(
            "Challenge this claim with the knowledge graph: {claim}\n\nShow what supports it and what contradicts it "
            "with its grounds, judge what was left to you in to_judge, and say how far the claim can be relied on."
        ),
    ),
    Ask(
        name="connect",
        title="How are these connected?",
        description="Traces how one thing leads to another and explains each step.",
        inputs=(
            Input(name="start", description="A node or a phrase.", completes=True),
            Input(name="end", description="A node or a phrase.", completes=True),
        ),
        uses=frozenset({"trace", "fetch"}),
        text="Trace how «{start}» leads to «{end}» in the knowledge graph, and explain each step with its reasoning.",
    ),
)


def listed(tools: frozenset[str]) -> list[Prompt]:
    """Return the prompts whose tools are all served."""
    return [
        Prompt(
            name=ask.name,
            title=ask.title,
            description=ask.description,
            arguments=[
                PromptArgument(name=each.name, description=each.description, required=each.required)
                for each in ask.inputs
            ],
        )
        for ask in PROMPTS
        if ask.uses <= tools
    ]


def worded(ask: Ask, given: dict[str, str]) -> GetPromptResult:
    """Return what is asked of the model; inputs that were not given stay empty.

    Raises:
        InvalidArgument: a required input is missing.
    """
    missing = [each.name for each in ask.inputs if each.required and not given.get(each.name, "").strip()]
    if missing:
        raise InvalidArgument(f"{missing[0]}: is required by the prompt {ask.name}")
    text = ask.text
    for each in ask.inputs:
        text = text.replace(f"{{{each.name}}}", given.get(each.name, "").strip() or "anything")
    content = TextContent(type="text", text=text)
    return GetPromptResult(description=ask.description, messages=[PromptMessage(role="user", content=content)])
