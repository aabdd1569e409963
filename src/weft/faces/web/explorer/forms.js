/** Forms that write: nothing typed is lost without a question, and what a change did is told with the way back. */

import { call } from "./calls.js";
import { button, composing, filled, h } from "./dom.js";
import { refused } from "./parts.js";
import { tell } from "./telling.js";
import { mayLeave } from "./unsaved.js";

/**
 * Return a form that calls a tool with what `given` makes of its fields, tells how it went, and then goes `on`. Where
 * `given` returns nothing there is nothing to do. `over` is how to write all the same what was refused: `when(error)` it
 * may be offered, what the button `says`, and `wanted(given)`, the call that does it; with a `hint` for people, and a way
 * to `look` at what stands, where there are such.
 */
export function writing(tool, fields, { submit, given, told, on, cancel, over = null }) {
  const form = h("form", { class: "writing", oninput: () => (form.dataset.typed = "yes") }, fields);
  const send = (wanted) => sent(tool, wanted, { form, told, on, over, again: send });
  const close = () => mayLeave() && cancel();
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const wanted = given(filled(form));
    if (wanted) send(wanted);
    else tell("Nothing was different.");
  });
  form.addEventListener("keydown", (event) => event.key === "Escape" && !composing(event) && cancel && close());
  const ways = cancel ? button("Cancel", close, { class: "quiet" }) : null;
  form.append(h("div", { class: "row" }, h("button", { type: "submit" }, submit), ways));
  return form;
}

async function sent(tool, wanted, { form, told, on, over, again }) {
  if (form.dataset.sending) return; // a second click would write a second time
  form.dataset.sending = "yes";
  try {
    const answer = await call(tool, wanted);
    delete form.dataset.typed;
    tell(told(answer), { batch: answer.batch });
    on(answer);
  } catch (error) {
    delete form.dataset.sending;
    form.querySelector(".refused")?.remove();
    form.append(over?.when(error) ? offered(error, over, () => again(over.wanted(wanted))) : refused(error));
  }
}

/** Return what was refused, and the way to write it all the same. */
function offered({ message, hint }, { says, hint: told = hint, look = "" }, act) {
  const said = refused({ message, hint: told });
  said.append(h("div", { class: "row" }, button(says, act), look));
  return said;
}
