/** The kinds and relation types of this graph, the standard ones and its own: read once. */

import { vocabulary } from "./calls.js";
import { spoken } from "./parts.js";

let known;

async function read() {
  known ??= vocabulary().catch((error) => {
    known = undefined;
    throw error;
  });
  return known;
}

/** Return what is asked of a relation type by its name: whether it has a direction, and whether it speaks against. */
export async function types() {
  const rows = new Map((await read()).types.map((each) => [each.name, each]));
  return {
    undirected: (name) => name === "mentions" || Boolean(rows.get(name)?.symmetric),
    against: (name) => (rows.get(name)?.polarity ?? 0) < 0,
  };
}

/** Return the types of relations to choose among, the graph's own first. */
export async function typeOptions() {
  return options((await read()).types);
}

/** Return the kinds of nodes to choose among, the graph's own first. */
export async function kindOptions() {
  return options((await read()).kinds);
}

function options(rows) {
  const first = [...rows.filter((each) => each.own), ...rows.filter((each) => !each.own)];
  return first.map(({ name }) => [name, spoken(name)]);
}
