// What does the page hold, and how does it change? The chain, the selected step, undo and the link.
//
// The state is one expression and two small choices; it lives in the fragment of the address, so
// that a link brings it back. The server evaluates, this page only shows.

import { badge, drawStage, make, minus, tuple } from "./draw.js";
import { openExercises, showQuestion } from "./exercises.js";
import { showNext } from "./next.js";

const $ = (id) => document.getElementById(id);
const state = { expression: "", selected: -1, page: "explore", exercise: "" };
const past = [];
const future = [];
let trace = null;
let ticket = 0;

async function ask(name, body) {
  const options = body && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  let response;
  try {
    response = await fetch(name, options || {});
  } catch {
    throw new Error("The server does not answer. Start strided explore again and open its new address.");
  }
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

// ---- the link ----

function readLink() {
  const fields = new URLSearchParams(location.hash.slice(1));
  state.expression = fields.get("e") ?? state.expression;
  state.selected = fields.has("s") ? Number.parseInt(fields.get("s"), 10) : -1;
  state.page = fields.get("p") === "exercises" ? "exercises" : "explore";
  state.exercise = fields.get("x") ?? "";
}

function writeLink() {
  const fields = new URLSearchParams();
  fields.set("e", state.expression);
  if (trace && state.selected >= 0 && state.selected !== trace.steps.length - 1) fields.set("s", state.selected);
  if (state.page === "exercises") {
    fields.set("p", "exercises");
    if (state.exercise) fields.set("x", state.exercise);
  }
  history.replaceState(null, "", `#${fields}`);
}

function setExercise(id) {
  state.exercise = id;
  writeLink();
}

// ---- evaluating ----

async function evaluate() {
  const mine = ++ticket;
  try {
    const answer = await ask("evaluate", { expression: state.expression });
    if (mine !== ticket) return;
    // While a chain is being typed it is often unreadable: the last readable one stays in sight.
    const unreadable = answer.problem && !answer.steps.length;
    if (!unreadable) trace = answer;
    showProblem(answer.problem);
    $("explore").classList.toggle("stale", Boolean(unreadable && trace));
    if (!unreadable) showTrace();
  } catch (error) {
    if (mine === ticket) showProblem({ message: error.message, column: 0, fixes: [] });
  }
  showTools();
  writeLink();
}

// Every committed expression can be undone; what is being typed is committed on Enter or on leaving.
function remember(expression) {
  if (expression === past.at(-1)) return;
  past.push(expression);
  future.length = 0;
  showTools();
}

function commit(expression, selected = -1) {
  remember(expression);
  state.expression = expression;
  state.selected = selected;
  $("chain").value = expression;
  return evaluate();
}

function openChain(expression) {
  openPage("explore");
  commit(expression);
  $("chain").focus();
}

function travel(from, to) {
  if (from === past ? past.length < 2 : !future.length) return;
  to.push(from.pop());
  const expression = past.at(-1);
  state.expression = expression;
  state.selected = -1;
  $("chain").value = expression;
  evaluate();
}

const undo = () => travel(past, future);
const redo = () => travel(future, past);

function showTools() {
  // Text that is not committed yet can be undone too: leaving the box for the button commits it.
  $("undo").disabled = past.length < 2 && state.expression === past.at(-1);
  $("redo").disabled = !future.length;
  $("drop").disabled = !trace || trace.steps.length + (trace.problem ? 1 : 0) < 2;
}

// ---- showing ----

function showProblem(problem) {
  const box = $("problem");
  box.replaceChildren();
  $("chain").setAttribute("aria-invalid", String(Boolean(problem)));
  if (!problem) return;
  const lines = problem.message.split("\n").map((line) => line.trim());
  const text = state.expression;
  if (text && problem.type) {
    const end = Math.max(problem.end, problem.column + 1);
    box.append(make("p", { class: "where code", "aria-hidden": "true" },
      text.slice(0, problem.column), make("mark", {}, text.slice(problem.column, end) || "\u00a0"), text.slice(end)));
  }
  const [first, ...rest] = lines;
  box.append(make("p", { class: "what" }, make("strong", {}, problem.type && problem.type !== "ExpressionError" ? `${problem.type}: ` : ""), first));
  for (const line of rest) box.append(make("p", {}, line));
  if (problem.fixes.length) {
    box.append(make("p", { class: "fixes" }, "Instead: ", ...problem.fixes.map((fix) =>
      make("button", { type: "button", class: "chip code", onclick: () => commit(fix.expression) }, fix.label))));
  }
}

function showTrace() {
  const count = trace.steps.length;
  if (!(state.selected >= 0 && state.selected < count)) state.selected = count - 1;
  $("steps").replaceChildren(...trace.steps.map((step, place) => make("li", {},
    make("button", { type: "button", class: "step", "aria-current": place === state.selected ? "step" : false, onclick: () => select(place) },
      make("span", { class: "step-line" }, make("span", { class: "code source" }, step.source), badge(step)),
      make("span", { class: "code layout" }, minus(`${tuple(step.shape)} : ${tuple(step.strides)} + ${step.offset}`))))));
  if (trace.problem) {
    $("steps").append(make("li", { class: "refused" },
      make("span", { class: "step-line" }, make("span", { class: "code source" }, trace.expression.slice(trace.problem.column, trace.problem.end)),
        make("span", { class: "badge refused" }, "refused"))));
  }
  showNext($("next"), trace.next_steps, append);
  showStage();
}

function select(place) {
  state.selected = place;
  [...$("steps").querySelectorAll(".step")].forEach((button, i) => {
    if (i === place) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  });
  showStage();
  writeLink();
}

function showStage() {
  if (!trace.steps.length) return;
  const made = trace.steps.slice(0, state.selected + 1).findLast((step) => step.kind === "made" || step.kind === "copy");
  drawStage($("stage"), trace.steps[state.selected], trace.steps[state.selected - 1], trace.expression.slice(0, made.end));
}

// ---- next steps ----

// What a next step is appended to: the chain, without a last step that was refused.
function whole() {
  const isShown = trace.expression === state.expression;
  return (isShown && trace.problem ? trace.expression.slice(0, trace.problem.column) : state.expression).trimEnd();
}

async function append(text, label) {
  await commit(whole() + text);
  const again = [...$("next").querySelectorAll("button.chip")].find((button) => button.textContent === label);
  (again || $("chain")).focus();
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
function setTheme(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  localStorage.setItem("strided-theme", theme);
  $("theme").textContent = `Theme: ${theme}`;
}

function wire() {
  let pause = 0;
  $("chain").addEventListener("input", () => {
    state.expression = $("chain").value;
    state.selected = -1;
    clearTimeout(pause);
    pause = setTimeout(evaluate, 180);
  });
  // Evaluating again on leaving would replace the button that is just being pressed.
  $("chain").addEventListener("change", () => remember($("chain").value));
  $("chain-form").addEventListener("submit", (event) => { event.preventDefault(); clearTimeout(pause); commit($("chain").value); });
  $("undo").addEventListener("click", undo);
  $("redo").addEventListener("click", redo);
  $("drop").addEventListener("click", () => commit(trace.problem ? whole() : trace.expression.slice(0, trace.steps.at(-1).column).trimEnd()));
  $("link").addEventListener("click", copyLink);
  $("theme").addEventListener("click", () => setTheme(THEMES[(THEMES.indexOf(localStorage.getItem("strided-theme") || "auto") + 1) % 3]));
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
  window.addEventListener("hashchange", () => {
    readLink();
    openPage(state.page);
    commit(state.expression, state.selected);
    if (state.exercise) showQuestion(state.exercise);
  });
}

async function start() {
  wire();
  setTheme(localStorage.getItem("strided-theme") || "auto");
  try {
    const found = await ask("start");
    readLink();
    state.expression ||= found.examples[0].expression;
    $("examples").replaceChildren(...found.examples.map((example) =>
      make("button", { type: "button", class: "chip", title: example.expression, onclick: () => commit(example.expression) }, example.title)));
    openExercises(found, state.exercise, { ask, openChain, setExercise });
    openPage(state.page);
    await commit(state.expression, state.selected);
  } catch (error) {
    showProblem({ message: error.message, column: 0, fixes: [] });
  }
}

start();
