/** What was done is told in one place, with the way back beside it; screen readers hear it too. */

import { undo, undoes } from "./calls.js";
import { button } from "./dom.js";
import { sentence } from "./parts.js";
import { mayLeave } from "./unsaved.js";

const FRESH_MS = 2000; // how long what is told stays over going elsewhere: an action often ends on another page

const bar = () => document.getElementById("told");
let toldAt = 0;

/**
 * Tell `text`; with a `batch`, who may can take it back (`way`: that is an Undo, or a Redo), with `reload`, the page can
 * be read anew.
 */
export async function tell(text, { batch = "", reload = null, way = "Undo" } = {}) {
  const back = batch && (await undoes()) ? button(way, () => takeBack(batch, way), { class: "undo" }) : "";
  const anew = reload ? button("Read it anew", () => mayLeave() && (hush(), reload())) : "";
  bar().replaceChildren(sentence(text), back, anew, button("Dismiss", hush, { class: "quiet" }));
  bar().hidden = false;
  toldAt = performance.now();
}

/** Have the page that is shown read anew, since what it shows was changed. */
export function renew() {
  document.dispatchEvent(new Event("stale"));
}

/** Take a batch back, and tell how it went; `way` says whether that undoes something, or does it once more. */
export async function takeBack(batch, way = "Undo") {
  try {
    const answer = await undo(batch);
    const left = answer.conflicts?.length || 0;
    const done = way === "Undo" ? "Undone" : "Redone";
    const text = left ? `${done}, but for ${left} that changed since: they wait under Review.` : `${done}.`;
    tell(text, { batch: answer.undo_batch, way: way === "Undo" ? "Redo" : "Undo" });
    renew();
  } catch (error) {
    tell(`${error.message} ${error.hint || ""}`);
  }
}

/** Tell nothing any more of what was told a while ago: the reader went elsewhere. */
export function fade() {
  if (performance.now() - toldAt > FRESH_MS) hush();
}

function hush() {
  bar().hidden = true;
  bar().replaceChildren();
}
