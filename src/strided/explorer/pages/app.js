// What does the page hold, and how does it change? One chain or two, the selected steps, undo and the link.
//
// The state is an expression or two and a few small choices; it lives in the fragment of the address, so that a link
// brings it back. Who is asked (the server of `strided explore`, or the engine in the page) is handed to start().

import { Chain } from "./chain.js";
import { kept, make } from "./dom.js";
import { openExercises, showQuestion } from "./exercises.js";

const $ = (id) => document.getElementById(id);
const search = new URLSearchParams(location.search);
const state = { page: "explore", exercise: "", two: false };
const past = [];
const future = [];
let ask = null;
let first = null;
let second = null;
let active = null;
let examples = [];

const chains = () => (state.two ? [first, second] : [first]);

// ---- the link ----

// The fields of an expression and its selected step, for the first and the second chain.
const FIELDS = [["e", "s"], ["f", "t"]];

function readLink() {
  const fields = new URLSearchParams(location.hash.slice(1));
  state.page = fields.get("p") === "exercises" ? "exercises" : "explore";
  state.exercise = fields.get("x") ?? "";
  state.two = fields.has("f");
  return FIELDS.map(([text, step]) => ({
    expression: fields.get(text), selected: fields.has(step) ? Number.parseInt(fields.get(step), 10) : -1,
  }));
}

function writeLink() {
  const fields = new URLSearchParams();
  chains().forEach((chain, i) => {
    const [text, step] = FIELDS[i];
    fields.set(text, chain.expression);
    if (chain.trace && chain.selected >= 0 && chain.selected !== chain.trace.steps.length - 1) fields.set(step, chain.selected);
  });
  if (state.page === "exercises") {
    fields.set("p", "exercises");
    if (state.exercise) fields.set("x", state.exercise);
  }
  if (!first.expression) return; // nothing is shown yet
  try {
    history.replaceState(null, "", `#${fields}`);
  } catch {
    // Inside of a page without an address of its own.
  }
  $("whole-page").href = `${location.href.split(/[?#]/)[0]}#${fields}`;
}

function setExercise(id) {
  state.exercise = id;
  writeLink();
}

// ---- what can be undone ----

const written = () => JSON.stringify(chains().map((chain) => chain.expression));

// Every committed expression can be undone; what is being typed is committed on Enter or on leaving.
function remember() {
  if (written() === past.at(-1)) return;
  past.push(written());
  future.length = 0;
  showTools();
}

function commit(chain, expression, selected = -1) {
  active = chain;
  chain.expression = expression;
  remember();
  return chain.set(expression, selected);
}

function restore() {
  const expressions = JSON.parse(past.at(-1));
  showTwo(expressions.length === 2);
  chains().forEach((chain, i) => chain.set(expressions[i]));
}

function undo() {
  if (past.length < 2) return;
  future.push(past.pop());
  restore();
}

function redo() {
  if (!future.length) return;
  past.push(future.pop());
  restore();
}

function showTools() {
  // Text that is not committed yet can be undone too: leaving the box for the button commits it.
  $("undo").disabled = past.length < 2 && written() === past.at(-1);
  $("redo").disabled = !future.length;
  $("drop").disabled = !active?.canDrop;
}

// ---- two chains ----

function showTwo(two) {
  state.two = two;
  $("chains").className = two ? "two" : "";
  $("chains").replaceChildren(...chains().map((chain) => chain.element));
  $("compare").setAttribute("aria-pressed", String(two));
  if (!two) active = first;
}

function compare() {
  showTwo(!state.two);
  if (state.two) {
    commit(second, second.expression || first.expression);
    second.input.focus();
  } else remember();
  writeLink();
}

// ---- pages, theme, keys ----

function openPage(page, focus = false) {
  state.page = page;
  for (const name of ["explore", "exercises"]) {
    const tab = $(`tab-${name}`);
    tab.setAttribute("aria-selected", String(name === page));
    tab.tabIndex = name === page ? 0 : -1;
    $(name).hidden = name !== page;
    if (focus && name === page) tab.focus();
  }
  writeLink();
}

function openChain(expression) {
  openPage("explore");
  commit(first, expression);
  first.input.focus();
}

function toast(text) {
  $("toast").textContent = text;
  setTimeout(() => { if ($("toast").textContent === text) $("toast").textContent = ""; }, 2500);
}

async function copyLink() {
  writeLink();
  try {
    await navigator.clipboard.writeText(location.href);
    toast("Link copied");
  } catch {
    toast("The link is in the address bar");
  }
}

const THEMES = ["auto", "light", "dark"];
let theme = "auto";
function setTheme(chosen) {
  theme = THEMES.includes(chosen) ? chosen : "auto";
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  $("theme").textContent = `Theme: ${theme}`;
}

function nextTheme() {
  setTheme(THEMES[(THEMES.indexOf(theme) + 1) % 3]);
  kept.set("strided-theme", theme);
}

function wire() {
  $("undo").addEventListener("click", undo);
  $("redo").addEventListener("click", redo);
  $("drop").addEventListener("click", () => commit(active, active.dropped));
  $("compare").addEventListener("click", compare);
  $("link").addEventListener("click", copyLink);
  $("theme").addEventListener("click", nextTheme);
  for (const name of ["explore", "exercises"]) $(`tab-${name}`).addEventListener("click", () => openPage(name));
  document.querySelector(".tabs").addEventListener("keydown", (event) => {
    if (event.key === "ArrowLeft" || event.key === "ArrowRight") openPage(state.page === "explore" ? "exercises" : "explore", true);
  });
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.target.matches("input, textarea")) return;
    const key = event.key.toLowerCase();
    if (key !== "z" && key !== "y") return;
    event.preventDefault();
    if (key === "y" || event.shiftKey) redo();
    else undo();
  });
  window.addEventListener("hashchange", async () => {
    await openLink();
    if (state.exercise) showQuestion(state.exercise);
  });
}

// Shows what a link names, or the first example.
async function openLink(found = readLink()) {
  showTwo(state.two);
  const expressions = chains().map((chain, i) => found[i].expression ?? (chain.expression || examples[0].expression));
  chains().forEach((chain, i) => { chain.expression = expressions[i]; });
  openPage(state.page);
  await Promise.all(chains().map((chain, i) => chain.set(expressions[i], found[i].selected)));
  active = first;
  remember();
  showTools();
}

// `askOne(name, given)` answers: start, evaluate, exercise, answer.
export async function start(askOne) {
  ask = askOne;
  const page = {
    ask, commit, remember,
    active: (chain) => { active = chain; showTools(); },
    changed: () => { showTools(); writeLink(); },
  };
  document.documentElement.classList.toggle("embed", search.has("embed"));
  first = new Chain("", "Chain of operations", page);
  second = new Chain("-b", "Second chain", page);
  active = first;
  showTwo(false);
  wire();
  setTheme(search.get("theme") ?? kept.get("strided-theme") ?? "auto");
  try {
    const found = await ask("start");
    examples = found.examples;
    $("examples").replaceChildren(...examples.map((example) =>
      make("button", { type: "button", class: "chip", title: example.expression, onclick: () => commit(active, example.expression) }, example.title)));
    const linked = readLink();
    openExercises(found, state.exercise, { ask, openChain, setExercise });
    await openLink(linked);
  } catch (error) {
    first.problem.replaceChildren(make("p", {}, error.message));
  }
}
