/** What can be done with a node: each form shows itself when it is asked for, and each change can be undone. */

import { go, to } from "./address.js";
import { call, may, text } from "./calls.js";
import { button, choice, field, filled, h } from "./dom.js";
import { writing } from "./forms.js";
import { refused, sentence, spoken } from "./parts.js";
import { suggesting } from "./suggesting.js";
import { renew } from "./telling.js";
import { mayLeave } from "./unsaved.js";
import { kindOptions, typeOptions } from "./vocabulary.js";

const STATES = ["active", "needs_review", "superseded"].map((each) => [each, spoken(each)]);

const EDITED_MAX = 120_000; // characters of a text that a form holds

/** Return the row of what the reader may do with the node of `answer`. */
export async function actions(answer) {
  const asked = ["update", "relate", "merge_concepts", "forget"].map(may);
  const [update, relate, merge, forget] = await Promise.all(asked);
  const room = h("div", { class: "form" });
  const shows =
    (made) =>
    ({ currentTarget: opener }) =>
      open(room, made(answer, back(room, opener)));
  const ways = [
    h("a", { class: "button", href: to("trail", "", { from: answer.title }) }, "Trail from here"),
    h("a", { class: "button", href: to("challenge", "", { claim: claim(answer.node) }) }, "Challenge"),
    update && button("Edit", shows(editing)),
    relate && button("Relate", shows(relating)),
    merge && button("Merge", shows(merging)),
    forget && button("Forget", shows(forgetting)),
  ];
  return h("div", { class: "actions" }, h("div", { class: "row" }, ways), room);
}

/** Return what takes a form away again, and the reader to what opened it: by keyboard the page would begin anew. */
function back(room, opener) {
  return () => {
    room.replaceChildren();
    opener.focus();
  };
}

/** Show a form where another may stand, and take the reader to its first field. */
async function open(room, made) {
  if (!mayLeave()) return;
  try {
    room.replaceChildren(await made);
    room.querySelector("input, textarea, select")?.focus();
  } catch (error) {
    room.replaceChildren(refused(error));
  }
}

function claim({ kind, title, content }) {
  return kind === "claim" && content.length <= 1000 ? content : title;
}

/** Return the whole text of a node, which an answer may have shortened, or nothing where it is too long for a form. */
async function whole(node) {
  const parts = [];
  for (let offset = 0; offset !== undefined;) {
    const part = await text(node.id, offset);
    if (part.length > EDITED_MAX || part.version !== node.version) return null;
    parts.push(part.text);
    offset = part.next_offset;
  }
  return parts.join("");
}

async function editing({ node }, cancel) {
  const [content, kinds] = await Promise.all([whole(node), kindOptions()]);
  const before = {
    ...node,
    content,
    tags: (node.tags || []).join(", "),
    references: (node.references || []).join("\n"),
  };
  const given = (said) => {
    const changes = different(said, before);
    return Object.keys(changes).length ? { id: node.id, if_version: node.version, ...changes } : null;
  };
  const over = {
    when: ({ code }) => code === "CONFLICT",
    says: "Save mine over it",
    hint: "What you wrote is still here. Look at the node as it stands, and save yours over it where yours holds.",
    look: h("a", { class: "button", href: to("node", node.id), target: "_blank" }, "Look at it"),
    wanted: ({ if_version: _, ...said }) => said,
  };
  const told = ({ changed, warning }) =>
    [`Changed: ${Object.keys(changed).map(spoken).join(", ")}.`, warning].filter(Boolean).join(" ");
  return writing("update", fields(before, kinds), { submit: "Save", given, told, on: renew, cancel, over });
}

function fields(node, kinds) {
  const long = h(
    "p",
    { class: "hint" },
    "The text is too long for this form, or was changed meanwhile: reload, or use weft update.",
  );
  const area = (name, value, rows) => h("textarea", { name, rows, dir: "auto" }, value);
  return [
    field(
      "Title",
      h("input", { name: "title", value: node.title, maxlength: 200, required: Boolean(node.title), dir: "auto" }),
    ),
    node.content === null
      ? long
      : field("Text", h("textarea", { name: "content", rows: 12, required: true, dir: "auto" }, node.content)),
    h(
      "div",
      { class: "row" },
      field("Kind", choice("kind", kinds, node.kind)),
      field("Ontology", h("input", { name: "ontology", value: node.ontology, required: true, dir: "auto" })),
      field("State", choice("status", STATES, node.status)),
    ),
    field("Tags, with commas between them", h("input", { name: "tags", value: node.tags, dir: "auto" })),
    field("References, one a line", area("references", node.references, 2)),
    field("Superseded by (a title)", suggesting(h("input", { name: "superseded_by", dir: "auto" }))),
  ];
}

/** Return the fields that differ from what the node has, each as the tool takes it. */
function different(said, node) {
  const lists = { tags: ",", references: "\n" };
  const changes = {};
  for (const name of ["title", "content", "kind", "ontology", "status", "superseded_by"]) {
    if (said[name] !== undefined && said[name] !== node[name]?.trim()) changes[name] = said[name];
  }
  for (const [name, mark] of Object.entries(lists)) {
    if ((said[name] || "") !== node[name].trim()) changes[name] = listed(said[name] || "", mark);
  }
  return changes;
}

function listed(text, mark) {
  return text
    .split(mark)
    .map((each) => each.trim())
    .filter(Boolean);
}

async function relating({ id, title }, cancel) {
  const fields = [
    h("p", {}, h("bdi", {}, title)),
    field("How", choice("type", await typeOptions(), "supports")),
    field("Which node (a title)", suggesting(h("input", { name: "target", required: true, dir: "auto" }))),
    field("Why", h("input", { name: "reasoning", required: true, dir: "auto" })),
  ];
  const given = (said) => ({ source: id, ...said });
  const told = ({ created, warning }) => `${created ? "Related." : "It was there, and is surer now."} ${warning || ""}`;
  return writing("relate", fields, { submit: "Relate", given, told, on: renew, cancel });
}

/** Return a form that asks with which other node; what a merge does is told on its own page. */
function merging({ id }, cancel) {
  const other = suggesting(h("input", { name: "other", required: true, dir: "auto" }));
  const compares = (event) => {
    event.preventDefault();
    go("merge", "", { one: id, ...filled(event.currentTarget) });
  };
  const ways = [h("button", { type: "submit" }, "Compare the two"), button("Cancel", cancel, { class: "quiet" })];
  return h(
    "form",
    { class: "writing", onsubmit: compares },
    field("With which node (a title)", other),
    h("div", { class: "row" }, ways),
  );
}

async function forgetting({ id }, cancel) {
  const { title, relations_removed: gone, nodes_removed: held } = await call("forget", { id });
  const count = gone === 1 ? "one relation" : `${gone} relations`;
  const alone = held === 1 ? ", with what it alone says (one node)" : `, with what it alone says (${held} nodes)`;
  const fields = [
    h("p", {}, sentence(`«${title}» goes${held ? alone : ""}, and ${count} with it. It can be undone.`)),
    field("Why", h("input", { name: "reason", dir: "auto" })),
  ];
  const given = (said) => ({ id, confirm: true, ...said });
  return writing("forget", fields, {
    submit: "Forget it",
    given,
    told: () => "Forgotten.",
    on: () => go("search"),
    cancel,
  });
}
