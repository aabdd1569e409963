/** Which nodes of a map have their titles beside them, and where: the best related first, and no two on each other. */

import { wrapped } from "./titles.js";

const LINE_MAX = 24; // columns
const LINES_MAX = 2;
const CELL = 80;
const AIR = 5; // around a label, in pixels
const broken = new Map(); // titles and their lines, which are the same at every zoom

/**
 * Return the labels of `nodes`, in the order in which they are to have one: {node, lines, x, y, size, bold}, x and y being
 * the middle of the first line. Nodes have a place (x, y) and a radius in pixels, a title, and the `size` of its letters;
 * one that is `told` has its label on top of other nodes, and so has one that is `great`, of smaller ones. No label
 * stands on a box of `kept`, or outside of `bounds`, if there are any. `width(text, size, bold)` measures a line.
 */
export function labels(nodes, width, { kept = [], bounds = null } = {}) {
  const taken = new Map();
  for (const box of kept) occupy(taken, box, null);
  for (const node of nodes) occupy(taken, around(node), node);
  const made = [];
  for (const node of nodes) {
    const label = written(node, width);
    const spot = best(spots(node, label), node, { taken, bounds });
    if (!spot) continue;
    occupy(taken, spot, null);
    made.push({ ...label, x: (spot.left + spot.right) / 2, y: spot.top + label.high / 2 });
  }
  return made;
}

function written(node, width) {
  const { size, bold } = node;
  if (!broken.has(node.title)) broken.set(node.title, wrapped(node.title, LINE_MAX, LINES_MAX));
  const lines = broken.get(node.title);
  const wide = Math.max(...lines.map((line) => width(line, size, bold)));
  return { node, lines, size, bold, wide, high: size * 1.2 };
}

/** Return the boxes in which a label may stand, the best first: below, above, right, left. */
function spots({ x, y, radius }, { wide, high, lines }) {
  const tall = high * lines.length;
  const box = (left, top) => ({ left: left - AIR, right: left + wide + AIR, top, bottom: top + tall });
  return [
    box(x - wide / 2, y + radius + 3),
    box(x - wide / 2, y - radius - 3 - tall),
    box(x + radius + 5, y - tall / 2),
    box(x - radius - 5 - wide, y - tall / 2),
  ];
}

function around({ x, y, radius }) {
  return { left: x - radius, right: x + radius, top: y - radius, bottom: y + radius };
}

function cells({ left, right, top, bottom }) {
  const found = [];
  for (let column = Math.floor(left / CELL); column <= Math.floor(right / CELL); column += 1)
    for (let row = Math.floor(top / CELL); row <= Math.floor(bottom / CELL); row += 1) found.push(`${column} ${row}`);
  return found;
}

function occupy(taken, box, node) {
  for (const cell of cells(box)) {
    if (!taken.has(cell)) taken.set(cell, []);
    taken.get(cell).push({ box, node });
  }
}

/** Return the first spot where nothing is, or else, where that may be, the one that covers least; or none. */
function best(all, node, room) {
  const costs = all.map((spot) => cost(spot, node, room));
  const least = Math.min(...costs);
  return least === 0 || ((node.told || node.great) && least < Infinity) ? all[costs.indexOf(least)] : null;
}

function cost(spot, node, { taken, bounds }) {
  if (bounds && !within(spot, bounds)) return Infinity;
  const bars = new Set(cells(spot).flatMap((cell) => taken.get(cell) || []));
  let sum = 0;
  for (const { box, node: other } of bars) {
    if (other === node || !meet(spot, box)) continue;
    if (!other || !(node.told || other.radius < 0.7 * node.radius)) return Infinity;
    sum += 1;
  }
  return sum;
}

function within(spot, bounds) {
  return (
    spot.left >= bounds.left && spot.right <= bounds.right && spot.top >= bounds.top && spot.bottom <= bounds.bottom
  );
}

function meet(one, other) {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}
