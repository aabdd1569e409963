/** The groups of a map's nodes, each with a hue of its own, as a legend in which groups are left out and brought back. */

import { h } from "./dom.js";
import { looksOf, onGround } from "./palette.js";

const OTHERS = "\u0000"; // no ontology and no kind is called so
const GREY = "#9aa3ad";

/**
 * Give each of `nodes` its group by a field (ontology, kind), and return the groups, the largest first: {name, count,
 * hue}. An ontology has the hue that it has in every drawing, which goes by how much of the graph is of it
 * (`ontologies`). Those without a look of their own are one group, the last.
 */
export function groups(nodes, by, ontologies) {
  const look = looksOf(by === "ontology" ? ontologies : counted(nodes, by));
  const made = new Map();
  for (const node of nodes) {
    const own = look(node[by]);
    node.group = own ? node[by] : OTHERS;
    const group = made.get(node.group) || { name: node.group, count: 0, hue: own?.hue || GREY };
    made.set(node.group, { ...group, count: group.count + 1 });
  }
  return [...made.values()].toSorted((a, b) => (a.name === OTHERS) - (b.name === OTHERS) || b.count - a.count);
}

function counted(nodes, by) {
  const counts = {};
  for (const node of nodes) counts[node[by]] = (counts[node[by]] || 0) + 1;
  return counts;
}

/** Return the hue of a node as it is to be painted now. */
export function hueOf(node, all) {
  return onGround(all.find((group) => group.name === node.group).hue);
}

/**
 * Return the legend of the groups: a button each, pressed while its nodes are shown. `hidden` holds the names of those
 * that are left out; `changed()` is called when that has changed, `pointed(name)` when a group is pointed at, or none.
 */
export function legend(all, hidden, { changed, pointed }) {
  const list = h("ul", { class: "groups", "aria-label": "Shown" });
  const draw = () => {
    const at = [...list.querySelectorAll("button")].indexOf(document.activeElement);
    list.replaceChildren(...all.map((group) => h("li", {}, entry(group, hidden, { flip, pointed }))));
    if (at >= 0) list.querySelectorAll("button")[at].focus();
  };
  const flip = (name) => {
    if (!hidden.delete(name)) hidden.add(name);
    if (hidden.size === all.length) hidden.clear(); // a map of nothing tells nothing: the last one brings all back
    draw();
    changed();
  };
  draw();
  return { list, draw };
}

function entry({ name, count, hue }, hidden, { flip, pointed }) {
  const spot = h("span", { class: "spot" });
  spot.style.background = onGround(hue);
  const shown = !hidden.has(name);
  const says = name === OTHERS ? "others" : h("bdi", {}, name || "(none)");
  const ways = {
    "aria-pressed": String(shown),
    onclick: () => flip(name),
    onpointerenter: () => pointed(shown ? name : null),
    onpointerleave: () => pointed(null),
  };
  return h("button", { type: "button", ...ways }, spot, says, " ", h("span", { class: "count" }, count));
}
