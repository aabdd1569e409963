/** A map of many nodes on a canvas: laid out in steps, painted when something changed, moved about and pointed at. */

import { h } from "./dom.js";
import { layout } from "./forces.js";
import { colours, paint, seen } from "./painting.js";
import { keyed, roaming } from "./roaming.js";

const SLICE_MS = 7; // of a frame, for the layout
const FADE_MS = 140;
const [FARTHEST, CLOSEST, FITTED_MAX] = [0.12, 5, 1.5];
const WIDER_MAX = 1.45;
const NEAR = 10; // pixels beside a node that still are the node
const [BESIDE, ABOVE] = [96, 44]; // pixels around the map, for titles

/**
 * Return a map of `nodes` (id, title, hue, group, degree, superseded) and `ties` (source, target: places in nodes;
 * conflict), with its `canvas`. `ways.pointed(node, hushed)` is told what is pointed at, or nothing; `ways.open(node)`
 * what is to be opened. `kept` are the places of nodes where the same map was laid out before.
 */
export function atlas({ nodes, ties, about }, ways, kept) {
  const canvas = h("canvas", {
    class: "canvas sheet",
    tabindex: 0,
    role: "application",
    "aria-roledescription": "map",
    "aria-label": about,
  });
  const scene = { nodes, ties, shape: 0, places: 0, focus: 0, lit: null };
  for (const [place, node] of nodes.entries()) {
    Object.assign(node, { place, radius: size(node, nodes), shown: true, x: 0, y: 0, near: new Set() });
  }
  for (const { source, target } of ties) {
    nodes[source].near.add(target);
    nodes[target].near.add(source);
  }
  const map = { canvas, scene, ways, view: { zoom: 1, x: 0, y: 0, width: 0, height: 0, ratio: 1 }, held: false };
  listen(map);
  begin(map, kept);
  return map;
}

function size({ degree }, nodes) {
  const most = Math.max(9, ...nodes.map((node) => node.degree));
  return 4 + 15 * Math.sqrt(degree / most);
}

/** Lay the map out and keep it painted, from when its canvas stands in the page until it was left. */
function begin(map, kept) {
  const { canvas, scene } = map;
  const sizes = new ResizeObserver(() => {
    if (!canvas.isConnected) return sizes.disconnect();
    if (canvas.clientWidth) resized(map);
    if (canvas.clientWidth && !scene.layout) lay(map, kept);
    return undefined;
  });
  sizes.observe(canvas);
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  const recoloured = () => {
    if (!canvas.isConnected) return scheme.removeEventListener("change", recoloured);
    scene.colours = colours(canvas);
    map.ways.recoloured();
    return redraw(map);
  };
  scheme.addEventListener("change", recoloured);
}

function resized(map) {
  const { canvas, view, scene } = map;
  Object.assign(view, { width: canvas.clientWidth, height: canvas.clientHeight, ratio: devicePixelRatio || 1 });
  canvas.width = Math.round(view.width * view.ratio);
  canvas.height = Math.round(view.height * view.ratio);
  scene.colours = colours(canvas);
  if (map.held) redraw(map);
  else if (scene.settled) settle(map);
  else fit(map);
  repaint(map); // at once: a canvas is empty once its size has changed
}

function lay(map, kept) {
  const { scene, view } = map;
  const pairs = scene.ties.map(({ source, target }) => [source, target]);
  const radii = scene.nodes.map((node) => node.radius);
  scene.layout = kept
    ? { ...kept, step: () => false }
    : layout(radii, pairs, Math.max(0.6, Math.min(2, view.width / view.height)));
  const slowly = !matchMedia("(prefers-reduced-motion: reduce)").matches;
  const slice = () => {
    if (!map.canvas.isConnected) return;
    const start = performance.now();
    let more = true;
    while (more && performance.now() - start < SLICE_MS) more = scene.layout.step();
    if (slowly || !more) settle(map);
    if (more) requestAnimationFrame(slice);
    else done(map);
  };
  slice();
}

function done(map) {
  map.scene.settled = true;
  repaint(map);
  map.canvas.drawing = map;
  map.ways.settled?.({ x: map.scene.layout.x, y: map.scene.layout.y });
}

