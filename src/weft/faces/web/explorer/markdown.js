/**
 * Markdown as elements. Stored text is nobody's friend: no markup of its own is let through, images are links, and a
 * link leads only to where its text says that it leads (http, https, mailto).
 */

import MarkdownIt from "../vendor/markdown-it.js";
import { h } from "./dom.js";
import { direction } from "./titles.js";

const reader = new MarkdownIt("default", { html: false, linkify: false, typographer: false });
const SAFE = /^(https?:|mailto:)/i;
const HOLDERS = new Set(["ul", "ol", "li", "blockquote", "table"]); // "auto" would pass over the blocks that they hold
const SCROLLS = "0"; // what may be wider than the page can be reached, and scrolled, by keyboard
const LEFT_OUT = new Set(["html_block", "html_inline"]);

/**
 * Return `text` as elements, without a first heading that only says one of `names`, which stands above it already. The
 * outermost headings are of the level `top`, and each one within another is one level further down: whoever reads by
 * headings finds no gap, whatever levels the author chose.
 */
export function rendered(text, { top = 3, names = [] } = {}) {
  const root = h("div", { class: "markdown" });
  const tokens = reader.parse(text, {});
  const [first, inline] = tokens;
  if (first?.tag === "h1" && names.includes(inline.children.map(({ content }) => content).join("")))
    tokens.splice(0, 3);
  nested(tokens, top);
  build(root, tokens);
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

function build(root, tokens) {
  const open = [root];
  for (const token of tokens) {
    if (token.nesting < 0) directed(open.pop());
    else if (token.nesting > 0) open.push(open.at(-1).appendChild(opened(token)));
    else if (token.type === "inline") build(open.at(-1), token.children);
    else if (!LEFT_OUT.has(token.type)) open.at(-1).append(leaf(token));
    else open.at(-1).append(token.content);
  }
}

function opened(token) {
  if (/^h[1-6]$/.test(token.tag)) return h(token.tag, { dir: "auto" });
  if (token.tag === "a") return anchor(token.attrGet("href") || "");
  const dir = token.tag === "p" && "auto";
  const tabindex = token.tag === "table" && SCROLLS;
  return token.hidden ? h("span") : h(token.tag, { start: token.attrGet("start"), dir, tabindex });
}

/** Have what holds blocks run as its own text does: its bar and its numbers stand where the lines begin. */
function directed(element) {
  if (HOLDERS.has(element.localName)) element.dir = direction(element.textContent);
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
