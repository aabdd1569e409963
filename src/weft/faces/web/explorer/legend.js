/** What the signs of a drawing mean: those that are in it. */

import { h } from "./dom.js";
import { looks } from "./palette.js";

const LINES = {
  solid: "a document states it, or somebody said so",
  dashed: "learned: no document states it",
  dotted: "inferred by a rule, or a mention",
};

/** Return the legend of a drawing of these nodes; `dashes`, `conflicts` and `former` say which of the signs it has. */
export function legend(nodes, { dashes, conflicts, former }) {
  const entries = h(
    "dl",
    { class: "legend" },
    Object.keys(LINES).map((dash) => dashes.has(dash) && line(dash)),
  );
  if (conflicts) entries.append(...pair(h("span", { class: "sample conflict" }), "⚡ contradicts or refutes"));
  if (former) entries.append(...pair(h("span", { class: "spot former" }), "superseded"));
  ontologies(entries, nodes);
  return h("details", {}, h("summary", {}, "What the signs mean"), entries);
}

function line(dash) {
  return pair(h("span", { class: `sample ${dash}` }), LINES[dash]);
}

async function ontologies(entries, nodes) {
  const look = await looks();
  for (const name of new Set(nodes.map((node) => node.ontology).filter(Boolean))) {
    const { hue, shape } = look(name);
    const spot = h("span", { class: "spot" });
    spot.style.background = hue;
    entries.append(...pair(spot, h("bdi", {}, name), ` (${shape.replace("round-", "")})`));
  }
  entries.append(...pair("thick, thin", "how sure it is: above 85 %, above 60 %, less"));
}

function pair(sign, ...words) {
  return [h("dt", {}, sign), h("dd", {}, words)];
}
