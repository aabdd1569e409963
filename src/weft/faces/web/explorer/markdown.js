/**
 * Markdown as elements. Stored text is nobody's friend: no markup of its own is let through, images are links, and a
 * link leads only to where its text says that it leads (http, https, mailto).
 */

import MarkdownIt from "../vendor/markdown-it.js";
import { h } from "./dom.js";
import { marked } from "./marks.js";
import { direction } from "./titles.js";

const reader = new MarkdownIt("default", { html: false, linkify: false, typographer: false });
const SAFE = /^(https?:|mailto:)/i;
const HOLDERS = new Set(["ul", "ol", "li", "blockquote", "table"]); // "auto" would pass over the blocks that they hold
const SCROLLS = "0"; // what may be wider than the page can be reached, and scrolled, by keyboard
const LEFT_OUT = new Set(["html_block", "html_inline"]);
const REFERENCE = /(!?)\[\[([^[\]|#\n]*)(#[^[\]|\n]*)?(?:\|([^[\]\n]*))?\]\]/gu;
const NOTE = /^(?![a-z][a-z\d+.-]*:|\/\/).*\.(?:md|markdown)$/isu; // a file that is named by its path alone
const FILE = /\.(?:avif|bmp|gif|jpe?g|m4a|mov|mp3|mp4|ogg|pdf|png|svg|wav|webm|webp)$/iu; // what is shown, and is no note

/**
 * Return `text` as elements, without a first heading that only says one of `names`, which stands above it already. The
 * outermost headings are of the level `top`, and each one within another is one level further down: whoever reads by
 * headings finds no gap, whatever levels the author chose. A reference, `[[Name]]` or `[[Name|words]]`, is a link to the
 * address that `leads(name)` returns, and so is a link to the file of a note; without `leads` both stay as they are.
 */
export function rendered(text, { top = 3, names = [], leads = null } = {}) {
  const root = h("div", { class: "markdown" });
  const tokens = reader.parse(text, {});
  const [first, inline] = tokens;
  if (first?.tag === "h1" && names.includes(inline.children.map(({ content }) => content).join("")))
    tokens.splice(0, 3);
  nested(tokens, top);
  marked(tokens);
  build(root, tokens, leads);
  return root;
}

function nested(tokens, top) {
  const around = [];
  for (const token of tokens.filter(({ type }) => type === "heading_open")) {
    while (around.at(-1) >= token.tag) around.pop();
    around.push(token.tag);
    token.tag = `h${Math.min(6, top + around.length - 1)}`;
  }
}

function build(root, tokens, leads) {
  const open = [root];
  for (const token of tokens) {
    if (token.nesting < 0) directed(open.pop());
    else if (token.nesting > 0) open.push(open.at(-1).appendChild(opened(token, leads)));
    else if (token.type === "inline") build(open.at(-1), token.children, leads);
    else if (token.type === "text" && leads && !open.some(isLink)) open.at(-1).append(...referring(token.content, leads));
    else if (!LEFT_OUT.has(token.type)) open.at(-1).append(leaf(token));
    else open.at(-1).append(token.content);
  }
}

function opened(token, leads) {
  if (/^h[1-6]$/.test(token.tag)) return h(token.tag, { dir: "auto" });
  if (token.tag === "a") return way(token.attrGet("href") || "", leads);
  const dir = token.tag === "p" && "auto";
  const tabindex = token.tag === "table" && SCROLLS;
  return token.hidden ? h("span") : h(token.tag, { start: token.attrGet("start"), dir, tabindex });
}

/** Have what holds blocks run as its own text does: its bar and its numbers stand where the lines begin. */
function directed(element) {
  if (HOLDERS.has(element.localName)) element.dir = direction(element.textContent);
}

/** Return the link of `target`, which may be the file of a note beside this one: that leads to the note. */
function way(target, leads) {
  const [file] = target.split("#");
  return leads && NOTE.test(file) ? h("a", { href: leads(unescaped(file)) }) : anchor(target);
}

function unescaped(file) {
  try {
    return decodeURIComponent(file);
  } catch {
    return file;
  }
}

function isLink({ localName }) {
  return localName === "a";
}

/** Return `text` in pieces, its references as links to where they lead. */
function referring(text, leads) {
  const pieces = [];
  let end = 0;
  for (const found of text.matchAll(REFERENCE)) {
    pieces.push(text.slice(end, found.index), reference(found, leads));
    end = found.index + found[0].length;
  }
  return [...pieces, text.slice(end)];
}

function reference([, embeds, target, heading = "", words = ""], leads) {
  const name = target.trim();
  if (FILE.test(name)) return h("span", { class: "place", title: name }, name);
  const shown = (!embeds && words.trim()) || `${name}${heading}`;
  return name ? h("a", { href: leads(name) }, h("bdi", {}, shown)) : shown.replace(/^#\^?/u, "");
}

function anchor(target) {
  if (!SAFE.test(target)) return h("span", { class: "place", title: target });
  return h("a", { href: target, rel: "noopener noreferrer nofollow", target: "_blank" });
}

function leaf(token) {
  if (token.type === "fence" || token.type === "code_block") {
    return h("pre", { tabindex: SCROLLS }, h("code", {}, token.content));
  }
  if (token.type === "code_inline") return h("code", {}, token.content);
  if (token.type === "softbreak") return "\n";
  if (token.type === "hardbreak" || token.type === "hr") return h(token.tag);
  if (token.type === "image") return image(token);
  return token.content;
}

function image(token) {
  const place = anchor(token.attrGet("src") || "");
  place.append(`image: ${token.content || token.attrGet("src")}`);
  return place;
}
