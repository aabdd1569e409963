"""How well the rules find what documents state: precision and recall on documents written and marked by hand.

A sentence marked with + is worth a node of its own, one marked with - is not: it leans on another, tells a story,
hedges, asks, orders, or speaks of the text itself. A block holds one sentence, since a block gives one node at most.
"""

from __future__ import annotations

import pytest

from weft.formats.markdown import parse
from weft.reason.extract import extract

STORAGE = """
+ The store keeps every change in an append-only log.
- This is what makes an undo possible at all.
+ A writer waits on a file lock until the one before it has finished.
+ Derived tables are rebuilt from the log when they are damaged.
- We tried three other layouts before this one.
- Let us look at the layout of the file first.
+ Backups must be made with the backup command.
- The details are described below.
+ A checkpoint moves 4 MB of pages from the journal to the file.
+ The journal prevents a half-written page from reaching a reader.
- Which one is better depends on whom you ask, of course?
- Maybe a larger page would help a little here.
+ Readers do not block the writer.
- Open the file with the tool of your choice.
- It also keeps a copy of the last state.
+ **Checkpoint**: the moment at which the journal is written back into the file.
- Last week the disk of the test machine failed twice.
- Everything else stays as it was before.
+ Vectors are stored beside the text as 16-bit floats.
+ The file format depends on the byte order of the machine.
- In the next section the formats are compared.
+ Deleting a row leaves its page on the free list.
"""

BIOLOGY = """
+ Chlorophyll absorbs blue and red light.
+ A mitochondrion is an organelle that produces most of the energy of a cell.
- In this study we looked at forty leaves.
+ Mutations in the gene cause a loss of function in both copies.
- Earlier work had come to another conclusion.
+ Insulin regulates the uptake of glucose from the blood.
+ The enzyme is inhibited by high concentrations of its product.
- Interestingly, nobody had asked that question.
+ Metformin reduces fasting glucose by 20% in most patients.
- These results may change how we think of leaves.
+ Neurons transmit signals through synapses that release neurotransmitters.
- Some of the samples were lost on the way.
- What remains to be shown is how it works.
+ Red blood cells carry oxygen from the lungs to the tissues.
- Both of them are known to everybody.
+ The membrane separates the inside of a cell from its surroundings.
- Figure 3 shows the distribution of the samples.
+ Warm water holds less oxygen than cold water.
- More research is needed to settle the question.
+ Vaccines do not cause autism in children.
- Taken together, the data leave little doubt.
"""

OPERATIONS = """
+ The gateway rejects requests without a valid token.
- You can change the limit in the settings.
+ Access tokens must expire within one hour of issue.
- Click on the button to start the import.
+ Every order is sent to the warehouse through a queue.
- There are many ways to reach the same end.
+ The scheduler runs on a single node.
- For example, the second node may be down.
+ Retries are limited to five attempts with growing pauses.
- As you can see, the order of the steps matters.
+ We decided to move the sessions from memory to Redis.
- I would rather keep the old dashboard for now.
+ Alerts are sent to the team that owns the service.
- See the runbook for the rest of the steps.
+ The cache cannot serve stale prices during a sale.
- The team met on Tuesday and talked about alerts.
+ Payments depend on the ledger service.
- Not all of them are equally useful.
+ The new gateway replaces the reverse proxy of the old data centre.
- Thanks to everybody who helped with the move.
- Potential cost increases for a second region of the world.
+ Logs are kept for thirty days in the region of the customer.
"""


def _marked(text: str) -> dict[str, bool]:
    lines = filter(None, text.splitlines())
    return {line[2:]: line.startswith("+") for line in lines}


def _found(marked: dict[str, bool]) -> set[str]:
    document = parse("# Notes\n\n" + "\n\n".join(marked) + "\n", name="docs/notes.md")
    drafts = extract(document).nodes[1:]
    return {sentence for sentence in marked if any(draft.quote in sentence for draft in drafts)}


@pytest.mark.parametrize("text", [STORAGE, BIOLOGY, OPERATIONS], ids=["storage", "biology", "operations"])
def test_what_is_found_is_worth_a_node(text: str) -> None:
    """Precision: not one of the sentences that lean, hedge, ask, order or tell a story."""
    marked = _marked(text)
    assert [sentence for sentence in _found(marked) if not marked[sentence]] == []


def test_most_of_what_is_worth_a_node_is_found() -> None:
    """Recall over the three documents."""
    wanted = [sentence for text in (STORAGE, BIOLOGY, OPERATIONS) for sentence, worth in _marked(text).items() if worth]
    found = {sentence for text in (STORAGE, BIOLOGY, OPERATIONS) for sentence in _found(_marked(text))}
    missed = [sentence for sentence in wanted if sentence not in found]
    assert len(missed) <= len(wanted) // 4, missed
