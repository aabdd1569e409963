/** The look of bodies of knowledge: a hue and a shape each, so that neither alone carries the meaning. */

import { call } from "./calls.js";

/** Hues that stay apart for the colour-blind (Okabe and Ito, 2008), with the shape that goes with each. */
const LOOKS = [
  { hue: "#0072b2", shape: "ellipse" },
  { hue: "#d55e00", shape: "round-rectangle" },
  { hue: "#009e73", shape: "diamond" },
  { hue: "#cc79a7", shape: "hexagon" },
  { hue: "#b58900", shape: "round-triangle" },
  { hue: "#56b4e9", shape: "round-octagon" },
  { hue: "#7a5195", shape: "pentagon" },
  { hue: "#6b7280", shape: "star" },
];
const OTHER = { hue: "#6b7280", shape: "ellipse" };

let known;

/** Return a function from an ontology's name to its look; the largest have looks of their own. */
export async function looks() {
  known ??= call("status").then(({ counts }) => ranked(counts.nodes_by_ontology));
  const places = await known.catch(() => new Map());
  return (ontology) => LOOKS[places.get(ontology)] || OTHER;
}

function ranked(counts) {
  const names = Object.entries(counts)
    .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .map(([name]) => name);
  return new Map(names.map((name, place) => [name, place]));
}
