/** The shell: which page stands at which address, and what is around all of them. */

import { go, here, to } from "./address.js";
import { call, follow } from "./calls.js";
import { button, h } from "./dom.js";
import { answers, read, Unread } from "./modules.js";
import { refused } from "./parts.js";
import { fade } from "./telling.js";
import { mayLeave, unsaved } from "./unsaved.js";

const PAGES = {
  map: () => import("./pages/map.js"),
  search: () => import("./pages/search.js"),
  node: () => import("./pages/node.js"),
  trail: () => import("./pages/trail.js"),
  challenge: () => import("./pages/challenge.js"),
  capture: () => import("./pages/capture.js"),
  review: () => import("./pages/review.js"),
  bridges: () => import("./pages/bridges.js"),
  merge: () => import("./pages/merge.js"),
  log: () => import("./pages/log.js"),
  status: () => import("./pages/status.js"),
};

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const NARROWING = "main .narrowing [name], main select[name]";
const main = document.getElementById("main");
let leaving = new AbortController();
let fresh = true; // nothing was shown yet since the document was read
let searched = false; // what is shown next was asked for in the search

async function show() {
  leaving.abort();
  const { signal } = (leaving = new AbortController());
  const { page, id, settings } = here();
  const slow = setTimeout(() => main.setAttribute("aria-busy", "true"), 150);
  mark(page);
  try {
    const { view } = Object.hasOwn(PAGES, page) ? await read(PAGES[page]) : { view: nowhere };
    const made = await view({ page, id, settings, signal });
    if (!signal.aborted) put(made);
    fresh = false;
  } catch (error) {
    const over = error instanceof Unread && !fresh && (await renewed(signal));
    if (!signal.aborted && !over) put(failed(error, id));
  } finally {
    clearTimeout(slow);
    if (!signal.aborted) main.removeAttribute("aria-busy");
  }
}

function nowhere({ page }) {
  const way = h("a", { href: to("search") }, "To the newest nodes");
  return h("div", {}, h("h1", {}, "There is no such page"), h("p", {}, `Nothing stands at «${page}». `, way));
}

/** Return what went wrong; where a node is not there, with what became of it, or with the search that may find it. */
function failed(error, id) {
  const past = h("a", { href: to("log", "", { node: id }) }, "What became of it");
  const find = h("a", { href: to("search", "", { q: id }) }, `Search for «${id}»`);
  const elsewhere = error.code === "NOT_FOUND" && id && (ID.test(id) ? past : find);
  const again = async () => (error instanceof Unread && (await renewed())) || show();
  const ways = h("p", { class: "row" }, elsewhere, button("Try again", again));
  return h("div", {}, h("h1", {}, "That did not work"), refused(error), ways);
}

/** Read the document anew if the server answers, and return whether it does: else the reader would lose the page too. */
async function renewed(signal) {
  if (!(await answers(signal))) return false;
  main.replaceChildren(); // a form that stood here was given up already, and is not to be asked about again
  location.reload();
  return true;
}

/**
 * Show a page, and take whoever hears it there: a link, or a search, that changes nothing but the page says nothing by
 * itself, and the keyboard of a phone would go on covering what was found. Who narrows what is shown stays at the field that did so.
 */
function put(made) {
  const held = document.activeElement.closest(NARROWING)?.name;
  const follows = searched || Boolean(document.activeElement.closest("nav, main"));
  searched = false;
  main.replaceChildren(made);
  const heading = main.querySelector("h1");
  document.title = heading ? `${heading.textContent} – Weft` : "Weft";
  heading?.setAttribute("tabindex", "-1");
  const place = (held && main.querySelector(`[name="${CSS.escape(held)}"]`)) || heading;
  if (follows) place?.focus({ preventScroll: true });
  made.dispatchEvent(new CustomEvent("shown"));
}

function mark(page) {
  for (const each of document.querySelectorAll("nav a")) {
    if (each.getAttribute("href") === to(page)) each.setAttribute("aria-current", "page");
    else each.removeAttribute("aria-current");
  }
}

async function count() {
  const answer = await call("review", { limit: 1 }).catch(() => null);
  document.getElementById("waiting").textContent = answer?.remaining ? String(answer.remaining) : "";
}

function search(event) {
  event.preventDefault();
  searched = true;
  go("search", "", { q: new FormData(event.target).get("q").trim() });
}

function pressed(event) {
  const typing = event.target.closest("input, textarea, select");
  if (event.key === "/" && !typing) {
    event.preventDefault();
    document.getElementById("query").focus();
  }
}

/** How far each entry of the history was scrolled: whoever goes back finds the place again. */
const heights = new Map();
let entry = history.state?.entry ?? 0;
let address = location.hash;

async function moved() {
  if (!mayLeave()) {
    history.pushState({ entry }, "", address);
    return;
  }
  const known = history.state?.entry;
  entry = known ?? Math.max(entry, ...heights.keys()) + 1;
  address = location.hash;
  history.replaceState({ entry }, "");
  fade();
  await show();
  window.scrollTo(0, known === undefined ? 0 : heights.get(known) || 0);
}

let counted;

function changed(change) {
  document.dispatchEvent(new CustomEvent("changed", { detail: change }));
  clearTimeout(counted);
  counted = setTimeout(count, 500);
}

/** Tell the styles how high the header is: what was done is told below it, and nothing that has the focus lies under it. */
new ResizeObserver(
  ([
    {
      borderBoxSize: [box],
    },
  ]) => {
    document.documentElement.style.setProperty("--header", `${box.blockSize}px`);
  },
).observe(document.querySelector("body > header"));

document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // what follows the # is a page's address here
  main.focus();
});
document.getElementById("find").addEventListener("submit", search);
document.addEventListener("keydown", pressed);
window.addEventListener("hashchange", moved);
window.addEventListener("beforeunload", (event) => unsaved() && event.preventDefault());
window.addEventListener("scroll", () => heights.set(entry, window.scrollY), { passive: true });
document.addEventListener("stale", show);
history.scrollRestoration = "manual";
history.replaceState({ entry }, "");
show();
count();
follow(changed);
