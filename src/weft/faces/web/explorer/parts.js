/** What several pages show alike: a node's name, what it is, where a relation comes from, an error. */

import { to } from "./address.js";
import { h } from "./dom.js";

const ORIGINS = {
  document: ["document", "A document states it."],
  manual: ["manual", "Somebody said so."],
  learned: ["learned", "Somebody saw it; no document states it."],
  inferred: ["inferred", "A rule made it by itself."],
  imported: ["imported", "It came with an import."],
  mention: ["mention", "The one is named in the other's text."],
};

const SPANS = { year: 31_557_600, month: 2_629_800, day: 86_400, hour: 3_600, minute: 60 }; // in seconds
const AGO = new Intl.RelativeTimeFormat("en");

/** Return a link to a node, by its title. */
export function link(node) {
  return h("a", { href: to("node", node.id), class: "title" }, h("bdi", {}, node.title || "(without a title)"));
}

/** Return what a node is and where it belongs. */
export function about(node) {
  return h("span", { class: "about" }, [node.kind, node.ontology].filter(Boolean).join(" · "));
}

/** Return where a relation comes from, in a word; how is told when it is pointed at. */
export function origin(name) {
  const [word, told] = ORIGINS[name] || [name, ""];
  return h("span", { class: `origin ${name}`, title: told }, word);
}

/** Return a share between 0 and 1 as per cent of `what` ("sure", "alike"), or nothing where there is none. */
export function percent(share, what) {
  return typeof share === "number" ? h("span", { class: "share" }, `${Math.round(share * 100)} % ${what}`) : null;
}

/** Return a type of relation as it is read: `part_of` as "part of". */
export function spoken(type) {
  return type.replaceAll("_", " ").toLowerCase();
}

/** Return a point in time as the reader's place writes it; the whole of it is told when it is pointed at. */
export function time(text) {
  const at = new Date(text);
  const shown = at.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
  return h("time", { datetime: text, title: at.toISOString() }, shown);
}

/** Return how long ago a point in time was; when that was is told when it is pointed at. */
function ago(text) {
  const seconds = (Date.now() - new Date(text)) / 1000;
  const span = Object.entries(SPANS).find(([, long]) => seconds >= long);
  const moment = time(text);
  moment.title = moment.textContent;
  moment.textContent = span ? AGO.format(-Math.floor(seconds / span[1]), span[0]) : "just now";
  return moment;
}

/** Return the state of a node where it is not active, as a mark beside its name. */
export function state({ status = "active" }) {
  return status === "active" ? null : h("span", { class: `state ${status}` }, spoken(status));
}

/** Return how current a node is: its state, unless `replaced` tells more, and when it was written, or changed since. */
export function standing(node) {
  const { created_at: made, modified_at: changed } = node;
  const since = changed ? ["changed ", ago(changed)] : ["written ", ago(made)];
  return [node.superseded_by ? null : state(node), h("span", {}, since)];
}

/** Return what replaced a node, or the document that it stands in, as a way there, or nothing. */
export function replaced({ superseded_by: newer, superseded_document: within }) {
  if (newer) return h("p", { class: "line" }, "Superseded by ", link(newer));
  if (!within) return null;
  const ended = within.superseded_by ? [", superseded by ", link(within.superseded_by)] : ", which is superseded";
  return h("p", { class: "line" }, "Stands in ", link(within), ended);
}

/**
 * Return a sentence of ours, which runs from left to right, with what it quotes («…») set apart: a name that runs the other
 * way must not turn around what stands beside it, least of all an arrow.
 */
export function sentence(text) {
  const parts = String(text).split(/«([^«»]*)»/);
  return h(
    "bdi",
    { dir: "ltr" },
    parts.map((part, place) => (place % 2 ? ["«", h("bdi", {}, part), "»"] : part)),
  );
}

/** Return the grounds of an answer as a list; none where there are none. */
export function grounds(sentences) {
  const said = sentences || [];
  return said.length
    ? h(
        "ul",
        { class: "grounds" },
        said.map((each) => h("li", {}, sentence(each))),
      )
    : null;
}

/** Return a piece of a text without the marks of Markdown: where its lines have run together they mean nothing. */
export function unmarked(text) {
  const named = text.replace(/!?\[\[(?:[^[\]|]*\|)?([^[\]|]*)\]\]/gu, "$1");
  const plain = named.replace(/!?\[([^\]]*)\]\([^)\s]*\)/gu, "$1").replace(/(^|\s)#{1,6}\s+/gu, "$1");
  return plain.replace(/\*\*(?=\S)(.+?)(?<=\S)\*\*/gu, "$1").replaceAll("`", "");
}

/** Return a piece of evidence: the quote, where it stands (`path` is told when it is pointed at), and how like it is. */
export function quote(each, path = "") {
  const paragraph =
    each.type === "LEARNED" || typeof each.paragraph !== "number" ? "" : `, paragraph ${each.paragraph}`;
  const place = h("cite", { title: path }, h("bdi", {}, each.document), paragraph);
  const likeness = percent(each.similarity, "alike");
  return h("li", {}, h("blockquote", { dir: "auto" }, each.quote), h("p", { class: "line" }, place, likeness));
}

/** Return a section with a heading and, where it is told, how many it holds. */
export function section(heading, count, ...children) {
  const number = count === null ? null : h("span", { class: "count" }, String(count));
  return h("section", {}, h("h2", {}, heading, " ", number), children);
}

/** Return what went wrong, what to do about it, and the nodes that may have been meant. */
export function refused(error) {
  const hint = error.hint ? h("p", { class: "hint" }, sentence(error.hint)) : null;
  const meant = (error.candidates || []).map((each) => h("li", {}, link(each), " ", h("bdi", {}, each.why)));
  const list = meant.length ? h("ul", {}, meant) : null;
  return h("div", { class: "refused", role: "alert" }, h("p", {}, sentence(error.message)), hint, list);
}
