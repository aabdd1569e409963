/** Two nodes that may be one, side by side: which of them stays, and what becomes of the other, told before it is done. */

import { go } from "../address.js";
import { call, may } from "../calls.js";
import { field, h } from "../dom.js";
import { writing } from "../forms.js";
import { rendered } from "../markdown.js";
import { about, link, origin, time } from "../parts.js";

const UNLIKE = "insufficient_similarity";

/** Return the page that merges the nodes which `settings.one` and `settings.other` name. */
export async function view({ settings, signal }) {
  const fetched = [settings.one, settings.other].map((id) => call("fetch", { id: id || "" }, { signal }));
  const [one, other, merges, overrides] = await Promise.all([...fetched, may("merge_concepts"), may("prune")]);
  const page = h("div", { class: "merge" }, h("h1", {}, "Merge two nodes"));
  const no = refusal(one, other, merges);
  page.append(no ? h("p", {}, no) : form([one, other], overrides));
  return page;
}

/** Return why these two cannot be merged, if that can be told before. */
function refusal(one, other, merges) {
  if (one.id === other.id) return ["Both lead to the same node: it is one already. ", link(one)];
  if (!merges) return "Merging needs a librarian.";
  if ([one, other].every(said)) {
    const ways = [link(one.node), " and ", link(other.node)];
    return ["Documents state both; neither is merged away. Relate the two instead: ", ways, "."];
  }
  return "";
}

function said({ node }) {
  return node.origin === "document";
}

function form(both, overrides) {
  const stays = said(both[1]) ? 1 : 0; // what a document states stays, whatever else is wished
  const fixed = both.some(said);
  const told = h("section", { "aria-live": "polite" });
  const columns = both.map((each, place) => column(each, { place, chosen: place === stays, fixed }));
  const fields = [
    h("fieldset", { class: "compared" }, h("legend", {}, "Which one stays?"), columns),
    fixed ? h("p", { class: "hint" }, "A document states the one that stays; the other goes.") : null,
    told,
    field("Why", h("input", { name: "reason", required: true, dir: "auto", value: "They say the same." })),
  ];
  const roles = (keep) => [both[keep], both[1 - keep]];
  const made = writing("merge_concepts", fields, {
    submit: "Merge them",
    given: ({ keep, reason }) => {
      const [staying, going] = roles(Number(keep));
      // who reads both here has done what a flag would ask for
      return { keep_id: staying.id, merge_id: going.id, reason, proceed: true };
    },
    told: ({ moved, warning }) => `Merged. ${counted(moved.relations, "relation")} moved. ${warning || ""}`.trim(),
    on: (answer) => go("node", answer.keep_id),
    over: {
      when: ({ key }) => key === UNLIKE && overrides,
      says: "Merge them all the same",
      wanted: (given) => ({ ...given, override: true }),
    },
  });
  const tell = (keep) => told.replaceChildren(h("h2", {}, "What this does"), effects(...roles(keep)));
  made.addEventListener("change", ({ target }) => target.name === "keep" && tell(Number(target.value)));
  tell(stays);
  return made;
}

function column({ node, relation_count: relations, evidence }, { place, chosen, fixed }) {
  const stay = h("input", { type: "radio", name: "keep", value: place, checked: chosen, disabled: fixed && !chosen });
  return h(
    "div",
    { class: "text" },
    h("label", { class: "keep" }, stay, h("bdi", {}, node.title)),
    h(
      "p",
      { class: "line" },
      about(node),
      origin(node.origin),
      time(node.created_at),
      link({ ...node, title: "Open it" }),
    ),
    rendered(node.content, { top: 2 }),
    h("p", { class: "hint" }, counted(relations, "relation"), ", ", counted(evidence.length, "piece", " of evidence")),
  );
}

function counted(count, what, of = "") {
  return `${count} ${what}${count === 1 ? "" : "s"}${of}`;
}

function moving({ relation_count: relations, evidence }) {
  const what = [
    relations && counted(relations, "relation"),
    evidence.length && counted(evidence.length, "piece", " of evidence"),
  ];
  const all = what.filter(Boolean);
  if (!all.length) return null;
  return [`${all.join(" and ")} ${relations + evidence.length === 1 ? "moves" : "move"} over.`];
}

/** Return what a merge does to the two, in words. */
function effects(staying, going) {
  const lost = going.node;
  const names = [lost.title, ...(lost.aliases || [])].filter((name) => name !== staying.node.title);
  const added = (name) => (lost[name] || []).filter((each) => !(staying.node[name] || []).includes(each));
  const quoted = (all) => all.map((each, place) => [place ? ", " : "", "«", h("bdi", {}, each), "»"]);
  const lists = ["tags", "references", "search_terms"].map((name) => [name.replace("_", " "), added(name)]);
  const items = [
    ["«", h("bdi", {}, lost.title), "» goes. Whoever looks for it, or has its address, comes to the one that stays."],
    names.length ? ["Other names of the one that stays: ", quoted(names), "."] : null,
    moving(going),
    going.relation_count
      ? ["What both are related to alike becomes one relation, and surer; one between the two ends."]
      : null,
    ...lists.map(([name, all]) => (all.length ? [`Its ${name} are added: `, quoted(all), "."] : null)),
    lost.content === staying.node.content
      ? null
      : ["The text of the one that stays is left as it is; the other text is kept in the history alone."],
    ["It can be undone in one step."],
  ];
  return h(
    "ul",
    {},
    items.filter(Boolean).map((each) => h("li", {}, each)),
  );
}
