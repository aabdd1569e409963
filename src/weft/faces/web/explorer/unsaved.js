/** What was typed and not sent, and whether it may be lost. */

const QUESTION = "What you wrote here is not saved. Leave it?";

/** Return whether the reader may go: nothing is unsaved, or it may be lost. */
export function mayLeave() {
  return !unsaved() || confirm(QUESTION);
}

/** Return whether a form in the page holds something that was typed and not sent. */
export function unsaved() {
  return Boolean(document.querySelector("form.writing[data-typed]"));
}
