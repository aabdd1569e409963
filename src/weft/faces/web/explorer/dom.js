/** Elements made of tags, attributes and children; text is always text, so that nothing stored can become markup. */

/**
 * Return a new element.
 *
 * An attribute that is a function is a listener (`onclick`), `true` stands for itself, and `null`, `undefined` and
 * `false` are left out. Children may be elements, texts, nested lists, or nothing.
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...children.flat(Infinity).filter(isThere));
  return element;
}

function isThere(child) {
  return child !== null && child !== undefined && child !== false && child !== "";
}

/** Return whether a key is meant for an input method, which is choosing characters; Safari says so by the code 229. */
export function composing({ isComposing, keyCode }) {
  return isComposing || keyCode === 229;
}

/** Return a button that says `text` and does `act` when pressed. */
export function button(text, act, attributes = {}) {
  return h("button", { type: "button", onclick: act, ...attributes }, text);
}

/** Return a labelled field: the label's text stands before or above what is filled in. */
export function field(text, input) {
  return h("label", { class: "field" }, h("span", {}, text), input);
}

/** Return a choice among `options` (a list of [value, text]) with `chosen` selected. */
export function choice(name, options, chosen) {
  const entries = options.map(([value, text]) => h("option", { value, selected: value === chosen }, text));
  return h("select", { name }, entries);
}

/** Return what was filled into `form`, less what was left empty. */
export function filled(form) {
  const entries = [...new FormData(form).entries()].map(([name, value]) => [name, String(value).trim()]);
  return Object.fromEntries(entries.filter(([, value]) => value !== ""));
}
