/** Two ontologies side by side, and the pairs that may belong together; a bridge is kept with its evidence. */

import { go } from "../address.js";
import { call, counts, may } from "../calls.js";
import { button, choice, field, filled, h } from "../dom.js";
import { grounds, link, percent, refused, section, spoken } from "../parts.js";
import { writing } from "../forms.js";
import { renew } from "../telling.js";
import { typeOptions } from "../vocabulary.js";

const LEAPS = { LOW: "", MEDIUM: "a leap", HIGH: "⚠ a great leap" };

/** Return the page of the pairs between `settings.one` and `settings.other`. */
export async function view({ settings, signal }) {
  const { nodes_by_ontology } = await counts({ signal });
  const names = Object.entries(nodes_by_ontology);
  const head = [h("h1", {}, "Bridges"), form(names, settings)];
  const page = h("div", { class: "bridges" }, head);
  try {
    page.append(...(await (settings.one && settings.other ? between(settings, signal) : known(names, signal))));
  } catch (error) {
    page.append(refused(error));
  }
  return page;
}

async function between(settings, signal) {
  const { one, other, existing } = settings;
  const given = { ontology1: one, ontology2: other, limit: 25, include_existing: existing === "on" };
  const asked = [call("bridge", given, { signal }), may("create_learned_relationship"), typeOptions()];
  const [answer, writes, types] = await Promise.all(asked);
  return [pairs(answer, settings, writes && types)];
}

/** Return what was learned already, while no two ontologies are chosen. */
async function known(names, signal) {
  const { learned_knowledge: items, total } = await call("list_learned_knowledge", { limit: 20 }, { signal });
  const few = names.length < 2 ? h("p", {}, "There are no two ontologies yet: a bridge joins one with another.") : "";
  return [few, items.length ? section("Learned so far", total, h("ul", { class: "cards" }, items.map(learned))) : ""];
}

function form(names, { one, other, existing }) {
  const options = names.map(([name, count]) => [name, `${name} (${count})`]);
  const asks = (event) => {
    event.preventDefault();
    go("bridges", "", filled(event.currentTarget));
  };
  return h(
    "form",
    { class: "row", onsubmit: asks },
    field("Between", choice("one", options, one)),
    field("and", choice("other", options, other || names.find(([name]) => name !== (one || names[0][0]))?.[0])),
    field("Related pairs too", h("input", { type: "checkbox", name: "existing", checked: existing === "on" })),
    h("button", { type: "submit" }, "Find pairs"),
  );
}

function pairs({ candidates, searched, near_misses: missed }, { one, other }, writes) {
  if (!candidates.length) return h("p", {}, `No pair was found; ${missed?.count || 0} came near.`);
  const looked =
    searched.nodes < searched.of
      ? `The newest ${searched.nodes} of ${searched.of} nodes of ${searched.ontology} were looked at.`
      : "";
  const lanes = h(
    "div",
    { class: "lanes head", "aria-hidden": "true" },
    h("span", { dir: "auto" }, one),
    h("span"),
    h("span", { dir: "auto" }, other),
  );
  return section(
    "Pairs, the likeliest first",
    candidates.length,
    looked ? h("p", { class: "hint" }, looked) : null,
    lanes,
    h(
      "ol",
      { class: "pairs" },
      candidates.map((each) => pair(each, writes)),
    ),
  );
}

function learned({ created_by: who, evidence, connections, cognitive_leap: leap, strength, votes }) {
  const ends = connections.map(({ from, to: end, type }) =>
    h("p", { class: "line" }, named(from), h("span", {}, `${spoken(type)} →`), named(end)),
  );
  const facts = [
    `by ${who}`,
    LEAPS[leap],
    `strength ${strength.toFixed(2)}`,
    votes && `${votes.up} for, ${votes.down} against`,
  ];
  const told = facts.filter(Boolean).join(" · ");
  return h("li", {}, ends, h("p", { class: "reasoning", dir: "auto" }, evidence), h("p", { class: "hint" }, told));
}

/** Return a link to a node of which only the title is known. */
function named(title) {
  return link({ id: title, title });
}

function pair(each, writes) {
  const room = h("div");
  const closed = () => {
    room.replaceChildren();
    connect.focus();
  };
  const connect = button("Connect", () => room.replaceChildren(connecting(each, writes, closed)));
  const known = each.has_existing_relation ? h("span", { class: "about" }, "related already") : null;
  const between = [percent(each.similarity, "alike"), h("span", { class: "leap" }, LEAPS[each.cognitive_leap])];
  return h(
    "li",
    {},
    h(
      "div",
      { class: "lanes" },
      h("span", {}, link(each.concept1)),
      h("span", { class: "line" }, between),
      h("span", {}, link(each.concept2)),
    ),
    h(
      "div",
      { class: "row" },
      known,
      writes ? connect : null,
      grounds(each.grounds.filter((ground) => !ground.startsWith("similarity"))),
    ),
    room,
  );
}

function connecting({ concept1: one, concept2: other, cognitive_leap: leap }, types, cancel) {
  const great =
    leap === "HIGH"
      ? h("p", { class: "warning" }, "⚠ The two lie far apart: say what joins them, and expect that others doubt it.")
      : null;
  const fields = [
    great,
    field("How", choice("relationship_type", types, "bridges")),
    field(
      "The evidence: why the two belong together",
      h("textarea", { name: "evidence", rows: 3, required: true, dir: "auto" }),
    ),
  ];
  const given = ({ relationship_type: type, ...said }) => ({
    from_concept_id: one.id,
    to_concept_id: other.id,
    relationship_type: type.toUpperCase(),
    creator: "", // whoever asks
    ...said,
  });
  const told = (answer) =>
    `Connected; the leap is ${(answer.cognitive_leap || leap).toLowerCase()}. ${answer.warning || ""}`;
  return writing("create_learned_relationship", fields, { submit: "Connect", given, told, on: renew, cancel });
}
