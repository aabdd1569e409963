/**
 * A drawing of nodes and relations on a canvas. A line's style says where the relation comes from, its width how sure
 * it is, its colour only that it contradicts. Whatever is drawn stands beside it in words too: a canvas says nothing to
 * a screen reader.
 */

import { button, h } from "./dom.js";
import { looks } from "./palette.js";
import { legend } from "./legend.js";
import { answers, read, Unread } from "./modules.js";
import { refused, spoken } from "./parts.js";
import { direction, wrapped } from "./titles.js";
import { types } from "./vocabulary.js";

const DASHES = { learned: "dashed", inferred: "dotted", mention: "dotted" };
const TOLD_MAX = 14; // relations up to which each has its name beside it
const [LINE_MAX, LINES_MAX] = [28, 2]; // of a title: columns, lines
const [HEIGHT_MIN, HEIGHT_MAX] = [190, 560];
const EDGE = 60; // pixels between a node and the edge that it stands at
const ZOOM_STEP = 1.3;
const CLOSEST = 1.2; // a drawing of two nodes is not blown up to fill the space
const FARTHEST = 0.7; // titles can be read down to here; what does not fit then is dragged into sight

/**
 * Return a figure with the drawing of `plan`.
 *
 * `plan.nodes` have an id, a title, an ontology and a place (x, y); `plan.relations` an id, source, target, type, origin
 * and confidence (0 to 1, or none). `plan.about` says in words what is drawn; `plan.chosen(id)` is called when a node is
 * pointed out, `plan.open(id)` when it is pointed out twice, and `plan.related(id)`, if there, when a relation is.
 */
export function drawn(plan) {
  const canvas = h("div", { class: "canvas", role: "img", "aria-label": plan.about });
  canvas.style.height = `${tall(plan.nodes)}px`;
  const buttons = h("div", { class: "tools" });
  const figure = h("figure", { class: "drawing" }, buttons, canvas);
  load(canvas, buttons, plan).catch((error) => canvas.replaceChildren(undrawn(error)));
  return figure;
}

function undrawn(error) {
  const anew = async () => (await answers()) && location.reload();
  const said = refused(error);
  if (error instanceof Unread) said.append(button("Try again", anew));
  return said;
}

/** Return how many pixels high a canvas is on which the rows of `nodes` can be read. */
function tall(nodes) {
  const places = nodes.map((node) => node.y || 0);
  const rows = Math.max(...places) - Math.min(...places);
  return Math.max(HEIGHT_MIN, Math.min(HEIGHT_MAX, rows + 110));
}

async function load(canvas, buttons, plan) {
  const wanted = [read(() => import("../vendor/cytoscape.js")), looks(), types()];
  const [{ default: cytoscape }, look, type] = await Promise.all(wanted);
  await attached(canvas);
  const graph = cytoscape({
    container: canvas,
    elements: elements(plan, look, type),
    style: style(getComputedStyle(canvas)),
    layout: { name: "preset" },
    userZoomingEnabled: false,
    minZoom: 0.15,
    maxZoom: 3,
  });
  fit(graph);
  listen(graph, canvas, plan);
  buttons.append(
    button("+", () => zoom(graph, ZOOM_STEP), { title: "Closer", "aria-label": "Closer" }),
    button("−", () => zoom(graph, 1 / ZOOM_STEP), { title: "Farther", "aria-label": "Farther" }),
    button("Fit", () => fit(graph)),
    button("Picture", () => save(graph, canvas), { title: "Save as a picture" }),
  );
  const room = canvas.closest(".neighbourhood") || canvas.parentElement;
  if (document.fullscreenEnabled) buttons.append(enlarging(room));
  const dashes = new Set(graph.edges().map((edge) => edge.data("dash")));
  canvas.parentElement.append(
    legend(plan.nodes, { dashes, conflicts: graph.edges(".conflict").nonempty(), former: plan.nodes.some(isFormer) }),
  );
  canvas.drawing = graph;
}

function elements({ nodes, relations }, look, type) {
  const there = new Set(nodes.map((node) => node.id));
  const joined = relations.filter((each) => there.has(each.source) && there.has(each.target));
  const told = joined.length <= TOLD_MAX;
  return [...nodes.map((node) => dot(node, look)), ...joined.map((each) => line(each, type, told))];
}

/** Wait until the canvas stands in the page: before, it has no size. One that never does is forgotten with its page. */
function attached(canvas) {
  return new Promise((there) => {
    const sizes = new ResizeObserver(() => {
      if (!canvas.clientWidth) return;
      sizes.disconnect();
      there();
    });
    sizes.observe(canvas);
  });
}

function dot(node, look) {
  const { hue, shape } = look(node.ontology);
  const side = Math.sign(node.x || 0);
  return {
    data: { id: node.id, label: lettered(node.title), hue, shape, halign: ["left", "center", "right"][side + 1] },
    position: { x: node.x || 0, y: node.y || 0 },
    classes: [node.centre ? "centre" : side && !node.below && "beside", isFormer(node) && "former"].filter(Boolean),
  };
}

function isFormer({ status }) {
  return status === "superseded";
}

function line(relation, { against, undirected }, told) {
  const { id, source, target, type, origin, confidence } = relation;
  const width = typeof confidence !== "number" || confidence < 0.6 ? 1 : confidence < 0.85 ? 2 : 3;
  const conflict = against(type);
  return {
    data: {
      id: `r${id}`,
      source,
      target,
      width,
      dash: DASHES[origin] || "solid",
      label: `${conflict ? "⚡ " : ""}${spoken(type)}`,
    },
    classes: [conflict && "conflict", !undirected(type) && "directed", (told || conflict) && "told"].filter(Boolean),
  };
}

