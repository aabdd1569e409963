/** Writing something down: it is classified and linked, and what comes near is told. */

import { go } from "../address.js";
import { counts, may } from "../calls.js";
import { choice, field, h } from "../dom.js";
import { writing } from "../forms.js";
import { kindOptions } from "../vocabulary.js";

/** Return the page that captures. */
export async function view({ signal }) {
  if (!(await may("capture"))) return h("div", {}, h("h1", {}, "Capture"), h("p", {}, "Writing needs a contributor."));
  const [held, kinds] = await Promise.all([counts({ signal }), kindOptions()]);
  const ontologies = Object.keys(held.nodes_by_ontology).map((value) => h("option", { value }));
  const fields = [
    field("What you know, in full sentences", h("textarea", { name: "content", rows: 8, required: true, dir: "auto" })),
    field("Title (else its first sentence)", h("input", { name: "title", maxlength: 300, dir: "auto" })),
    h(
      "div",
      { class: "row" },
      field("Kind", choice("kind", [["", "choose for me"], ...kinds], "")),
      field("Ontology", h("input", { name: "ontology", list: "ontologies", dir: "auto" })),
      field("Tags, with commas between them", h("input", { name: "tags", dir: "auto" })),
      field("Where it is from", h("input", { name: "citation", size: 30, dir: "auto" })),
    ),
    h("datalist", { id: "ontologies" }, ontologies),
  ];
  const form = writing("capture", fields, { submit: "Capture", given, told, on: (answer) => go("node", answer.id) });
  return h("div", { class: "capture" }, h("h1", {}, "Capture"), form);
}

function given({ tags = "", ...said }) {
  const list = tags
    .split(",")
    .map((each) => each.trim())
    .filter(Boolean);
  return list.length ? { ...said, tags: list } : said;
}

function told(answer) {
  if (answer.existing) return "It was there already, in the same words.";
  const found = [
    [answer.relations, "linked to"],
    [answer.near_duplicates, "nearly the same as"],
    [answer.conflicts, "at odds with"],
  ];
  const said = found.filter(([rows]) => rows.length).map(([rows, how]) => `${how} ${rows.length}`);
  return `Captured as a ${answer.classification.kind}${said.length ? `, ${said.join(", ")}` : ""}.`;
}
