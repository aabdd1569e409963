/** Where the reader is: every view is an address behind the `#`, so that it can be kept, sent and gone back to. */

import { mayLeave } from "./unsaved.js";

/** Return where the reader is: the page, what it is about (an id, or nothing), and the page's settings. */
export function here() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?", 2);
  const [page, ...rest] = path.split("/").map(decoded);
  return { page: page || "search", id: rest.join("/"), settings: Object.fromEntries(new URLSearchParams(query)) };
}

/** Return the address of a page; settings that are empty are left out. */
export function to(page, id = "", settings = {}) {
  const kept = Object.entries(settings).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  const query = new URLSearchParams(kept).toString();
  return `#/${page}${id ? `/${encodeURIComponent(id)}` : ""}${query ? `?${query}` : ""}`;
}

/** Go to a page; the one that is shown already is read anew. */
export function go(page, id = "", settings = {}) {
  const address = to(page, id, settings);
  if (location.hash !== address) location.hash = address;
  else if (mayLeave()) document.dispatchEvent(new Event("stale"));
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
