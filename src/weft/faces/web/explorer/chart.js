/** A map with all that is around it: finding on it, its buttons, what is pointed at, the legend, and the same as a list. */

import { go, here, to } from "./address.js";
import { atlas, choose, fit, light, pictured, sift, zoom } from "./atlas.js";
import { button, composing, h } from "./dom.js";
import { enlarging, saved } from "./drawing.js";
import { groups, hueOf, legend } from "./groups.js";
import { listed } from "./listed.js";
import { about, link } from "./parts.js";

const STEP = 1.35;

/** The places of the map that was laid out last: who comes back from a node finds it as it was left. */
let last = { key: "", places: null };

/**
 * Return a figure with the map of `plan`, and the list that tells the same. A plan has nodes, ties, what is said `about`
 * it, what it is coloured `by`, and how much is of each of the graph's `ontologies`; `settings` say what is looked for on
 * it (`find`), and which groups are left out (`hide`).
 */
export function chart(plan, settings) {
  const { nodes, ties } = plan;
  const all = groups(nodes, plan.by, plan.ontologies);
  const state = { nodes, all, settings, hidden: new Set(unpacked(settings.hide)), card: h("div", { class: "card" }) };
  state.heard = h("p", { class: "away", "aria-live": "polite" });
  const key = JSON.stringify([nodes.map(({ id }) => id), ties.map(({ source, target }) => [source, target])]);
  const ways = {
    open: ({ id }) => go("node", id),
    pointed: (node, hushed) => point(state, node, hushed),
    recoloured: () => recolour(state),
    settled: (places) => (last = { key, places }),
  };
  paint(state);
  state.map = atlas(plan, ways, last.key === key && last.places);
  state.list = listed(nodes);
  state.legend = legend(all, state.hidden, { changed: () => changed(state), pointed: (name) => hint(state, name) });
  const figure = h("figure", { class: "drawing charted" });
  const room = h("div", { class: "chart" }, state.map.canvas, state.card, state.heard);
  figure.append(h("div", { class: "tools" }, finding(state), buttons(state, figure)), room, state.legend.list);
  if (state.hidden.size) changed(state);
  return { figure, list: state.list.room };
}

function unpacked(text = "") {
  return text.split(",").filter(Boolean).map(decodeURIComponent);
}

function paint({ nodes, all }) {
  for (const node of nodes) node.hue = hueOf(node, all);
}

function recolour(state) {
  paint(state);
  state.legend.draw();
}

function buttons({ map }, figure) {
  return [
    button("+", () => zoom(map, STEP), { title: "Closer", "aria-label": "Closer" }),
    button("−", () => zoom(map, 1 / STEP), { title: "Farther", "aria-label": "Farther" }),
    button("Fit", () => fit(map)),
    button("Picture", () => saved(pictured(map)), { title: "Save as a picture" }),
    document.fullscreenEnabled ? enlarging(figure) : null,
  ];
}

/** Keep in the address what is looked for and left out, without going anywhere. */
function keep(state) {
  const { page } = here();
  const hide = [...state.hidden].map(encodeURIComponent).join(",");
  const address = to("map", "", { ...state.settings, find: state.field.value, hide });
  if (page === "map") history.replaceState(history.state, "", address);
}

function changed(state) {
  sift(state.map, (node) => !state.hidden.has(node.group));
  keep(state);
  found(state);
  state.list.fill();
}

/** Light a group while its entry in the legend is pointed at. */
function hint(state, name) {
  light(state.map, name === null ? wanted(state) : (node) => node.group === name);
}

function finding(state) {
  state.field = h("input", {
    type: "search",
    placeholder: "Find on the map",
    "aria-label": "Find on the map",
    dir: "auto",
  });
  state.field.value = state.settings.find || "";
  state.count = h("span", { class: "hint", role: "status" });
  state.field.addEventListener("input", () => (keep(state), found(state)));
  state.field.addEventListener("keydown", (event) => event.key === "Enter" && !composing(event) && next(state));
  if (state.field.value) queueMicrotask(() => found(state));
  return h("div", { class: "finding" }, state.field, state.count);
}

/** Return `text` as it is compared: without accents and points, which may be left out, but with the vowels of Thai or Hindi. */
function plain(text) {
  return text
    .normalize("NFKD")
    .replace(/(?=\p{M})[\p{sc=Zinh}\p{sc=Hebr}]/gu, "")
    .toUpperCase();
}

/** Return what a node must be to be what is looked for, or nothing where nothing is. */
function wanted({ field }) {
  const words = plain(field.value).split(/\s+/).filter(Boolean);
  return words.length ? ({ title, shown }) => shown && words.every((word) => plain(title).includes(word)) : null;
}

function found(state) {
  const fits = wanted(state);
  state.matches = fits ? state.nodes.filter(fits) : [];
  light(state.map, fits);
  const count = state.matches.length;
  const search = h("a", { href: to("search", "", { q: state.field.value.trim() }) }, "Search the graph");
  const none = ["Not on the map. ", search];
  state.count.replaceChildren(
    ...(!fits ? [] : count ? [`${count} found${count > 1 ? "; Enter leads through them" : ""}`] : none),
  );
}

/** Point at the first of what was found, or at the next after the one that is pointed at. */
function next(state) {
  const { matches = [], map } = state;
  if (!matches.length) return;
  choose(map, matches[(matches.indexOf(map.chosen) + 1) % matches.length]);
}

/** Show what is pointed at, and say it to who does not see it, unless it is a pointer that only passes. */
function point(state, node, hushed) {
  state.card.classList.toggle("filled", Boolean(node));
  const count = node?.degree === 1 ? "1 relation" : `${node?.degree.toLocaleString()} relations`;
  const facts = node && h("p", { class: "line" }, about(node), h("span", {}, count));
  state.card.replaceChildren(...(node ? [link(node), facts] : []));
  if (!hushed) state.heard.textContent = node ? `${node.title}, ${node.kind}, ${node.ontology}, ${count}` : "";
}
