/** A map as it is painted: lines, nodes and labels, the ones that are pointed out before all others. */

import { labels } from "./labels.js";
import { direction } from "./titles.js";

const BEND = 0.09; // of its length, how far a line is bent
const FAINT = 0.13;
const GREAT = 16; // nodes whose titles say what the map is about
const TOLD_MAX = 30; // lit nodes up to which each has its label, come what may
const ALONE = "related to none of these";
const FONT = 'system-ui, -apple-system, "Segoe UI", sans-serif';
const widths = new Map();

/** Return the colours of the page, for one scheme. */
export function colours(element) {
  const page = getComputedStyle(element);
  const names = ["ground", "text", "soft", "line", "accent", "conflict"];
  return Object.fromEntries(names.map((name) => [name, page.getPropertyValue(`--${name}`).trim()]));
}

/** Return a radius as it is seen at a zoom: nodes grow more slowly than what is between them. */
export function seen(radius, zoom) {
  return Math.max(2.4, radius * Math.max(0.5, Math.min(2.2, Math.sqrt(zoom))));
}

/**
 * Paint `scene` through `view` ({zoom, x, y, width, height, ratio}) on a canvas' context. `scene.nodes` have a place, a
 * radius, a hue, a title, and are `shown` or not; `scene.ties` have the places of both ends, and may be in `conflict`.
 * `scene.lit` are the places of the nodes that are pointed out, if any, `scene.chosen` is the one in their midst, and
 * `scene.focus` (0 to 1) is how far the others have faded. Titles come once the scene is `settled`.
 */
export function paint(context, scene, view) {
  const { zoom, x, y, width, height, ratio } = view;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = scene.colours.ground;
  context.fillRect(0, 0, width, height);
  context.translate(x, y);
  lines(context, scene, zoom);
  dots(context, scene, zoom);
  if (scene.settled) words(context, scene, view);
}

function lines(context, scene, zoom) {
  const faded = 1 - scene.focus * (1 - FAINT);
  const batches = new Map();
  for (const tie of scene.ties) {
    const [one, other] = [scene.nodes[tie.source], scene.nodes[tie.target]];
    if (!one.shown || !other.shown) continue;
    const lit = scene.lit && scene.lit.has(tie.source) && scene.lit.has(tie.target) && apart(tie, scene.chosen);
    const hue = tie.conflict ? scene.colours.conflict : one.hue === other.hue ? one.hue : scene.colours.line;
    const strength = (tie.conflict ? 0.8 : 0.36) * (lit ? 1 : faded) + (lit ? 0.4 * scene.focus : 0);
    const key = `${hue} ${lit ? 1 : 0} ${tie.conflict ? 1 : 0}`;
    if (!batches.has(key)) batches.set(key, { hue, strength: Math.min(1, strength), lit, ties: [] });
    batches.get(key).ties.push([one, other]);
  }
  for (const batch of [...batches.values()].toSorted((a, b) => Number(a.lit) - Number(b.lit)))
    strokes(context, batch, zoom);
  context.globalAlpha = 1;
}

/** Return whether a tie is one to light: with a node in the midst, only what leads to it. */
function apart(tie, chosen) {
  return chosen === undefined || tie.source === chosen || tie.target === chosen;
}

function strokes(context, { hue, strength, lit, ties }, zoom) {
  context.strokeStyle = hue;
  context.globalAlpha = strength;
  context.lineWidth = (lit ? 1.9 : 1.1) * Math.max(0.7, Math.min(1.8, Math.sqrt(zoom)));
  context.beginPath();
  for (const [one, other] of ties) {
    const [x, y, endX, endY] = [one.x * zoom, one.y * zoom, other.x * zoom, other.y * zoom];
    context.moveTo(x, y);
    const [middleX, middleY] = [(x + endX) / 2 - (endY - y) * BEND, (y + endY) / 2 + (endX - x) * BEND];
    context.quadraticCurveTo(middleX, middleY, endX, endY);
  }
  context.stroke();
}

function dots(context, scene, zoom) {
  const order = [...scene.nodes.keys()].filter((at) => scene.nodes[at].shown);
  const lit = (at) => Number(Boolean(scene.lit?.has(at)));
  order.sort((a, b) => lit(a) - lit(b) || scene.nodes[b].radius - scene.nodes[a].radius);
  for (const at of order) {
    const node = scene.nodes[at];
    context.globalAlpha = scene.lit && !lit(at) ? 1 - scene.focus * (1 - FAINT) : 1;
    dot(context, node, scene, { zoom, chosen: at === scene.chosen });
  }
  context.globalAlpha = 1;
}

