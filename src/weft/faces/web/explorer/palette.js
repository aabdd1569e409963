/** The look of bodies of knowledge: a hue and a shape each, so that neither alone carries the meaning. */

import { counts } from "./calls.js";

/** Hues that stay apart for the colour-blind (Okabe and Ito, 2008), with the shape that goes with each. */
const LOOKS = [
  { hue: "#0072b2", shape: "ellipse" },
  { hue: "#d55e00", shape: "round-rectangle" },
  { hue: "#009e73", shape: "diamond" },
  { hue: "#cc79a7", shape: "hexagon" },
  { hue: "#b58900", shape: "round-triangle" },
  { hue: "#56b4e9", shape: "round-octagon" },
  { hue: "#7a5195", shape: "pentagon" },
  { hue: "#8c5a3c", shape: "star" },
];
const OTHER = { hue: "#6b7280", shape: "ellipse" };

const LIGHTER = 0.28; // how much of white is mixed in where the ground is dark

let known;

/** Return a function from an ontology's name to its look; the largest have looks of their own. */
export async function looks() {
  known ??= counts().then((held) => ranked(held.nodes_by_ontology));
  const places = await known.catch(() => new Map());
  return (ontology) => LOOKS[places.get(ontology)] || OTHER;
}

/** Return a function from a name in `sizes` (how much is of each name) to its look, or to nothing where it has none. */
export function looksOf(sizes) {
  const places = ranked(sizes);
  return (name) => LOOKS[places.get(name)];
}

/** Return a hue as it is seen on the ground of the page, which may be dark. */
export function onGround(hue) {
  if (!matchMedia("(prefers-color-scheme: dark)").matches) return hue;
  const parts = [1, 3, 5].map((at) => parseInt(hue.slice(at, at + 2), 16));
  return `#${parts
    .map((each) =>
      Math.round(each + (255 - each) * LIGHTER)
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;
}

function ranked(sizes) {
  const names = Object.entries(sizes)
    .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .map(([name]) => name);
  return new Map(names.map((name, place) => [name, place]));
}
