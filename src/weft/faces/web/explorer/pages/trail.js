/** How one thing leads to another: the trail as sentences and as a drawing, and the other ways there are. */

import { go } from "../address.js";
import { call } from "../calls.js";
import { choice, field, filled, h } from "../dom.js";
import { drawn } from "../drawing.js";
import { link, origin, percent, refused, section, spoken, unmarked } from "../parts.js";
import { suggesting } from "../suggesting.js";
import { types } from "../vocabulary.js";

const SCOPES = [
  ["", "all relations"],
  ["documents", "what is stated"],
  ["learned", "what was learned"],
];

/** Return the page of the trail from `settings.from` to `settings.to`. */
export async function view({ settings, signal }) {
  const { from, to: end } = settings;
  const page = h("div", { class: "trail" }, h("h1", {}, "Trail"), form(settings));
  try {
    const [answer, type] = await Promise.all([from && end && call("trace", asked(settings), { signal }), types()]);
    if (answer) page.append(shown(answer, type));
  } catch (error) {
    page.append(refused(error));
  }
  return page;
}

function asked({ from, to: end, scope, hops }) {
  return { start: from, end, ...(scope && { scope }), ...(hops && { max_hops: Number(hops) }), alternatives: 3 };
}

function form({ from, to: end, scope, hops }) {
  return h(
    "form",
    { class: "row", onsubmit: asks },
    field(
      "From (a title, or a phrase)",
      suggesting(h("input", { name: "from", value: from, required: true, size: 30, dir: "auto" })),
    ),
    field("To", suggesting(h("input", { name: "to", value: end, required: true, size: 30, dir: "auto" }))),
    field("Through", choice("scope", SCOPES, scope)),
    field("Relations at most", h("input", { name: "hops", type: "number", min: 1, max: 10, value: hops || 6 })),
    h("button", { type: "submit" }, "Find"),
  );
}

function asks(event) {
  event.preventDefault();
  go("trail", "", filled(event.currentTarget));
}

function shown(answer, type) {
  if (!answer.connected) return unconnected(answer);
  if (!answer.path_length) return h("p", {}, "Both ends are ", link(answer.trail[0]), ": there is no way to go.");
  const others = answer.alternatives.map((each) => h("li", {}, sentences(each.trail, type)));
  return h(
    "div",
    {},
    h("p", {}, ...matches(answer)),
    section("The shortest", steps(answer.path_length), drawn(chain(answer.trail)), sentences(answer.trail, type)),
    others.length ? section("Other ways", others.length, h("ol", { class: "ways" }, others)) : null,
  );
}

function steps(count) {
  return count === 1 ? "1 step" : `${count} steps`;
}

function matches({ start_match: start, end_match: end }) {
  return [start, end]
    .filter((each) => each && each.similarity < 1)
    .map((each) =>
      h("span", { class: "hint" }, "Taken for ", link(each), ` (similarity ${each.similarity.toFixed(2)}). `),
    );
}

function unconnected(answer) {
  const ends = new Set([answer.start_match?.id, answer.end_match?.id]);
  const near = answer.nearest.filter((each) => !ends.has(each.id)).map((each) => h("li", {}, link(each)));
  const text = "No trail was found within that many relations.";
  return h("div", {}, h("p", {}, text), near.length ? section("What came near", null, h("ul", {}, near)) : null);
}

function sentences(trail, type) {
  return h(
    "ol",
    { class: "steps" },
    trail.map((step) => h("li", {}, link(step), onward(step.relation_to_next, type))),
  );
}

function onward(relation, type) {
  if (!relation) return null;
  const arrow = type.undirected(relation.type) ? "↕" : relation.direction === "backward" ? "↑" : "↓";
  return h(
    "p",
    { class: relation.conflict ? "onward conflict" : "onward" },
    h("span", { class: "type" }, `${arrow} ${spoken(relation.type)}`),
    " ",
    origin(relation.origin),
    percent(relation.confidence, "sure"),
    relation.reasoning ? h("span", { class: "reasoning" }, h("bdi", {}, unmarked(relation.reasoning))) : null,
  );
}

/** Return the trail as what a drawing needs: its nodes in a line, downwards on a phone, and the relations between them. */
function chain(trail) {
  const down = matchMedia("(max-width: 40rem)").matches;
  const spot = (place) => (down ? { x: 1, y: place * 90 } : { x: place * 260, y: 0, below: true });
  const nodes = trail.map((step, place) => ({ ...step, ...spot(place) }));
  const relations = trail.slice(0, -1).map((step, place) => {
    const [one, other] = [step.id, trail[place + 1].id];
    const forward = step.relation_to_next.direction !== "backward";
    return { ...step.relation_to_next, id: `${place}`, source: forward ? one : other, target: forward ? other : one };
  });
  const told = `A trail of ${steps(relations.length)}; it stands below in sentences.`;
  const open = (id) => go("node", id);
  return { nodes, relations, about: told, chosen: open, open };
}
