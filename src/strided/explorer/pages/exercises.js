// Which exercise is open, what was answered, and which are done? Answers are judged by whoever is asked.

import { kept, make } from "./dom.js";

const KEY = "strided-progress";
const $ = (id) => document.getElementById(id);
let chapters = [];
let questions = [];
let current = "";
let measures = true; // whether speeds can be measured
let page = null; // what the page can do: ask the server, open a chain, keep the exercise in the link

// ---- progress, kept in this browser ----

function progress() {
  try {
    const found = JSON.parse(kept.get(KEY) || "{}");
    return found && typeof found === "object" ? found : {};
  } catch {
    return {};
  }
}

function markDone(id) {
  kept.set(KEY, JSON.stringify({ ...progress(), [id]: true }));
  showList();
}

function reset() {
  kept.set(KEY, null);
  showList();
}

// ---- the list ----

function showList() {
  const done = progress();
  const count = questions.filter((question) => done[question.id]).length;
  $("progress-count").textContent = `${count}/${questions.length}`;
  const parts = chapters.map((chapter) => {
    const items = questions.filter((question) => question.chapter === chapter.id).map((question) =>
      make("li", {}, make("button", {
        type: "button", class: "step", "aria-current": question.id === current ? "true" : false, onclick: () => showQuestion(question.id),
      }, make("span", { class: "step-line" },
        make("span", { class: question.chapter === "strides" ? "code" : "" }, question.title),
        done[question.id] ? make("span", { class: "badge done" }, "✓ done") : null))));
    if (chapter.id === "strides") {
      items.push(make("li", {}, make("button", {
        type: "button", class: "step", "aria-current": current.startsWith("practice-") ? "true" : false,
        onclick: () => showQuestion(`practice-${Math.floor(Math.random() * 1e6)}`),
      }, make("span", { class: "step-line" }, "Practice with a new chain", make("span", { class: "badge made" }, "endless")))));
    }
    return make("section", {}, make("h2", {}, chapter.title), make("p", { class: "about" }, chapter.about), make("ol", {}, ...items));
  });
  const bar = make("progress", { max: questions.length, value: count, "aria-label": "Exercises done" });
  $("questions").replaceChildren(...[
    make("div", { class: "progress" }, bar, make("span", {}, `${count} of ${questions.length} done`),
      make("button", { type: "button", class: "quiet", onclick: reset, disabled: count === 0 }, "Reset")),
    ...parts,
    measures ? null : make("p", { class: "about" }, "Exercises about speed measure your machine: ",
      make("span", { class: "code" }, "pip install \"strided[serve]\""), ", then ", make("span", { class: "code" }, "python -m strided.explorer"), "."),
  ].filter(Boolean));
}

// ---- one question ----

function numbers(question) {
  const inputs = question.inputs.map((name) => make("input", { class: "code", name, autocomplete: "off", spellcheck: "false", inputmode: "text" }));
  return {
    body: make("div", { class: "answers" }, ...question.inputs.map((name, i) =>
      make("label", {}, name, inputs[i], make("small", {}, question.needs[i])))),
    answer: () => Object.fromEntries(inputs.map((input) => [input.name, input.value])),
  };
}

function chains(question) {
  const inputs = question.inputs.map((name) => make("input", { class: "code wide", name, maxlength: 500, autocomplete: "off", spellcheck: "false", autocapitalize: "off", value: question.example }));
  return {
    body: make("div", { class: "answers column" }, ...question.inputs.map((name, i) => make("label", {}, name, inputs[i]))),
    answer: () => Object.fromEntries(inputs.map((input) => [input.name, input.value])),
  };
}

function choices(question) {
  const boxes = question.options.map((_, i) => make("input", { type: "checkbox", value: i }));
  return {
    body: make("fieldset", { class: "options" }, make("legend", { class: "hidden" }, question.prompt),
      ...question.options.map((option, i) => make("label", { class: "option" }, boxes[i], make("span", { class: "code" }, option)))),
    answer: () => ({ ticked: boxes.flatMap((box, i) => (box.checked ? [i] : [])) }),
  };
}

function order(question) {
  const list = make("ol", { class: "ordering", "aria-label": "Fastest first" });
  // Shuffled once, so that the order shown is no answer.
  const places = question.options.map((_, i) => i);
  for (let i = places.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [places[i], places[j]] = [places[j], places[i]];
  }
  const show = (focus) => {
    list.replaceChildren(...places.map((option, i) => {
      const move = (by) => () => {
        [places[i], places[i + by]] = [places[i + by], places[i]];
        show([i + by, by]);
      };
      return make("li", { "data-option": option }, make("span", { class: "code" }, question.options[option]), make("span", { class: "moves" },
        make("button", { type: "button", "aria-label": `Move ${question.options[option]} up`, disabled: i === 0, onclick: move(-1) }, "↑"),
        make("button", { type: "button", "aria-label": `Move ${question.options[option]} down`, disabled: i === places.length - 1, onclick: move(1) }, "↓")));
    }));
    if (focus) {
      const [up, down] = list.children[focus[0]].querySelectorAll("button");
      const wanted = focus[1] < 0 ? up : down;
      (wanted.disabled ? (wanted === up ? down : up) : wanted).focus();
    }
  };
  show();
  return { body: list, answer: () => ({ order: [...places] }) };
}

