/** The signs that notes have beside those of Markdown: boxes of tasks, and the names of callouts. */

const BOX = /^\[([ xX])\](?=\s)/u;
const CALLOUT = /^\[!([\p{L}\d_-]+)(?:\|[^\]\n]*)?\][+-]?[ \t]*/u;

/** Have the texts of `tokens` say what such signs stand for: `- [x]` a box with a tick, `> [!note] Title` a title. */
export function marked(tokens) {
  tokens.forEach((token, at) => {
    if (token.type !== "inline" || !token.children.length) return;
    const [around, paragraph] = tokens.slice(Math.max(0, at - 2), at);
    if (paragraph?.type !== "paragraph_open") return;
    if (around.type === "list_item_open") boxed(token.children[0]);
    if (around.type === "blockquote_open") called(token);
  });
}

function boxed(text) {
  text.content = text.content.replace(BOX, (_, sign) => (sign === " " ? "☐" : "☑"));
}

/** Set off the first line of a callout: its title, or the name of its kind where it has none. */
function called(token) {
  const [first] = token.children;
  const found = CALLOUT.exec(first.content);
  if (!found) return;
  first.content = first.content.slice(found[0].length);
  const broken = token.children.findIndex(({ type }) => type === "softbreak");
  const title = token.children.splice(0, broken < 0 ? token.children.length : broken);
  if (!first.content && title.length === 1) first.content = found[1][0].toUpperCase() + found[1].slice(1);
  token.children.unshift(strong(first, 1), ...title, strong(first, -1));
}

function strong({ constructor: Token }, nesting) {
  return new Token(nesting > 0 ? "strong_open" : "strong_close", "strong", nesting);
}
