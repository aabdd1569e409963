/** What is found, why, and how to narrow it; without a question, what is newest. */

import { go, to } from "../address.js";
import { call, counts, instant } from "../calls.js";
import { choice, field, filled, h } from "../dom.js";
import { about, grounds, link, replaced, sentence, standing, unmarked } from "../parts.js";

const PAGE = 10;
const MODES = [
  ["", "meaning and words"],
  ["semantic", "meaning"],
  ["keyword", "every word"],
];
const SCOPES = [
  ["", "all"],
  ["learned", "learned"],
  ["documents", "not learned"],
];
const STATES = [
  ["", "any"],
  ["active", "active"],
  ["needs_review", "needs review"],
  ["superseded", "superseded"],
];

/** Return the page of what `settings.q` finds. */
export async function view({ settings, signal }) {
  const query = document.getElementById("query");
  query.value = settings.q || "";
  const [answer, held] = await Promise.all([call("search", asked(settings), { signal }), counts({ signal })]);
  const heading = settings.q ? h("h1", {}, "Found for «", h("bdi", {}, settings.q), "»") : h("h1", {}, "The newest");
  return h("div", { class: "search" }, heading, narrowing(settings, held), found(answer, settings, held));
}

function asked({ q, kind, ontology, tag, status, scope, mode, as_of, from }) {
  return kept({
    query: q || "",
    kinds: kind && [kind],
    ontologies: ontology && [ontology],
    tags:
      tag &&
      tag
        .split(",")
        .map((each) => each.trim())
        .filter(Boolean),
    status,
    scope,
    mode,
    as_of: as_of && instant(as_of),
    limit: PAGE,
    offset: Number(from) || undefined,
  });
}

function kept(given) {
  return Object.fromEntries(Object.entries(given).filter(([name, value]) => name === "query" || value));
}

function narrowing(settings, held) {
  const narrowed = Object.keys(settings).some((name) => !["q", "from"].includes(name));
  const form = h(
    "form",
    { class: "row", onsubmit: (event) => narrow(event, settings), onchange: (event) => narrow(event, settings) },
    field("Kind", choice("kind", listed(held.nodes_by_kind), settings.kind)),
    field("Ontology", choice("ontology", listed(held.nodes_by_ontology), settings.ontology)),
    field("Tags, all of", h("input", { name: "tag", value: settings.tag, size: 12, dir: "auto" })),
    field("State", choice("status", STATES, settings.status)),
    field("Scope", choice("scope", SCOPES, settings.scope)),
    field("By", choice("mode", MODES, settings.mode)),
    field("As of", h("input", { name: "as_of", type: "datetime-local", value: settings.as_of })),
    h("a", { href: to("search", "", { q: settings.q }) }, "Clear"),
  );
  return h("details", { open: narrowed, class: "narrowing" }, h("summary", {}, "Filter"), form);
}

function listed(sizes) {
  return [["", "any"], ...Object.entries(sizes).map(([name, count]) => [name, `${name} (${count})`])];
}

function narrow(event, { q }) {
  event.preventDefault();
  go("search", "", { q, ...filled(event.currentTarget) });
}

function found(answer, settings, held) {
  if (!answer.hits.length) return nothing(answer, settings, held);
  const first = (Number(settings.from) || 0) + 1;
  const said = `${first} to ${first + answer.hits.length - 1} of ${answer.total}`;
  return h(
    "section",
    {},
    answer.warning ? h("p", { class: "warning" }, sentence(answer.warning)) : null,
    h("p", { class: "count" }, said, ...pages(settings, first, answer)),
    h("ol", { class: "hits", start: first }, answer.hits.map(hit)),
    h("p", { class: "count" }, ...pages(settings, first, answer)),
  );
}

function nothing(answer, settings, held) {
  if (!held.nodes) {
    const lines = [
      "Nothing is in the graph yet. ",
      h("a", { href: to("capture") }, "Capture something"),
      ", or take in documents: ",
    ];
    return h("p", {}, lines, h("code", {}, "weft ingest FOLDER"));
  }
  const missed = answer.near_misses?.count;
  const near = missed ? ` ${missed} came near, the best at a similarity of ${answer.near_misses.best.toFixed(2)}.` : "";
  return h("p", {}, sentence([answer.warning, `Nothing was found.${near}`].filter(Boolean).join(" ")));
}

function pages(settings, first, answer) {
  const last = first + answer.hits.length - 1;
  const before = first > 1 ? { ...settings, from: Math.max(0, first - 1 - PAGE) || "" } : null;
  const after = last < answer.total ? { ...settings, from: last } : null;
  return [
    before && h("a", { href: to("search", "", before) }, "Previous"),
    after && h("a", { href: to("search", "", after) }, "Next"),
  ];
}

function hit(each) {
  return h(
    "li",
    { class: each.status },
    h("h2", {}, link(each)),
    h("p", { class: "line" }, about(each), standing(each)),
    replaced(each),
    h("p", { class: "snippet", dir: "auto" }, unmarked(each.snippet)),
    grounds(each.why.filter((ground) => ground !== "newest first")),
  );
}
