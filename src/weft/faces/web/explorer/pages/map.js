/** The graph as a map: its best related nodes and the relations among them, coloured by ontology or by kind. */

import { go, to } from "../address.js";
import { map as mapped } from "../calls.js";
import { chart } from "../chart.js";
import { button, choice, field, filled, h } from "../dom.js";
import { renew } from "../telling.js";
import { types } from "../vocabulary.js";

const SIZES = ["100", "300", "500"].map((each) => [each, each]);
const COLOURS = ["ontology", "kind"];
const HINT =
  "Point at a node to see what hangs on it, and choose it to open it. Drag to move the map, and turn the wheel with " +
  "Ctrl held to come closer. By keyboard: the arrow keys lead from node to node, Enter opens one, + and − zoom, 0 shows " +
  "everything.";

/** Return the page of the part of the graph that `settings` names. */
export async function view({ settings, signal }) {
  const { ontology, kind, limit } = settings;
  const given = Object.fromEntries(Object.entries({ ontology, kind, limit }).filter(([, value]) => value));
  const [answer, type] = await Promise.all([mapped(given, { signal }), types()]);
  const said = h("p", { class: "told" }, answer.nodes.length ? told(answer) : nothing(answer));
  const head = h("header", {}, h("div", {}, h("h1", {}, "Map"), said), form(settings, answer));
  return h("div", { class: "map" }, head, answer.nodes.length ? shown(answer, settings, type, signal) : null);
}

function form(settings, { nodes, ontologies, kinds }) {
  const rows = (tally) => [["", "all"], ...Object.entries(tally).map(([name, count]) => [name, `${name} (${count})`])];
  const colours = COLOURS.map((name) => [name === usual(nodes) ? "" : name, name]);
  const narrow = (event) => {
    event.preventDefault();
    go("map", "", filled(event.currentTarget));
  };
  return h(
    "form",
    { class: "row narrowing", onchange: narrow, onsubmit: narrow },
    field("Ontology", choice("ontology", rows(ontologies), settings.ontology)),
    field("Kind", choice("kind", rows(kinds), settings.kind)),
    field("Nodes at most", choice("limit", SIZES, settings.limit || "300")),
    field("Colour by", choice("colour", colours, settings.colour === usual(nodes) ? "" : settings.colour || "")),
  );
}

/** Return what a map is coloured by unless another is chosen: by kind, where all its nodes are of one ontology. */
function usual(nodes) {
  return new Set(nodes.map((node) => node.ontology)).size > 1 ? "ontology" : "kind";
}

function shown(answer, settings, type, signal) {
  const ties = answer.relations.map((each) => ({ ...each, conflict: type.against(each.type) }));
  const nodes = answer.nodes.map((each) => ({
    ...each,
    degree: each.relation_count,
    superseded: each.status === "superseded",
  }));
  const about = `${told(answer)} The same stands below as a list.`;
  const by = settings.colour || usual(nodes);
  const { figure, list } = chart({ nodes, ties, about, by, ontologies: answer.ontologies }, settings);
  return [news(signal), figure, h("p", { class: "hint" }, HINT), list];
}

/** Return what is said of the map: how many of how many it shows. */
function told({ nodes, relations, nodes_total: all, relations_total: among, looked_at: looked }) {
  const some = (count, what) => `${count.toLocaleString()} ${what}${count === 1 ? "" : "s"}`;
  const which = nodes.length < all ? `${some(nodes.length, "node")} of ${all.toLocaleString()}, the best related` : "";
  const surest = `${some(relations.length, "relation")} of ${among.toLocaleString()} among them, the surest`;
  const ties = relations.length < among ? surest : among ? `all ${some(among, "relation")} among them` : "no relation";
  const newest = looked < all ? ` Only the ${looked.toLocaleString()} newest nodes were compared.` : "";
  return `${which || `All ${some(all, "node")}`}, and ${ties}.${newest}`;
}

function nothing({ kinds }) {
  if (Object.keys(kinds).length) return "No node is of that ontology and that kind.";
  return ["Nothing is in the graph yet. ", h("a", { href: to("capture") }, "Capture something"), "."];
}

/** Tell that the graph changed, without moving what is being looked at. */
function news(signal) {
  const line = h("p", { class: "fresh", hidden: true }, "The graph has changed since. ", button("Draw it anew", renew));
  document.addEventListener("changed", () => (line.hidden = false), { signal });
  return line;
}
