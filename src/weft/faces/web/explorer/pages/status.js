/** How the graph stands: what it holds, what hangs together, and how its parts are. */

import { to } from "../address.js";
import { call } from "../calls.js";
import { h } from "../dom.js";
import { link, section, spoken } from "../parts.js";

/** Return the page. */
export async function view({ signal }) {
  const { counts, hubs, communities, orphans, health } = await call("status", { detail: "detailed" }, { signal });
  return h(
    "div",
    { class: "status" },
    h("h1", {}, "Status"),
    totals(counts, orphans),
    h(
      "div",
      { class: "tables" },
      tally("Kinds", counts.nodes_by_kind, (kind) => to("search", "", { kind })),
      tally("Ontologies", counts.nodes_by_ontology, (ontology) => to("search", "", { ontology })),
      tally("Relations", counts.relations_by_type),
      tally("Where relations come from", counts.relations_by_origin),
    ),
    hubs.length > 0 &&
      section(
        "Hubs",
        hubs.length,
        h(
          "ol",
          {},
          hubs.map((each) => h("li", {}, link(each), h("span", { class: "count" }, ` ${each.degree} relations`))),
        ),
      ),
    communities.length > 0 &&
      section("What hangs together", communities.length, h("ul", {}, communities.map(community))),
    section("Health", null, ...known(health)),
  );
}

function totals(counts, orphans) {
  const shown = {
    nodes: counts.nodes,
    relations: counts.relations,
    mentions: counts.mentions,
    sources: counts.sources,
    "to review": counts.suggestions_open,
    "without a relation": orphans,
  };
  const told = Object.entries(shown).filter(([, value]) => value !== undefined);
  return h(
    "dl",
    { class: "totals" },
    told.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, Number(value).toLocaleString()))),
  );
}

function tally(heading, counts, address) {
  const rows = Object.entries(counts || {}).sort(([, a], [, b]) => b - a);
  const most = rows[0]?.[1] || 1;
  const body = rows.map(([name, count]) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, address ? h("a", { href: address(name) }, h("bdi", {}, name)) : spoken(name)),
      h("td", {}, count.toLocaleString()),
      h("td", {}, h("meter", { value: count, max: most, "aria-hidden": "true" })),
    ),
  );
  return rows.length ? section(heading, rows.length, h("table", {}, h("tbody", {}, body))) : null;
}

function community({ size, title, members }) {
  const others = members.filter((each) => each.title !== title).slice(0, 4);
  const centre = members.find((each) => each.title === title);
  const rest = others.map((each, place) => [place ? ", " : "", link(each)]);
  return h(
    "li",
    {},
    centre ? link(centre) : title,
    h("span", { class: "count" }, ` ${size} nodes`),
    rest.length ? [": ", rest, size > others.length + 1 ? ", …" : ""] : null,
  );
}

/** Return what says how the graph is kept, and the rest for whoever looks for it. */
function known(health) {
  const first = ["name", "engine", "model", "vault"];
  const [main, rest] = [true, false].map((wanted) =>
    Object.fromEntries(Object.entries(health).filter(([name]) => first.includes(name) === wanted)),
  );
  const details = h("details", {}, h("summary", {}, "Details"), h("dl", { class: "facts" }, facts(rest)));
  return [h("dl", { class: "facts" }, facts(main)), details];
}

function facts(health) {
  return Object.entries(health).map(([name, value]) => [h("dt", {}, spoken(name)), h("dd", {}, told(value))]);
}

function told(value) {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (value === null || typeof value !== "object") return String(value);
  const rows = Object.entries(value);
  return rows.length
    ? h(
        "dl",
        { class: "facts" },
        rows.map(([name, each]) => [h("dt", {}, spoken(name)), h("dd", {}, told(each))]),
      )
    : "–";
}