function dot(context, node, { colours: page }, { zoom, chosen }) {
  const radius = seen(node.radius, zoom);
  context.beginPath();
  context.arc(node.x * zoom, node.y * zoom, radius, 0, 2 * Math.PI);
  context.fillStyle = node.superseded ? page.ground : node.hue;
  context.fill();
  context.lineWidth = node.superseded ? 2 : 1.5;
  context.strokeStyle = node.superseded ? node.hue : page.ground;
  context.stroke();
  if (!chosen) return;
  context.beginPath();
  context.arc(node.x * zoom, node.y * zoom, radius + 4, 0, 2 * Math.PI);
  context.lineWidth = 2.5;
  context.strokeStyle = page.accent;
  context.stroke();
}

/** Return what stands above the rows of those that are related to none, and its box; nothing where there is no such row. */
function caption(context, { nodes }, zoom) {
  const row = nodes.filter((node) => node.shown && !node.near.size);
  if (!row.length || row.length === nodes.length) return null;
  const xs = row.map((node) => node.x * zoom);
  const x = (Math.min(...xs) + Math.max(...xs)) / 2;
  const y = row[0].y * zoom - 36;
  const half = wide(context, ALONE, 12, false) / 2;
  return { x, y, left: x - half, right: x + half, top: y - 9, bottom: y + 9 };
}

function words(context, scene, view) {
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineJoin = "round";
  const { labels: all, head } = written(context, scene, view);
  if (head && !scene.lit) {
    context.font = font(12, false);
    context.fillStyle = scene.colours.soft;
    context.fillText(ALONE, head.x, head.y);
  }
  for (const label of all) {
    context.font = font(label.size, label.bold);
    context.direction = direction(label.node.title);
    context.globalAlpha = scene.lit && !label.node.lit ? 1 - scene.focus * 0.82 : 1;
    for (const [place, line] of label.lines.entries()) {
      const y = label.y + place * label.high;
      context.lineWidth = 3.5;
      context.strokeStyle = scene.colours.ground;
      context.strokeText(line, label.x, y);
      context.fillStyle = scene.colours.text;
      context.fillText(line, label.x, y);
    }
  }
  context.globalAlpha = 1;
}

/** Return the labels, as long as nothing that they depend on has changed the same ones. */
function written(context, scene, view) {
  const { zoom, fitted, width, height, x, y } = view;
  const key = [zoom, scene.places, scene.shape, fitted && `${width} ${height}`].join(" ");
  if (scene.labelled?.key === key) return scene.labelled;
  const head = caption(context, scene, zoom);
  const bounds = fitted ? { left: 4 - x, right: width - 4 - x, top: 4 - y, bottom: height - 4 - y } : null;
  const measure = (text, size, bold) => wide(context, text, size, bold);
  const made = labels(ranked(scene, zoom), measure, { kept: head ? [head] : [], bounds });
  scene.labelled = { key, head, labels: made };
  return scene.labelled;
}

/** Return the nodes that are shown as their labels need them, those first that are pointed at and what hangs on them. */
function ranked({ nodes, lit, chosen }, zoom) {
  const many = nodes.length > 60 ? 8 : nodes.length / 8;
  const few = Boolean(lit && lit.size <= TOLD_MAX);
  const all = nodes.filter((node) => node.shown);
  const made = all.map((node, rank) => ({
    title: node.title,
    x: node.x * zoom,
    y: node.y * zoom,
    radius: seen(node.radius, zoom),
    lit: Boolean(lit?.has(node.place)),
    told: node.place === chosen || (few && lit.has(node.place)),
    great: rank < GREAT,
    bold: rank < many && node.near.size > 0,
    size: rank < many && node.near.size ? 14 : rank < 30 ? 12.5 : 11.5,
    first: node.place === chosen ? 2 : lit?.has(node.place) ? 1 : 0,
  }));
  return made.toSorted((a, b) => b.first - a.first);
}

function wide(context, text, size, bold) {
  const key = `${size} ${bold} ${text}`;
  if (!widths.has(key)) {
    context.font = font(size, bold);
    widths.set(key, context.measureText(text).width);
  }
  return widths.get(key);
}

function font(size, bold) {
  return `${bold ? 600 : 400} ${size}px ${FONT}`;
}
