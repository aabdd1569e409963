/** What changed, by whom and with what, the newest first; what stands can be undone, what was undone can be redone. */

import { go, to } from "../address.js";
import { instant, log, undoes } from "../calls.js";
import { button, field, filled, h } from "../dom.js";
import { link, refused, sentence, time } from "../parts.js";
import { suggesting } from "../suggesting.js";
import { takeBack } from "../telling.js";

const STATES = {
  partly: "partly undone or overtaken",
  undone: "undone",
  overtaken: "changed since",
  nothing: "",
  stands: "",
  unknown: "",
};
const UNDOABLE = new Set(["stands", "partly", "unknown"]);

/** Return the page of the batches that `settings` let through. */
export async function view({ settings, signal }) {
  const fresh = h("p", { class: "fresh", hidden: true });
  const page = h("div", { class: "log" }, h("h1", {}, "Log"), form(settings), fresh);
  try {
    const [answer, takesBack] = await Promise.all([log(asked(settings), { signal }), undoes()]);
    page.append(table(answer, takesBack, settings), onward(answer, settings));
    watch(fresh, signal);
  } catch (error) {
    page.append(refused(error));
  }
  return page;
}

function asked({ since, until, ...settings }) {
  const times = { since, until };
  const told = Object.entries(times)
    .filter(([, value]) => value)
    .map(([name, value]) => [name, instant(value)]);
  return { limit: 30, ...settings, ...Object.fromEntries(told) };
}

function form(settings) {
  const text = (name, label) => field(label, h("input", { name, value: settings[name], size: 14, dir: "auto" }));
  const at = (name, label) => field(label, h("input", { name, type: "datetime-local", value: settings[name] }));
  const asks = (event) => {
    event.preventDefault();
    go("log", "", filled(event.currentTarget));
  };
  const node = h("input", { name: "node", value: settings.node, size: 20, dir: "auto" });
  const fields = [
    text("actor", "Actor"),
    text("client", "Client"),
    text("tool", "Tool"),
    text("session", "Session"),
    field("Node", suggesting(node)),
    at("since", "Since"),
    at("until", "Until"),
  ];
  const ways = [h("button", { type: "submit" }, "Show"), h("a", { href: to("log") }, "Clear")];
  const narrowed = Object.keys(settings).some((name) => name !== "before");
  const filter = h("form", { class: "row", onsubmit: asks }, fields, ways);
  return h("details", { class: "narrowing", open: narrowed }, h("summary", {}, "Filter"), filter);
}

function table({ batches }, takesBack, settings) {
  if (!batches.length)
    return h("p", {}, Object.keys(settings).length ? "Nothing changed that fits." : "Nothing changed yet.");
  const heads = ["When", "Actor", "Client", "What"].map((each) => h("th", { scope: "col" }, each));
  return h(
    "table",
    { class: "changes" },
    h("thead", {}, h("tr", {}, heads, h("td"))),
    h(
      "tbody",
      {},
      batches.map((each) => row(each, takesBack)),
    ),
  );
}

/** Return a name that shows only what goes by it when it is chosen. */
function only(name, value) {
  return h("a", { href: to("log", "", { [name]: value }), title: `Only this ${name}` }, h("bdi", {}, value));
}

function row(each, takesBack) {
  const session = each.session ? h("span", { class: "hint" }, " session ", only("session", each.session)) : null;
  return h(
    "tr",
    { class: each.state },
    h("td", {}, time(each.last_at)),
    h("td", {}, only("actor", each.actor)),
    h("td", {}, only("client", each.client), session),
    h("td", {}, only("tool", each.tool), `: ${each.summary || `${each.changes} changes`}`, subjects(each), state(each)),
    h("td", {}, takesBack ? way(each) : null),
  );
}

function subjects({ subjects: all, subjects_left_out: left }) {
  const items = all.map((each) => h("li", {}, named(each)));
  return h("ul", { class: "subjects" }, items, left ? h("li", { class: "hint" }, `and ${left} more`) : null);
}

function named(each) {
  if (each.subject === "node") return link(each);
  if (each.subject === "relation") return h("a", { href: to("node", each.source) }, joined(each.title));
  return each.title.includes("«") ? sentence(each.title) : h("bdi", {}, each.title);
}

/** Return what is said of a relation («A –type→ B») with its ends set apart: whatever their script, the arrow leads to B. */
function joined(title) {
  const parts = title.split(/( –\w+→ )/u);
  return h(
    "bdi",
    { dir: "ltr" },
    parts.map((part, place) => (place % 2 ? part : h("bdi", {}, part))),
  );
}

function state(each) {
  const text = STATES[each.state];
  return text ? h("span", { class: "about" }, text) : null;
}

function way(each) {
  if (each.state === "undone" && each.undone_by) return button("Redo", () => takeBack(each.undone_by, "Redo"));
  return UNDOABLE.has(each.state) ? button("Undo", () => takeBack(each.batch)) : null;
}

function onward({ next_before: before, stopped_at: stopped }, settings) {
  const far = stopped ? h("p", { class: "hint" }, "Looked back to ", time(stopped), ".") : null;
  return h("div", {}, far, before ? h("a", { href: to("log", "", { ...settings, before }) }, "Older") : null);
}

/** Tell that there is more, without moving what is being read. */
function watch(fresh, signal) {
  let count = 0;
  const heard = ({ detail }) => {
    if (detail.own) return;
    count += 1;
    const said = count === 1 ? "One change came since. " : `${count} changes came since. `;
    fresh.replaceChildren(
      said,
      button("Show", () => document.dispatchEvent(new Event("stale"))),
    );
    fresh.hidden = false;
  };
  document.addEventListener("changed", heard, { signal });
}
