/** Writing something down: it is classified and linked, and what comes near is told. */

import { go } from "../address.js";
import { counts, may } from "../calls.js";
import { choice, field, h } from "../dom.js";
import { writing } from "../forms.js";
import { keep } from "../nearby.js";
import { spoken } from "../parts.js";
import { kindOptions } from "../vocabulary.js";

/** Return the page that captures. */
export async function view({ signal }) {
  if (!(await may("capture"))) return h("div", {}, h("h1", {}, "Capture"), h("p", {}, "Writing needs a contributor."));
  const [held, kinds] = await Promise.all([counts({ signal }), kindOptions()]);
  const ontologies = Object.keys(held.nodes_by_ontology).map((value) => h("option", { value }));
  const fields = [
    field("What you know, in full sentences", h("textarea", { name: "content", rows: 8, required: true, dir: "auto" })),
    field("Title (else its first sentence)", h("input", { name: "title", maxlength: 200, dir: "auto" })),
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
  const on = (answer) => {
    keep(answer);
    go("node", answer.id);
  };
  const form = writing("capture", fields, { submit: "Capture", given, told, on });
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
  const { kind } = answer;
  if (answer.existing)
    return `It was there already, in the same words${answer.status ? `: ${spoken(answer.status)}` : ""}.`;
  const found = [
    [answer.relations.map((each) => each.other_title), "linked to"],
    [titles(answer.near_duplicates), "nearly the same as"],
    [titles(answer.conflicts), "at odds with"],
    [titles(answer.differing || []), "perhaps at odds with"],
  ];
  const said = found.filter(([names]) => names.length).map(([names, how]) => `${how} ${named(names)}`);
  return `Captured as ${/^[aeiou]/.test(kind) ? "an" : "a"} ${spoken(kind)}${said.length ? `, ${said.join(", ")}` : ""}.`;
}

function titles(rows) {
  return rows.map((each) => each.title);
}

/** Return the first of these names, and how many more there are. */
function named([first, ...more]) {
  return `«${first}»${more.length ? ` and ${more.length} more` : ""}`;
}
