/**
 * Modules that are read when they are first needed. A browser keeps it in mind for as long as the document stands that a
 * module could not be read, and does not ask for it again: only the document read anew brings it.
 */

import { Refusal } from "./calls.js";

/** A part of the explorer could not be read: what needs it works again once the document was read anew. */
export class Unread extends Refusal {
  constructor() {
    super({ error: "UNREACHABLE", message: "The server does not answer.", hint: "Is it still running?" });
  }
}

/** Return the module that `load` imports. Throws an Unread where it, or a module that it needs, could not be read. */
export function read(load) {
  return load().catch((failure) => {
    throw failure instanceof TypeError ? new Unread() : failure;
  });
}

/** Return whether the server answers at all: the document can be read anew then. */
export async function answers(signal) {
  const asked = fetch("healthz", { cache: "no-store", signal });
  return asked.then(
    () => true,
    () => false,
  );
}