const KINDS = { numbers, chains, choices, order };

const readable = (seconds) => {
  for (const [unit, scale] of [["s", 1], ["ms", 1e-3], ["µs", 1e-6]]) {
    if (seconds >= scale) return `${(seconds / scale).toPrecision(3)} ${unit}`;
  }
  return `${(seconds / 1e-9).toPrecision(3)} ns`;
};

function measured({ labels, sizes, seconds }) {
  const largest = sizes.at(-1);
  const times = seconds.map((row) => row[largest]);
  const low = Math.log(Math.min(...times) / 2);
  const width = (time) => (Math.log(time) - low) / (Math.log(Math.max(...times)) - low);
  const rows = labels.map((label, i) => {
    const bar = make("div", { class: "time-bar" });
    bar.style.setProperty("--w", width(times[i]));
    return make("tr", {}, make("th", { scope: "row", class: "code" }, label, bar), ...sizes.map((n) => make("td", {}, readable(seconds[i][n]))));
  });
  return make("div", { class: "measured" }, make("table", {},
    make("caption", {}, `Measured on this machine. Bars: n = ${largest}, logarithmic.`),
    make("thead", {}, make("tr", {}, make("th", {}, "operation"), ...sizes.map((n) => make("th", { scope: "col" }, `n = ${n}`)))),
    make("tbody", {}, ...rows)));
}

function feedback(verdict, revealed) {
  const kind = verdict.right ? "right" : revealed ? "shown" : "wrong";
  const shown = [make("p", { class: `verdict ${kind}` }, verdict.right ? `✓ ${verdict.message}` : verdict.message)];
  if (verdict.explanation.length) shown.push(make("ul", { class: "explanation" }, ...verdict.explanation.map((line) => make("li", {}, line))));
  if (verdict.measured.labels) shown.push(measured(verdict.measured));
  if (verdict.chains.length) {
    shown.push(make("p", { class: "chips" }, make("span", {}, "Open in the explorer:"), ...verdict.chains.map((chain) =>
      make("button", { type: "button", class: "chip code", onclick: () => page.openChain(chain) }, chain))));
  }
  return shown;
}

export async function showQuestion(id) {
  let question;
  try {
    question = questions.find((one) => one.id === id) || (await page.ask("exercise", { id }));
  } catch (error) {
    $("question").replaceChildren(make("p", { class: "verdict wrong" }, error.message));
    return;
  }
  current = question.id;
  page.setExercise(current);
  showList();
  const { body, answer } = KINDS[question.kind](question);
  const said = make("div", { class: "said", role: "status", "aria-live": "polite" });
  const hint = make("p", { class: "hint", hidden: true }, question.hint);
  const send = async (given) => {
    said.replaceChildren(make("p", {}, question.kind === "order" ? "Measuring…" : "Checking…"));
    try {
      const verdict = await page.ask("answer", { id: question.id, answer: given });
      said.replaceChildren(...feedback(verdict, given.reveal));
      if (verdict.right && !question.id.startsWith("practice-")) markDone(question.id);
    } catch (error) {
      said.replaceChildren(make("p", { class: "verdict wrong" }, error.message));
    }
  };
  const following = questions[questions.findIndex((one) => one.id === current) + 1];
  $("question").replaceChildren(make("form", { onsubmit: (event) => { event.preventDefault(); send(answer()); } },
    make("p", { class: "chapter" }, chapters.find((chapter) => chapter.id === question.chapter).title),
    make("h2", { class: question.chapter === "strides" ? "code" : "", tabindex: "-1" }, question.title),
    make("p", { class: "prompt" }, question.prompt),
    question.code.length ? make("pre", { class: "code" }, question.code.join("\n")) : null,
    body,
    make("div", { class: "actions" },
      make("button", { type: "submit", class: "primary" }, question.kind === "order" ? "Measure and check" : "Check"),
      make("button", { type: "button", "aria-expanded": "false", onclick: (event) => { hint.hidden = !hint.hidden; event.currentTarget.setAttribute("aria-expanded", String(!hint.hidden)); } }, "Hint"),
      make("button", { type: "button", onclick: () => send({ reveal: true }) }, "Show answer"),
      following ? make("button", { type: "button", class: "quiet", onclick: () => showQuestion(following.id) }, "Next →") : null),
    hint, said));
}

export function openExercises(found, id, given) {
  page = given;
  ({ chapters, questions, measures } = found);
  showList();
  showQuestion(id || questions.find((question) => !progress()[question.id])?.id || questions[0].id);
}