/** Return a title in lines; the drawing knows one direction only, so each line of another is set apart by marks. */
function lettered(title) {
  const lines = wrapped(title, LINE_MAX, LINES_MAX);
  return (direction(title) === "rtl" ? lines.map((line) => `\u2067${line}\u2069`) : lines).join("\n");
}

function style(page) {
  const colour = (name) => page.getPropertyValue(name).trim();
  const text = {
    color: colour("--text"),
    "text-background-color": colour("--ground"),
    "text-background-opacity": 0.85,
  };
  return [
    {
      selector: "node",
      style: {
        ...text,
        label: "data(label)",
        shape: "data(shape)",
        "background-color": "data(hue)",
        width: 18,
        height: 18,
        "font-size": 12,
        "text-wrap": "wrap",
        "text-max-width": 240, // wider than any line of a title: it is broken already
        "text-valign": "bottom",
        "text-margin-y": 4,
      },
    },
    { selector: "node.beside", style: { "text-halign": "data(halign)", "text-valign": "center", "text-margin-y": 0 } },
    {
      selector: "node.centre",
      style: { width: 28, height: 28, "font-weight": "bold", "border-width": 3, "border-color": colour("--text") },
    },
    {
      selector: "node.former",
      style: { "background-color": colour("--ground"), "border-width": 3, "border-color": "data(hue)" },
    },
    { selector: "node:selected, node:active", style: { "border-width": 3, "border-color": colour("--accent") } },
    {
      selector: "edge",
      style: {
        ...text,
        "text-background-opacity": 1, // else the line strikes the words through
        width: "data(width)",
        "line-style": "data(dash)",
        "line-color": colour("--line"),
        "curve-style": "bezier",
        "target-arrow-color": colour("--line"),
        "font-size": 10,
      },
    },
    { selector: "edge.directed", style: { "target-arrow-shape": "triangle" } },
    { selector: "edge.told", style: { label: "data(label)" } },
    {
      selector: "edge.conflict",
      style: { "line-color": colour("--conflict"), "target-arrow-color": colour("--conflict") },
    },
  ];
}

function listen(graph, canvas, plan) {
  graph.on("tap", "node", ({ target }) => plan.chosen(target.id()));
  graph.on("dbltap", "node", ({ target }) => plan.open(target.id()));
  graph.on("tap", "edge", ({ target }) => plan.related?.(target.id().slice(1)));
  graph.on("mouseover", "node", () => canvas.classList.add("pointing"));
  graph.on("mouseout", "node", () => canvas.classList.remove("pointing"));
  canvas.addEventListener("wheel", (event) => pinched(event, graph), { passive: false });
  const sizes = new ResizeObserver(() => {
    if (!canvas.isConnected) return left(graph, sizes);
    graph.resize();
    fit(graph);
    return undefined;
  });
  sizes.observe(canvas);
}

/** Take down a drawing whose page was left: it would go on being painted, unseen. */
function left(graph, sizes) {
  sizes.disconnect();
  graph.destroy();
}

/** Zoom at the pointer while Ctrl is held, as a pinch does; the wheel alone goes on scrolling the page. */
function pinched(event, graph) {
  if (!event.ctrlKey && !event.metaKey) return;
  event.preventDefault();
  const level = graph.zoom() * Math.exp(-event.deltaY / 200);
  graph.zoom({ level, renderedPosition: { x: event.offsetX, y: event.offsetY } });
}

function zoom(graph, factor) {
  graph.zoom({ level: graph.zoom() * factor, renderedPosition: { x: graph.width() / 2, y: graph.height() / 2 } });
}

/** Show all, unless that makes it too small to read: then what is around the middle. */
function fit(graph) {
  graph.fit(undefined, 24);
  const level = Math.min(CLOSEST, Math.max(FARTHEST, graph.zoom()));
  if (level === graph.zoom()) return;
  const middle = graph.nodes(".centre");
  graph.zoom(level);
  graph.center(level === FARTHEST && middle.nonempty() ? middle : undefined);
  if (level === FARTHEST && middle.nonempty()) lean(graph);
}

/** Have a node on one side of which nothing stands stand near that edge: the room is for what is on the other. */
function lean(graph) {
  const sides = new Set(graph.nodes().map((node) => Math.sign(node.position("x"))));
  const aside = Math.max(0, graph.width() / 2 - EDGE);
  if (!sides.has(-1)) graph.panBy({ x: -aside, y: 0 });
  else if (!sides.has(1)) graph.panBy({ x: aside, y: 0 });
}

/** Return a button that gives the drawing the whole screen, with what is said of it, and takes that back. */
export function enlarging(room) {
  const large = button("", () => (document.fullscreenElement ? document.exitFullscreen() : room.requestFullscreen()));
  const say = () => (large.textContent = document.fullscreenElement ? "Small" : "Large");
  room.onfullscreenchange = say; // a room outlives its drawings: the newest one's button is told
  say();
  return large;
}

function save(graph, canvas) {
  const bg = getComputedStyle(canvas).getPropertyValue("--ground").trim();
  saved(graph.png({ full: true, scale: 2, bg, maxWidth: 8000, maxHeight: 8000 }));
}

/** Have the browser save a picture, given as the address of its bytes. */
export function saved(address) {
  h("a", { href: address, download: "weft.png" }).click();
}