/** Put the nodes where the layout has them, drawn out to where the window has room. */
function settle(map) {
  const { scene, view } = map;
  const { x, y } = scene.layout;
  const [left, right, top, bottom] = [...ends(x), ...ends(y)];
  const room = (view.width * (bottom - top + 80)) / (view.height * (right - left + 80));
  const [wider, taller] = [room, 1 / room].map((each) => Math.max(1, Math.min(WIDER_MAX, each)));
  for (const node of scene.nodes) Object.assign(node, { x: x[node.place] * wider, y: y[node.place] * taller });
  scene.places += 1;
  if (map.held) redraw(map);
  else fit(map);
}

/** Show everything, from now on whenever the map changes its size too. */
export function fit(map) {
  const shown = map.scene.nodes.filter((node) => node.shown);
  const { view } = map;
  if (!shown.length || !view.width) return redraw(map);
  const [left, right] = ends(shown.flatMap(({ x, radius }) => [x - radius, x + radius]));
  const [top, bottom] = ends(shown.flatMap(({ y, radius }) => [y - radius, y + radius]));
  const room = Math.min(BESIDE, view.width / 9);
  const wanted = Math.min((view.width - 2 * room) / (right - left), (view.height - 2 * ABOVE) / (bottom - top));
  view.zoom = Math.max(FARTHEST, Math.min(FITTED_MAX, wanted));
  view.x = view.width / 2 - ((left + right) / 2) * view.zoom;
  view.y = view.height / 2 - ((top + bottom) / 2) * view.zoom;
  hold(map, false);
  return redraw(map);
}

function ends(values) {
  return [Math.min(...values), Math.max(...values)];
}

/** Say whether the reader holds the map where it is; until then it shows everything, with no title cut off. */
function hold(map, held) {
  map.held = held;
  map.view.fitted = !held;
}

/** Come closer by `factor`, about a place of the canvas: what is pointed at, or else its middle. */
export function zoom(map, factor, ...about) {
  const { view, chosen } = map;
  const [x, y] = about.length ? about : chosen ? onSheet(map, chosen) : [view.width / 2, view.height / 2];
  const to = Math.max(FARTHEST, Math.min(CLOSEST, view.zoom * factor));
  view.x = x - ((x - view.x) * to) / view.zoom;
  view.y = y - ((y - view.y) * to) / view.zoom;
  view.zoom = to;
  hold(map, true);
  redraw(map);
}

function pan(map, dx, dy) {
  map.view.x += dx;
  map.view.y += dy;
  hold(map, true);
  redraw(map);
}

/** Show only nodes that `wanted` lets through. */
export function sift(map, wanted) {
  for (const node of map.scene.nodes) node.shown = wanted(node);
  map.scene.shape += 1;
  if (map.chosen && !map.chosen.shown) choose(map, null);
  redraw(map);
}

/** Light what `wanted` lets through and fade the rest; nothing lights everything. */
export function light(map, wanted) {
  map.wanted = wanted;
  relight(map);
}

/** Point at a node as keys and pointers do, and come to where it can be seen; nothing points at none. */
export function choose(map, node) {
  map.chosen = node;
  if (node) come(map, node);
  relight(map);
  map.ways.pointed(node);
}

function onSheet({ view }, node) {
  return [node.x * view.zoom + view.x, node.y * view.zoom + view.y];
}

function come(map, node) {
  const { view } = map;
  const [x, y] = onSheet(map, node);
  const room = Math.min(90, view.width / 5, view.height / 5);
  const dx = x < room ? room - x : Math.min(0, view.width - room - x);
  const dy = y < room ? room - y : Math.min(0, view.height - room - y);
  if (dx || dy) pan(map, dx, dy);
}

/** What is lit: what hangs on the node that is pointed at, or else what was asked for. */
function relight(map) {
  const { scene, wanted } = map;
  const node = map.pointed || map.chosen;
  const lit = node
    ? new Set([node.place, ...node.near])
    : wanted && new Set(scene.nodes.filter(wanted).map((each) => each.place));
  if (lit) scene.lit = lit;
  scene.chosen = node?.place;
  scene.shape += 1;
  fade(map, lit ? 1 : 0);
}

