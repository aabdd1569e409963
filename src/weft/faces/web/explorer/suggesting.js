/** Titles to choose among while one types what names a node. */

import { call } from "./calls.js";
import { h } from "./dom.js";

const SHOWN = 8;
const PAUSE_MS = 150;
const WORD = /^[\p{scx=Han}\p{scx=Hang}\p{scx=Hira}\p{scx=Kana}]/u; // one of these may be a word by itself
let made = 0;

/** Have `input` offer the titles of nodes that what is typed finds, and return it with its list. */
export function suggesting(input) {
  const list = h("datalist", { id: `titles-${(made += 1)}` });
  let waiting;
  input.setAttribute("list", list.id);
  input.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => offer(input.value.trim(), list), PAUSE_MS);
  });
  return [input, list];
}

async function offer(typed, list) {
  if (typed.length < 2 && !WORD.test(typed)) return;
  const answer = await call("search", { query: typed, limit: SHOWN }).catch(() => ({ hits: [] }));
  list.replaceChildren(...answer.hits.map(({ title }) => h("option", { value: title })));
}
