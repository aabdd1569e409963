/** What speaks against a claim, what for it, and what is left to judge: a verdict is recorded as a relation. */

import { go } from "../address.js";
import { call, may } from "../calls.js";
import { field, filled, h } from "../dom.js";
import { about, grounds, link, percent, refused, replaced, section, standing, unmarked } from "../parts.js";
import { renew, tell } from "../telling.js";

const FORWARD = { supported_by: "supports" }; // of a claim that is captured with the verdict, seen from its end

/** Return the page of what the graph holds for and against `settings.claim`. */
export async function view({ settings, signal }) {
  const { claim } = settings;
  const answer = claim ? await call("challenge", { claim }, { signal }) : null;
  return h(
    "div",
    { class: "challenge" },
    h("h1", {}, "Challenge a claim"),
    form(claim),
    answer && (await sides(answer)),
  );
}

function form(claim) {
  const input = h("textarea", { name: "claim", required: true, rows: 2, maxlength: 2000, dir: "auto" }, claim || "");
  return h(
    "form",
    { class: "row", onsubmit: asks },
    field("One statement", input),
    h("button", { type: "submit" }, "Challenge"),
  );
}

function asks(event) {
  event.preventDefault();
  go("challenge", "", filled(event.currentTarget));
}

async function sides(answer) {
  const judges = await may("relate");
  const { claim_id: own } = answer;
  const group = (name, told, rows, one) =>
    section(
      name,
      rows.length,
      h("p", { class: "hint" }, told),
      rows.length ? h("ul", { class: "cards" }, rows.map(one)) : h("p", {}, "Nothing."),
    );
  return h(
    "div",
    { class: "sides" },
    own && h("p", { class: "line" }, "Said by ", link({ id: own, title: answer.claim_title })),
    group("Against it", "A relation says so, or the judge is sure.", answer.conflicts, (each) => card(each)),
    group("For it", "What agrees with it.", answer.supports, (each) => card(each)),
    group("To judge", "What comes close, and the judge cannot tell.", answer.to_judge, (each) => card(each, judges)),
  );
}

function card(each, judges = false) {
  return h(
    "li",
    { class: each.status },
    h("h3", {}, link(each)),
    h("p", { class: "line" }, about(each), percent(each.similarity, "alike"), standing(each)),
    replaced(each),
    h("p", { class: "snippet", dir: "auto" }, unmarked(each.content)),
    grounds(each.grounds),
    judges && each.record_with ? verdicts(each) : null,
  );
}

function verdicts(each) {
  const { tool, arguments: given, type_choices: types } = each.record_with;
  const reasoning = h("input", {
    name: "reasoning",
    size: 40,
    placeholder: "Why",
    "aria-label": "Why",
    required: true,
    dir: "auto",
  });
  const record = (event) => {
    event.preventDefault();
    recorded(tool, verdict(given, event.submitter.value, reasoning.value), event.currentTarget);
  };
  const choices = types.map((type) => h("button", { type: "submit", value: type }, `It ${FORWARD[type] ?? type} this`));
  return h("form", { class: "row", onsubmit: record }, leaning(each), reasoning, choices);
}

/** Return which way it leans, where one side is likely. */
function leaning({ likely, likelihood }) {
  if (!likely) return null;
  const other = likely === "conflicts" ? "supports" : "conflicts";
  const share = (side) => `${Math.round(likelihood[side] * 100)} %`;
  return h("span", { class: "hint" }, `Rather ${likely} (${share(likely)}; ${other} ${share(other)})`);
}

/** Return the call that records a verdict: between two nodes, or as the claim's own first relation. */
function verdict(given, type, reasoning) {
  if (!given.relations) return { ...given, type, reasoning };
  return { ...given, relations: given.relations.map((wish) => ({ ...wish, type, reasoning })) };
}

async function recorded(tool, given, form) {
  if (form.dataset.sending) return; // a second click would write a second time
  form.dataset.sending = "yes";
  try {
    const answer = await call(tool, given);
    tell("Recorded.", { batch: answer.batch });
    renew();
  } catch (error) {
    delete form.dataset.sending;
    form.querySelector(".refused")?.remove();
    form.append(refused(error));
  }
}
