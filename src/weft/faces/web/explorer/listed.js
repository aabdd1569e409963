/** A map as a list: every node that is shown on it, and which of the others each is related to. */

import { h } from "./dom.js";
import { about, link } from "./parts.js";

const NAMED = 5; // related nodes that are named

/** Return the list of `nodes`, folded; it is filled when it is opened. */
export function listed(nodes) {
  const list = h("ol", { class: "listed" });
  const room = h("details", {}, h("summary", {}, "The same as a list"), list);
  const fill = () => room.open && list.replaceChildren(...nodes.filter(isShown).map((node) => row(node, nodes)));
  room.addEventListener("toggle", fill);
  return { room, fill };
}

function isShown({ shown }) {
  return shown;
}

function row(node, nodes) {
  const count = node.degree === 1 ? "1 relation" : `${node.degree.toLocaleString()} relations`;
  const near = [...node.near].map((at) => nodes[at]).filter(isShown);
  const named = near
    .toSorted((a, b) => a.place - b.place)
    .slice(0, NAMED)
    .map((each, place) => [place ? ", " : "", h("bdi", {}, each.title)]);
  const more = near.length > NAMED ? ` and ${near.length - NAMED} more` : "";
  const beside = near.length ? h("p", { class: "hint" }, "Here with ", named, more) : null;
  return h("li", {}, h("p", { class: "line" }, link(node), about(node), h("span", {}, count)), beside);
}
