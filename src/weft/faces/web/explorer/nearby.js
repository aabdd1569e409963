/** What a capture came near: shown with what was captured until something else is, for it may take the place of the one. */

import { to } from "./address.js";
import { call } from "./calls.js";
import { button, h } from "./dom.js";
import { grounds, link, percent, replaced, section, standing } from "./parts.js";
import { renew, tell } from "./telling.js";

let latest = null;

/** Keep what a capture answered for the page of its node. */
export function keep(answer) {
  latest = answer;
}

/**
 * Return what the node of `answer` came near when it was captured, or nothing. `ways` says what the reader may do about
 * it: relate, merge.
 */
export function nearby({ id, relations }, ways) {
  if (latest?.id !== id) return null;
  const settled = new Set((relations.supersedes || []).map((each) => each.id));
  const { conflicts, differing = [], near_duplicates: same } = latest;
  const rows = [
    ...conflicts.map((each) => otherwise(each, "At odds with it", id, ways)),
    ...differing.map((each) => otherwise(each, "May say otherwise", id, ways)),
    ...same.map((each) => alike(each, id, ways)),
  ];
  const left = rows.filter((each) => !settled.has(each.id)).map((each) => each.row);
  return left.length ? section("What it came near", left.length, h("ul", { class: "cards near" }, left)) : null;
}

function otherwise(each, how, id, { relates }) {
  const replaces = button("It replaces this", () => supersede(id, each), {
    "aria-label": `It replaces this: ${each.title}`, // there may be several
  });
  return {
    id: each.id,
    row: h(
      "li",
      {},
      h("p", { class: "line" }, h("span", {}, `${how}:`), link(each), standing(each)),
      replaced(each),
      grounds(each.grounds),
      relates && each.status !== "superseded" ? h("div", { class: "row" }, replaces) : null,
    ),
  };
}

function alike(each, id, { merges }) {
  const compare = h("a", { class: "button", href: to("merge", "", { one: each.id, other: id }) }, "Compare the two");
  const said = [h("span", {}, "Nearly the same:"), link(each), percent(each.similarity, "alike")];
  return {
    id: each.id,
    row: h("li", {}, h("p", { class: "line" }, said), merges ? h("div", { class: "row" }, compare) : null),
  };
}

async function supersede(id, { id: target, title, grounds: [reasoning] }) {
  try {
    const { batch } = await call("relate", { source: id, target, type: "supersedes", reasoning });
    tell(`«${title}» is superseded.`, { batch });
    renew();
  } catch (error) {
    tell(`${error.message} ${error.hint}`);
  }
}
