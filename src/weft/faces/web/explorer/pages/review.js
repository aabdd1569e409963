/** What waits for a decision, one at a time: accept with →, dismiss with ←, pass over with the space bar, undo with U. */

import { go, to } from "../address.js";
import { call, may, text, undoes } from "../calls.js";
import { button, choice, h } from "../dom.js";
import { link, percent, refused, replaced, sentence, spoken, state as mark, time } from "../parts.js";
import { takeBack, tell } from "../telling.js";

const READ = 50; // items that are read at once
const MANY = 4; // items of one rule that can be dismissed together
const KINDS = [
  ["", "everything"],
  ["relation", "relations"],
  ["duplicate", "duplicates"],
  ["conflict", "conflicts"],
  ["classification", "kinds"],
  ["stale", "stale nodes"],
  ["bridge", "bridges"],
  ["weak_bridge", "weak bridges"],
  ["drift", "drift"],
  ["file_conflict", "files at odds"],
];
const SHARES = { similarity: "alike", confidence: "sure", likelihood: "likely" };

/** What was decided here, the last at the end: U takes one after another back, also after the page was read anew. */
const decided = [];

/** Return the page of the items that wait, of `settings.kind` where it is told. */
export async function view({ settings, signal }) {
  const asked = [waiting(settings, signal), undoes(), may("merge_concepts")];
  const [queue, decides, merges] = await Promise.all(asked);
  const state = { items: queue.items, left: queue.remaining, decides, merges, room: h("div"), settings };
  const kinds = choice("kind", KINDS, settings.kind);
  kinds.setAttribute("aria-label", "What to decide on");
  kinds.addEventListener("change", () => go("review", "", { kind: kinds.value }));
  draw(state);
  document.addEventListener("keydown", (event) => pressed(event, state), { signal });
  return h("div", { class: "review" }, h("div", { class: "row" }, h("h1", {}, "Review"), kinds), state.room);
}

function waiting({ kind }, signal) {
  return call("review", { limit: READ, ...(kind && { kinds: [kind] }) }, { signal });
}

function draw(state) {
  const [item] = state.items;
  if (!item) return state.room.replaceChildren(h("p", {}, "Nothing waits. All caught up."));
  const counted = state.left === 1 ? "One waits." : `${state.left} wait.`;
  const keys = h("span", { class: "keys" }, "→ accepts, ← dismisses, space passes over, U takes the last back.");
  const how = state.decides ? keys : "Deciding needs a librarian.";
  state.room.replaceChildren(h("p", { class: "hint", "aria-live": "polite" }, counted, " ", how), card(item, state));
  return undefined;
}

function card(item, state) {
  const pairs = (item.subjects || []).map((id, place) => subject(id, item.titles?.[place] || id, item));
  return h(
    "article",
    { class: `card ${item.kind}` },
    h(
      "p",
      { class: "line" },
      h("span", { class: "about" }, spoken(item.kind)),
      h("span", {}, "by ", h("bdi", {}, item.created_by), ", ", time(item.created_at)),
    ),
    h("h2", { tabindex: -1 }, sentence(item.summary)),
    compared(pairs),
    facts(item.grounds),
    item.accept_does ? h("p", {}, h("strong", {}, "Accepting: "), sentence(item.accept_does)) : null,
    state.decides ? ways(item, state) : null,
  );
}

function subject(id, title, { superseded = [], superseded_by: newer = [] }) {
  const status = superseded.includes(title) ? "superseded" : "active";
  return { id, title, status, superseded_by: newer.find((each) => each.replaces.id === id) };
}

/** Return the texts side by side, each under its title: nobody should decide from titles alone. */
function compared(nodes) {
  const columns = nodes.slice(0, 2).map((node) => {
    const body = h("p", { class: "snippet", dir: "auto" }, "…");
    const fill = (part) => (body.textContent = part.text + (part.next_offset === undefined ? "" : "…"));
    text(node.id).then(fill, () => (body.textContent = "It is gone."));
    return h("div", { class: "text" }, h("h3", {}, link(node), " ", mark(node)), replaced(node), body);
  });
  const others = nodes.slice(2).map((node) => h("li", {}, link(node), " ", mark(node), replaced(node)));
  return nodes.length ? [h("div", { class: "compared" }, columns), others.length ? h("ul", {}, others) : null] : null;
}

/** Return what speaks for it, in words: what says nothing is left out. */
function facts(grounds) {
  const rows = Object.entries(grounds || {})
    .map(([name, value]) => [name, said(name, value)])
    .filter(([, words]) => words);
  return rows.length
    ? h(
        "dl",
        { class: "facts" },
        rows.map(([name, words]) => [h("dt", {}, spoken(name)), h("dd", {}, words)]),
      )
    : null;
}

