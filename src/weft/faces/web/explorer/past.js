/** What became of a node: who changed what, from what to what, and the way back. */

import { button, h } from "./dom.js";
import { time } from "./parts.js";
import { takeBack } from "./telling.js";

const BOOKKEEPING = new Set(["version", "modified_at", "modified_by", "hash", "content_hash"]);

/** Return the history as a table that opens; `takesBack` says whether the reader may undo. */
export function past(history, takesBack) {
  const heads = ["When", "Actor", "Client", "What"].map((each) => h("th", { scope: "col" }, each));
  const table = h(
    "table",
    { class: "changes" },
    h("thead", {}, h("tr", {}, heads, h("td"))),
    h(
      "tbody",
      {},
      history.map((each) => row(each, takesBack)),
    ),
  );
  return h("details", {}, h("summary", {}, "History ", h("span", { class: "count" }, history.length)), table);
}

function row(each, takesBack) {
  return h(
    "tr",
    {},
    h("td", {}, time(each.at)),
    h("td", {}, h("bdi", {}, each.actor)),
    h("td", {}, each.client),
    h("td", {}, `${each.action}, by ${each.tool}`, changed(each.changed || {})),
    h("td", {}, takesBack ? button("Undo", () => takeBack(each.batch), { class: "quiet" }) : null),
  );
}

/** Return each field that an update changed, as it was and as it became. */
function changed(fields) {
  const names = Object.keys(fields).filter((name) => !BOOKKEEPING.has(name));
  const rows = names.map((name) => {
    const [before, after] = fields[name].map(shown);
    return [h("dt", {}, name), h("dd", {}, h("del", { dir: "auto" }, before), " → ", h("ins", { dir: "auto" }, after))];
  });
  return names.length ? h("details", {}, h("summary", {}, names.join(", ")), h("dl", { class: "facts" }, rows)) : null;
}

function shown(value) {
  if (value === null || value === undefined || value === "") return "nothing";
  return Array.isArray(value) ? value.join(", ") || "nothing" : String(value);
}
