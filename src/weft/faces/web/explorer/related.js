/** What hangs on a node as lists: its relations with their reasons and quotes, and the mentions either way. */

import { call } from "./calls.js";
import { button, h } from "./dom.js";
import { link, origin, percent, quote, section, spoken, state, time, unmarked } from "./parts.js";
import { renew, tell } from "./telling.js";

/**
 * Return the lists of what hangs on the node of `answer`; `ways` says what the reader may do: vote, remove, and whether
 * a type of relation has a direction (`type`). `widen(id)` draws what hangs on a node.
 */
export function related(answer, ways, widen) {
  const { relations, relation_count: count, mentions } = answer;
  const groups = Object.entries(relations).map(([type, rows]) =>
    group(type, rows, (row) => relation({ ...row, type }, answer, ways, widen)),
  );
  const shown = Object.values(relations).reduce((sum, rows) => sum + rows.length, 0);
  const left = shown < count ? h("p", { class: "hint" }, `${shown} of ${count} are listed.`) : null;
  return [
    section("Relations", count, left, groups.length ? groups : h("p", {}, "None yet.")),
    mentioned("Names in its text", mentions, (each) => each.direction === "mentions"),
    mentioned("Named in the text of", mentions, (each) => each.direction !== "mentions"),
  ];
}

function group(type, rows, item) {
  const summary = h("summary", {}, spoken(type), " ", h("span", { class: "count" }, rows.length));
  return h("details", { open: rows.length <= 12 }, summary, h("ul", { class: "relations" }, rows.map(item)));
}

function relation(row, answer, ways, widen) {
  const quotes = answer.evidence.filter((each) => each.subject === row.relation_id && each.quote !== row.reasoning);
  const cited = h(
    "details",
    {},
    h("summary", {}, "The quote"),
    h(
      "ul",
      { class: "quotes" },
      quotes.map((each) => quote(each)),
    ),
  );
  return h(
    "li",
    {},
    h(
      "p",
      { class: "line" },
      arrow(row, ways.type),
      link(row),
      " ",
      state(row),
      origin(row.origin),
      percent(row.confidence, "sure"),
      button("Draw", () => widen(row.id), { class: "quiet", title: "Draw what hangs on it" }),
      ways.removes ? button("Remove", () => remove(row, answer), { class: "quiet" }) : null,
    ),
    row.reasoning ? h("p", { class: "reasoning", dir: "auto" }, unmarked(row.reasoning)) : null,
    row.learned_id ? learned(row, ways.votes) : null,
    quotes.length ? cited : null,
  );
}

function arrow({ type, direction }, { undirected }) {
  const [sign, told] = undirected(type) ? ["↔", "with"] : direction === "forward" ? ["→", "to"] : ["←", "from"];
  return h("span", { class: "way", role: "img", "aria-label": told }, sign);
}

async function remove({ id, title, type, direction }, answer) {
  const [source, target] = direction === "forward" ? [answer.id, id] : [id, answer.id];
  try {
    const { batch } = await call("unrelate", { source, target, type });
    tell(`Removed: ${spoken(type)}, «${title}».`, { batch });
    renew();
  } catch (error) {
    tell(`${error.message} ${error.hint}`);
  }
}

/** Return who saw what no document states, and a vote on it. */
function learned({ learned_id: id, created_by: who, created_at: at }, votes) {
  const vote = (way) => button(way === "up" ? "It holds" : "It does not", () => rate(id, way), { class: "quiet" });
  const seen = h("span", {}, "learned by ", h("bdi", {}, who), ", ", time(at));
  return h("p", { class: "line" }, seen, votes ? [vote("up"), vote("down")] : null);
}

async function rate(id, vote) {
  try {
    const { votes, strength, batch } = await call("rate_learned_knowledge", { learned_id: id, vote });
    tell(`Your vote counts: ${votes.up} for, ${votes.down} against; its strength is ${strength.toFixed(2)}.`, {
      batch,
    });
  } catch (error) {
    tell(`${error.message} ${error.hint}`);
  }
}

function mentioned(heading, mentions, wanted) {
  const rows = mentions.filter(wanted);
  const summary = h("summary", {}, heading, " ", h("span", { class: "count" }, rows.length));
  return rows.length
    ? h(
        "details",
        {},
        summary,
        h(
          "ul",
          {},
          rows.map((each) => h("li", {}, link(each))),
        ),
      )
    : null;
}
