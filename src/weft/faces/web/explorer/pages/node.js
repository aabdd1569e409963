/** One node: its text, what it rests on, what hangs on it, what became of it, and what can be done with it. */

import { to } from "../address.js";
import { call, may, text as part, undoes } from "../calls.js";
import { button, h } from "../dom.js";
import { rendered } from "../markdown.js";
import { nearby } from "../nearby.js";
import { neighbourhood } from "../neighbourhood.js";
import { about, origin, percent, quote, refused, replaced, section, state, time } from "../parts.js";
import { past } from "../past.js";
import { related } from "../related.js";
import { renew, tell } from "../telling.js";
import { types } from "../vocabulary.js";
import { actions } from "../writing.js";

const GUESSED = 0.5; // a kind that was classified with less confidence is a guess

/** Return the page of the node that `id` names. */
export async function view({ id, settings, signal }) {
  const depth = Math.min(3, Math.max(1, Number(settings.depth) || 1));
  const answer = await call("fetch", { id, detail: "detailed", depth }, { signal });
  const [drawing, row, ways] = await Promise.all([neighbourhood(answer, settings, signal), actions(answer), allowed()]);
  const shown = answer.relation_count ? h("section", { "aria-label": "Drawing" }, drawing.room) : null;
  watch(answer, signal);
  return h(
    "article",
    { class: "node" },
    head(answer),
    row,
    nearby(answer, ways),
    h(
      "div",
      { class: "columns" },
      h("div", {}, text(answer), rests(answer)),
      h("div", {}, shown, related(answer, ways, drawing.widen), past(answer.history, ways.takesBack)),
    ),
  );
}

async function allowed() {
  const asked = [may("rate_learned_knowledge"), may("unrelate"), may("relate"), may("merge_concepts"), undoes()];
  const [[votes, removes, relates, merges, takesBack], type] = await Promise.all([Promise.all(asked), types()]);
  return { votes, removes, relates, merges, takesBack, type };
}

function head({ node, relations }) {
  const { created_at: made, modified_at: changed } = node;
  const facts = [
    state(node),
    sure(node),
    origin(node.origin),
    h("span", {}, "by ", h("bdi", {}, node.created_by), ", ", time(made)),
    changed !== made && h("span", {}, "changed by ", h("bdi", {}, node.modified_by), ", ", time(changed)),
  ];
  const newer = (relations.supersedes || []).filter((each) => each.direction === "backward");
  return h(
    "header",
    {},
    h("p", { class: "line" }, about(node)),
    h("h1", {}, h("bdi", {}, node.title)),
    h("p", { class: "line" }, facts, h("span", {}, "id ", h("code", { class: "id" }, node.id))),
    newer.map((each) => replaced({ superseded_by: each })),
    tags(node.tags || []),
    names("Also called", node.aliases || []),
    names("References", node.references || []),
    node.citation ? h("p", { class: "names" }, "From: ", h("bdi", {}, node.citation)) : null,
  );
}

/** Return how sure the node is. What was classified has its classification's confidence, which says little about it. */
function sure({ confidence }) {
  if (confidence >= GUESSED) return percent(confidence, "confidence");
  return h("span", { title: `confidence ${confidence.toFixed(2)}` }, "kind guessed");
}

function tags(all) {
  const links = all.map((tag) => h("a", { href: to("search", "", { tag }) }, h("bdi", {}, tag)));
  return all.length ? h("p", { class: "tags" }, links) : null;
}

function names(what, all) {
  const parts = all.map((each, place) => [place ? ", " : "", h("bdi", {}, each)]);
  return all.length ? h("p", { class: "names" }, `${what}: `, parts) : null;
}

/** Return the text. An answer shortens a long one: then the reader goes on part by part. */
function text(answer) {
  const { id, node } = answer;
  const room = h("div");
  const ways = { names: [node.title, ...(node.aliases || [])], leads: references(answer) };
  if (node.content.endsWith("…")) longer(room, { id, ways, content: "", offset: 0 });
  else room.append(rendered(node.content, ways));
  return h("section", { "aria-label": "Content" }, h("h2", { class: "away" }, "Content"), room);
}

/**
 * Return what says where a reference in the text leads: to the node of that name which the text is related to or names,
 * else to a search for it, since what is not listed here may still be there.
 */
function references({ relations, mentions }) {
  const held = new Map();
  const hold = (name, { id }) => held.set(name, held.has(name) && held.get(name) !== id ? "" : id);
  for (const each of [...Object.values(relations).flat(), ...mentions]) {
    for (const name of new Set([each.title, each.name].filter(Boolean).map(folded))) hold(name, each);
  }
  return (name) => {
    const last = name.slice(name.lastIndexOf("/") + 1).replace(/\.(?:md|markdown)$/iu, "");
    const id = held.get(folded(last));
    return id ? to("node", id) : to("search", "", { q: last });
  };
}

function folded(name) {
  return name.normalize("NFC").toLowerCase();
}

async function longer(room, { id, ways, content, offset }) {
  try {
    const { text: added, length, next_offset: next } = await part(id, offset);
    const read = content + added;
    const more = () => longer(room, { id, ways, content: read, offset: next });
    const said = `${read.length.toLocaleString()} of ${length.toLocaleString()} characters. `;
    const further = next === undefined ? "" : h("p", { class: "hint" }, said, button("Show more", more));
    room.replaceChildren(rendered(read, ways), further);
  } catch (error) {
    room.append(refused(error));
  }
}

function rests({ id, evidence, sources }) {
  const places = new Map(sources.map((each) => [each.id, each]));
  const own = evidence.filter((each) => each.subject === id);
  const quotes = own.map((each) => quote(each, places.get(each.source)?.path));
  return own.length ? section("What it rests on", own.length, h("ul", { class: "quotes" }, quotes)) : null;
}

/** Tell when the node changes while it is read; what the page shows already is no news. */
function watch({ id, node }, signal) {
  const heard = ({ detail }) => {
    const news = detail.id === id && !detail.own && detail.at > node.modified_at;
    if (news && !signal.aborted) tell("This node was changed meanwhile.", { reload: renew });
  };
  document.addEventListener("changed", heard, { signal });
}
