/** What lies around a node, as a drawing that is widened step by step; each step can be taken back. */

import { go, here, to } from "./address.js";
import { call } from "./calls.js";
import { button, choice, field, h } from "./dom.js";
import { drawn } from "./drawing.js";
import { placed } from "./layout.js";
import { link, origin, percent, refused, sentence, spoken, state as mark, unmarked } from "./parts.js";
import { types } from "./vocabulary.js";

const BESIDE_MAX = 24; // relations of one node that are drawn: more are not read, but listed
const WIDENED_MAX = 12; // steps that an address keeps

/** Return the drawing around the node of `answer`, which `fetch` gave; `settings.with` are the nodes widened before. */
export async function neighbourhood(answer, settings, signal) {
  const before = (settings.with || "").split(",").filter(Boolean).slice(0, WIDENED_MAX);
  const widened = await Promise.all(before.map((id) => call("fetch", { id }, { signal }).catch(() => null)));
  const answers = [answer, ...widened.filter(Boolean)];
  const state = { answers, room: h("div", { class: "neighbourhood" }), settings, type: await types() };
  state.widen = (id) => widen(state, id);
  draw(state);
  return state;
}

/** Draw what hangs on a node too, or tell why that cannot be. */
async function widen(state, id) {
  if (state.answers.length > WIDENED_MAX)
    return say(state, `At most ${WIDENED_MAX} steps are drawn: take one back first.`);
  if (state.answers.some((each) => each.id === id)) return say(state, "What hangs on it is drawn already.");
  try {
    state.answers.push(await call("fetch", { id }));
    draw(state);
  } catch (error) {
    state.room.append(refused(error));
  }
  return undefined;
}

function narrow(state) {
  state.answers.pop();
  draw(state);
}

function draw(state) {
  keep(state);
  const seen = gathered(state);
  const places = placed(state.answers[0].id, seen.kin);
  const nodes = [...seen.nodes.values()].map((node) => ({
    ...node,
    ...places.get(node.id),
    below: seen.kin.has(node.id),
  }));
  const relations = [...seen.relations.values()];
  const plan = { nodes, relations, about: told(state.answers[0], nodes, relations), open: (id) => go("node", id) };
  plan.chosen = (id) => choose(state, seen.nodes.get(id));
  plan.related = (id) => read(state, seen, seen.relations.get(id));
  const how = "Choose a node or a line to see what it is; choose a node twice to open it.";
  state.card = h("div", { class: "card", "aria-live": "polite" }, h("span", { class: "hint" }, how));
  state.room.replaceChildren(tools(state, seen), drawn(plan), state.card);
}

function told(answer, nodes, relations) {
  return `${answer.title}: ${nodes.length} nodes and ${relations.length} relations; they are listed beside the drawing.`;
}

/** Keep in the address what is widened, without going anywhere. */
function keep({ answers, settings }) {
  const { page, id } = here();
  const widened = answers
    .slice(1)
    .map((each) => each.id)
    .join(",");
  if (page === "node") history.replaceState(history.state, "", to(page, id, { ...settings, with: widened }));
}

function tools(state, seen) {
  const { settings, answers } = state;
  const depths = [
    ["", "1 relation away"],
    ["2", "2 away"],
    ["3", "3 away"],
  ];
  const depth = choice("depth", depths, settings.depth);
  depth.addEventListener("change", () => go("node", here().id, { ...settings, depth: depth.value }));
  const back = answers.length > 1 ? button("Take the last step back", () => narrow(state)) : null;
  return h(
    "div",
    { class: "row" },
    field("Drawn", depth),
    back,
    seen.left ? h("span", { class: "hint" }, sentence(seen.left)) : null,
  );
}

function choose(state, node) {
  const open = state.answers.some((each) => each.id === node.id);
  const more = open ? null : button("Draw what hangs on it", () => state.widen(node.id));
  const kind = h("span", { class: "about" }, [node.kind, node.ontology].filter(Boolean).join(" · "));
  state.card.replaceChildren(link(node), " ", kind, " ", mark(node) || "", " ", more || "");
}

/** Show what a line stands for: both ends, where the relation comes from, and why it holds. */
function read(state, seen, relation) {
  const [source, target] = [relation.source, relation.target].map((id) => link(seen.nodes.get(id)));
  const arrow = state.type.undirected(relation.type) ? "↔" : "→";
  const facts = [origin(relation.origin), " ", percent(relation.confidence, "sure")];
  const why = relation.reasoning ? h("p", { class: "reasoning", dir: "auto" }, unmarked(relation.reasoning)) : "";
  const said = h("strong", {}, spoken(relation.type));
  state.card.replaceChildren(source, ` ${arrow} `, said, ` ${arrow} `, target, " ", ...facts.filter(Boolean), why);
}

function say(state, text) {
  state.card.replaceChildren(text);
}

/** Return the nodes and relations of the answers, what hangs on what, and a sentence where not all is drawn. */
function gathered({ answers, type }) {
  const seen = { nodes: new Map(), relations: new Map(), kin: new Map(), left: "", type };
  const [first] = answers;
  seen.nodes.set(first.id, { ...first.node, centre: true });
  for (const [place, answer] of answers.entries()) {
    tie(answer, answers.slice(0, place), seen);
    around(answer, seen);
  }
  for (const each of first.neighbours || []) farther(each, seen);
  if (first.neighbours?.length) seen.left = `${seen.left} Farther nodes are drawn with one relation each.`.trim();
  return seen;
}

/** Have a node that is widened from a list, and was not drawn, hang on the one whose list that was. */
function tie(answer, before, seen) {
  if (seen.nodes.has(answer.id)) return;
  for (const other of before) {
    const row = rows(other).find((each) => each.id === answer.id);
    if (row) return join(row, other, seen);
  }
  hang(answer.node, before[0].id, 0, seen);
}

function rows(answer) {
  return Object.entries(answer.relations).flatMap(([type, all]) => all.map((row) => ({ ...row, type })));
}

function join(row, answer, seen) {
  const forward = row.direction === "forward";
  const [source, target] = forward ? [answer.id, row.id] : [row.id, answer.id];
  hang(row, answer.id, seen.type.undirected(row.type) ? 0 : forward ? 1 : -1, seen);
  seen.relations.set(row.relation_id, { ...row, id: row.relation_id, source, target });
}

function around(answer, seen) {
  const weight = (row) => (seen.type.against(row.type) ? 1 : 0) + row.confidence; // what contradicts is never left out first
  const strongest = rows(answer)
    .toSorted((a, b) => weight(b) - weight(a))
    .slice(0, BESIDE_MAX);
  if (answer.relation_count > strongest.length) {
    seen.left = `${strongest.length} of ${answer.relation_count} relations of «${answer.title}» are drawn, the surest.`;
  }
  const byType = (a, b) => (a.type < b.type ? -1 : Number(a.type > b.type));
  for (const row of strongest.toSorted(byType)) join(row, answer, seen);
}

function farther(each, seen) {
  const { id, source, target, type, confidence, origin } = each.through;
  const nearer = source === each.id ? target : source;
  if (!seen.nodes.has(nearer)) return;
  hang(each, nearer, 0, seen);
  seen.relations.set(id, { id, source, target, type, confidence, origin });
}

/** Have `node` hang on the node `nearer`, unless it stands in the drawing already. */
function hang({ id, title, kind, ontology, status }, nearer, side, seen) {
  if (seen.nodes.has(id)) return;
  seen.nodes.set(id, { id, title, kind, ontology, status });
  seen.kin.set(nearer, [...(seen.kin.get(nearer) || []), { id, side }]);
}
