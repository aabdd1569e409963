/** What the explorer asks of the server: the tools by name, what operators may do, and the changes as they happen. */

/** An error answer, as every face of Weft gives it. */
export class Refusal extends Error {
  constructor({ error, message, hint, key, candidates }) {
    super(message);
    this.code = error;
    this.key = key || "";
    this.hint = hint || "";
    this.candidates = candidates || [];
  }
}

/** Return a point in time as the tools take it. Throws a Refusal where `text` is none. */
export function instant(text) {
  const at = new Date(text);
  const hint = "Choose a day and a time in the field, or leave it empty.";
  if (Number.isNaN(at.getTime()))
    throw new Refusal({ error: "INVALID_ARGUMENT", message: `«${text}» is no time.`, hint });
  return at.toISOString();
}

/** Return the answer of a tool. Throws a Refusal where the answer is an error. */
export function call(tool, given = {}, { signal } = {}) {
  return post(`api/tools/${encodeURIComponent(tool)}`, given, signal);
}

/** Take the changes of a batch back; the answer names the batch that brings them again. */
export function undo(batch) {
  return post("api/undo", { batch });
}

/** Return the newest batches of changes, or those before the position `before`. */
export function log(settings = {}, { signal } = {}) {
  return get(`api/log?${new URLSearchParams(settings)}`, signal);
}

/** Return a part of a node's own text, whole where it is short: {text, length, version}, and next_offset where more is. */
export function text(node, offset = 0, { signal } = {}) {
  return get(`api/text?${new URLSearchParams({ node, offset })}`, signal);
}

/** Return the best related nodes of the graph, or of a part of it, and the relations among them. */
export function map(settings = {}, { signal } = {}) {
  return get(`api/map?${new URLSearchParams(settings)}`, signal);
}

/** Return how much of what the graph holds; the tool `status` reads the shape of all of it besides. */
export function counts({ signal } = {}) {
  return get("api/counts", signal);
}

/** Return the kinds and relation types of the graph. */
export function vocabulary() {
  return get("api/vocabulary");
}

let reached;

/** Return whether the reader may call a tool. What is not known yet is taken for allowed: the server decides. */
export async function may(tool) {
  reached ??= get("api/tools").then((answer) => new Set(answer.tools.map((each) => each.name)));
  try {
    return (await reached).has(tool);
  } catch {
    return true;
  }
}

/** Return whether the reader may take changes back, which takes as much as forgetting. */
export function undoes() {
  return may("forget");
}

const asked = new Set(); // calls that are under way
const written = new Set(); // the batches that came of this page's calls

/** Tell `heard` of every change from now on, until the page is left; `own` says that it came of a call from here. */
export function follow(heard) {
  const stream = new EventSource("events");
  stream.addEventListener("change", async ({ data }) => {
    await Promise.allSettled(asked); // an answer may come later than the change that it tells of
    const change = JSON.parse(data);
    heard({ ...change, own: written.has(change.batch) });
  });
  return () => stream.close();
}

function post(path, given, signal) {
  const headers = { "content-type": "application/json" };
  const answer = answered(fetch(path, { method: "POST", headers, body: JSON.stringify(given), signal })).then(noted);
  const over = () => asked.delete(answer);
  asked.add(answer);
  answer.then(over, over);
  return answer;
}

function noted(answer) {
  for (const { batch, undo_batch: back } of [answer, ...(answer.decided || [])]) written.add(batch).add(back);
  return answer;
}

function get(path, signal) {
  return answered(fetch(path, { signal }));
}

async function answered(request) {
  const response = await request.catch((failure) => {
    if (failure.name === "AbortError") throw failure;
    throw new Refusal({ error: "UNREACHABLE", message: "The server does not answer.", hint: "Is it still running?" });
  });
  const body = await response.json().catch(() => null);
  if (response.ok && body) return body;
  const message = `The server answered with ${response.status}.`;
  throw new Refusal(body?.error ? body : { error: "UNREADABLE", message, hint: "Reload the page." });
}