function said(name, value) {
  if (value === null || value === "" || (name === "confidence" && value < 0.05)) return "";
  if (weighed(value)) return `${spoken(value[0])} ${said(name, value[1])}`;
  if (Array.isArray(value))
    return value
      .map((each) => said(name, each))
      .filter(Boolean)
      .join("; ");
  if (typeof value === "object")
    return Object.entries(value)
      .map(([key, each]) => `${spoken(key)} ${said(key, each)}`)
      .join("; ");
  if (typeof value === "number" && Object.hasOwn(SHARES, name)) return percent(value, SHARES[name]).textContent;
  return typeof value === "number" ? String(Math.round(value * 100) / 100) : spoken(String(value));
}

/** Whether a value is a word with its figure: a kind and how near it is. */
function weighed(value) {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === "string" && typeof value[1] === "number";
}

function ways(item, state) {
  const like = state.items.filter((each) => origin(each) === origin(item));
  const all = `Dismiss all ${like.length} like it`;
  return h(
    "div",
    { class: "row" },
    button("Accept →", () => decide(state, "accept"), { class: "primary" }),
    button("← Dismiss", () => decide(state, "dismiss")),
    button("Pass over", () => pass(state), { class: "quiet" }),
    state.merges && item.kind === "duplicate" ? choosing(item.subjects) : null,
    like.length >= MANY ? button(all, () => decide(state, "dismiss", like), { class: "quiet" }) : null,
  );
}

/** Return the way to where it is chosen which of two stays. */
function choosing([one, other]) {
  return h("a", { class: "button", href: to("merge", "", { one, other }) }, "Choose which stays");
}

/** Return what an item came of: its kind, and the rule that found it. */
function origin({ kind, grounds }) {
  return `${kind} ${grounds?.rule || ""}`;
}

/** Decide on `items`, by themselves the first one. Each is a batch of its own, and is taken back by itself. */
async function decide(state, decision, items = state.items.slice(0, 1)) {
  if (!items.length || state.busy) return;
  state.busy = true;
  try {
    const answer = await call("review", { decide: items.map(({ id }) => ({ item: id, decision })), limit: 1 });
    const done = answer.decided.filter(({ batch }) => batch);
    const through = new Set(done.map(({ item }) => item));
    state.items = state.items.filter(({ id }) => !through.has(id));
    state.left = Math.max(0, state.left - done.length);
    if (done.length < items.length) await reread(state);
    decided.push(...done.map(({ batch }) => batch));
    report(answer.decided, decision);
    await fill(state);
    state.room.querySelector("h2")?.focus({ preventScroll: true });
  } catch (error) {
    state.room.append(refused(error));
  } finally {
    state.busy = false;
  }
}

/** What was refused waits on, unless another has decided it: the list is told anew, in the order in which it is gone through. */
async function reread(state) {
  const queue = await waiting(state.settings);
  const open = new Set(queue.items.map(({ id }) => id));
  state.items = state.items.filter(({ id }) => open.has(id));
  state.left = queue.remaining;
}

function report(done, decision) {
  const [{ message, batch }] = done;
  if (done.length > 1) {
    const count = done.filter((each) => each.batch).length;
    tell(`${count} dismissed. U takes them back, one after another.`);
  } else tell(message || (decision === "accept" ? "Accepted." : "Dismissed."), { batch });
}

/** Read further items once those at hand are through. */
async function fill(state) {
  if (!state.items.length && state.left) {
    const queue = await waiting(state.settings);
    Object.assign(state, { items: queue.items, left: queue.remaining });
  }
  draw(state);
}

function pass(state) {
  state.items.push(state.items.shift());
  draw(state);
}

/** Return which key was pressed, by the letter on it: on a keyboard for Russian or Greek the one of U gives another. */
function lettered({ key, code }) {
  return /\p{L}/u.test(key) && !/\p{sc=Latin}/u.test(key) ? code.replace("Key", "").toLowerCase() : key;
}

function pressed(event, state) {
  if (
    event.target.closest("input, textarea, select, button, a, summary") ||
    event.altKey ||
    event.ctrlKey ||
    event.metaKey
  )
    return;
  const acts = {
    ArrowRight: () => decide(state, "accept"),
    ArrowLeft: () => decide(state, "dismiss"),
    " ": () => pass(state),
    u: () => decided.length && takeBack(decided.pop()),
  };
  const key = lettered(event);
  const act = acts[key];
  if (!act || (!state.items.length && key !== "u") || (!state.decides && key !== " ")) return;
  event.preventDefault();
  act();
}