/** Have the rest fade, or come back, within a moment. */
function fade(map, to) {
  const { scene } = map;
  map.fading = to;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const from = { focus: scene.focus, at: performance.now() };
  const step = (now) => {
    if (map.fading !== to || map.fadingFrom !== from) return;
    const share = still ? 1 : Math.max(0, Math.min(1, (now - from.at) / FADE_MS));
    scene.focus = from.focus + (to - from.focus) * share;
    if (share === 1 && !to) scene.lit = null;
    if (share === 1) scene.shape += 1;
    repaint(map);
    if (share < 1) requestAnimationFrame(step);
  };
  map.fadingFrom = from;
  requestAnimationFrame(step);
}

function redraw(map) {
  if (map.waiting) return;
  map.waiting = true;
  requestAnimationFrame(() => {
    map.waiting = false;
    repaint(map);
  });
}

function repaint(map) {
  if (map.view.width && map.canvas.isConnected) paint(map.canvas.getContext("2d"), map.scene, map.view);
}

function listen(map) {
  const { canvas, ways } = map;
  const point = (x, y) => {
    const node = x === undefined ? null : at(map, x, y);
    canvas.classList.toggle("pointing", Boolean(node));
    if (node === (map.pointed || null)) return;
    map.pointed = node;
    relight(map);
    ways.pointed(node || map.chosen, true);
  };
  roaming(canvas, {
    pan: (dx, dy) => pan(map, dx, dy),
    zoom: (factor, x, y) => zoom(map, factor, x, y),
    over: point,
    press: (x, y, touched) => pressed(map, at(map, x, y), touched),
  });
  canvas.addEventListener("keydown", (event) => {
    const act = keyed(event, {
      toward: (x, y) => choose(map, toward(map, x, y)),
      zoom: (factor) => zoom(map, factor),
      fit: () => fit(map),
      open: () => map.chosen && ways.open(map.chosen),
      leave: () => choose(map, null),
    });
    if (!act) return;
    event.preventDefault();
    act();
  });
}

/** A click opens a node. A finger, which cannot point without touching, points first, and opens with the next tap. */
function pressed(map, node, touched) {
  if (node && (!touched || node === map.chosen)) return map.ways.open(node);
  map.pointed = null;
  return choose(map, node);
}

/** Return the node at a place of the canvas, the nearest where there are several. */
function at({ scene, view }, x, y) {
  const far = (node) => {
    const [middleX, middleY] = onSheet({ view }, node);
    return Math.hypot(middleX - x, middleY - y) - seen(node.radius, view.zoom);
  };
  const near = scene.nodes.filter((node) => node.shown && far(node) <= NEAR);
  return near.toSorted((a, b) => far(a) - far(b))[0] || null;
}

/** Return the node that lies next in a direction; the best related one, where none is pointed at yet. */
function toward({ scene, chosen }, dx, dy) {
  const others = scene.nodes.filter((node) => node.shown && node !== chosen);
  if (!chosen) return others[0] || null;
  const cost = (node) => {
    const along = (node.x - chosen.x) * dx + (node.y - chosen.y) * dy;
    const beside = Math.abs((node.x - chosen.x) * dy) + Math.abs((node.y - chosen.y) * dx);
    return along > 0 && beside <= 1.8 * along ? along + 2 * beside : Infinity;
  };
  const next = others.toSorted((a, b) => cost(a) - cost(b))[0];
  return next && cost(next) < Infinity ? next : chosen;
}

/** Return the map as a picture, all of it, as the address of its bytes. */
export function pictured({ scene }) {
  const shown = scene.nodes.filter((node) => node.shown);
  const room = 130; // titles stick out
  const [left, right] = ends(shown.map(({ x }) => x));
  const [top, bottom] = ends(shown.map(({ y }) => y));
  const [width, height] = [right - left + 2 * room, bottom - top + 2 * room];
  const ratio = Math.min(2.5, 8000 / Math.max(width, height));
  const sheet = h("canvas", { width: Math.round(width * ratio), height: Math.round(height * ratio) });
  const view = { zoom: 1, x: room - left, y: room - top, width, height, ratio };
  paint(sheet.getContext("2d"), { ...scene, lit: null, focus: 0, chosen: undefined, labelled: null }, view);
  return sheet.toDataURL("image/png");
}
