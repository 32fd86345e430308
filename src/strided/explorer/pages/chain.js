// One chain on the page: its text, what is wrong with it, its steps, the selected one, and what could come next.

import { badge, make, minus, tuple } from "./dom.js";
import { showNext } from "./next.js";
import { drawStage } from "./stage.js";

// Starts of a text that may be readable: all that comes before a dot or a bracket, the longest first.
const starts = (text) => [...text.matchAll(/[.[]/g)].map((match) => text.slice(0, match.index)).reverse();

export class Chain {
  // `suffix` tells the ids of two chains apart; `page` is what the page does: ask, commit, changed, typed.
  constructor(suffix, label, page) {
    this.page = page;
    this.expression = "";
    this.selected = -1;
    this.trace = null;
    this.ticket = 0;
    const id = (name) => `${name}${suffix}`;
    this.input = make("input", {
      id: id("chain"), class: "code chain-text", maxlength: 500, spellcheck: "false", autocapitalize: "off", autocorrect: "off",
      enterkeyhint: "go", "aria-describedby": id("problem"), placeholder: "np.arange(24).reshape(2, 3, 4).transpose(0, 2)",
    });
    this.problem = make("div", { id: id("problem"), class: "problem", role: "status", "aria-live": "polite" });
    this.steps = make("ol", { id: id("steps"), class: "steps", "aria-labelledby": id("steps-label") });
    this.next = make("div", { id: id("next"), class: "next", role: "group", "aria-labelledby": id("next-label") });
    this.stage = make("article", { id: id("stage"), class: "card", "aria-label": "The selected step" });
    this.element = make("section", { class: "chain", "aria-label": label },
      make("form", { class: "bar", autocomplete: "off", onsubmit: (event) => { event.preventDefault(); this.enter(); } },
        make("label", { for: id("chain") }, label), this.input, this.problem),
      make("div", { class: "columns" },
        make("div", { class: "side" },
          make("h2", { id: id("steps-label") }, "Steps"), this.steps,
          make("h2", { id: id("next-label"), class: "next-label" }, "Next step"), this.next),
        this.stage));
    this.#listen();
  }

  #listen() {
    this.input.addEventListener("focus", () => this.page.active(this));
    this.input.addEventListener("input", () => {
      this.expression = this.input.value;
      this.selected = -1;
      clearTimeout(this.pause);
      this.pause = setTimeout(() => this.evaluate(), 180);
    });
    // Evaluating again on leaving would replace the button that is just being pressed.
    this.input.addEventListener("change", () => this.page.remember());
  }

  enter() {
    clearTimeout(this.pause);
    this.page.commit(this, this.input.value);
  }

  set(expression, selected = -1) {
    this.expression = expression;
    this.selected = selected;
    this.input.value = expression;
    return this.evaluate();
  }

  async evaluate() {
    const mine = ++this.ticket;
    try {
      const answer = await this.page.ask("evaluate", { expression: this.expression });
      // While a chain is being typed it is often unreadable: the last readable one stays in sight.
      const unreadable = answer.problem && !answer.steps.length;
      const found = unreadable ? this.trace || await this.#readableStart(answer.problem) : answer;
      if (mine !== this.ticket) return;
      const changed = found && found !== this.trace;
      this.trace = found;
      this.#showProblem(answer.problem);
      this.element.classList.toggle("stale", Boolean(unreadable && found));
      if (changed) this.#showTrace();
    } catch (error) {
      if (mine === this.ticket) this.#showProblem({ message: error.message, column: 0, fixes: [] });
    }
    this.page.changed();
  }

  // The longest part of an unreadable text that can be done, where nothing was shown before.
  async #readableStart({ column }) {
    for (const text of starts(this.expression.slice(0, column))) {
      const answer = await this.page.ask("evaluate", { expression: text });
      if (answer.steps.length) return answer;
    }
    return null;
  }

  // Whether there is a step to remove.
  get canDrop() { return Boolean(this.trace) && this.trace.steps.length + (this.trace.problem ? 1 : 0) > 1; }

  // The chain without its last step, or without the one that was refused.
  get dropped() {
    const { trace } = this;
    return trace.problem ? this.#whole() : trace.expression.slice(0, trace.steps.at(-1).column).trimEnd();
  }

  // ---- showing ----

  #showProblem(problem) {
    const box = this.problem;
    box.replaceChildren();
    this.input.setAttribute("aria-invalid", String(Boolean(problem)));
    if (!problem) return;
    const lines = problem.message.split("\n").map((line) => line.trim());
    const isMarked = Boolean(this.expression && problem.type);
    if (isMarked) box.append(this.#marked(problem));
    const isText = !problem.type || problem.type === "ExpressionError";
    if (isMarked && isText) lines.shift(); // it repeats the text that is marked
    const [first, ...rest] = lines;
    box.append(make("p", { class: "what" }, make("strong", {}, isText ? "" : `${problem.type}: `), first));
    for (const line of rest) box.append(make("p", {}, line));
    if (problem.fixes.length) {
      box.append(make("p", { class: "fixes" }, "Instead: ", ...problem.fixes.map((fix) =>
        make("button", { type: "button", class: "chip code", onclick: () => this.page.commit(this, fix.expression) }, fix.label))));
    }
  }

  // The text with its fault marked; the mark brings the cursor there.
  #marked({ column, end }) {
    const text = this.expression;
    const until = Math.max(end, column + 1);
    const go = () => {
      this.input.focus();
      this.input.setSelectionRange(column, Math.min(until, text.length));
    };
    return make("p", { class: "where code" }, make("span", { "aria-hidden": "true" }, text.slice(0, column)),
      make("button", { type: "button", class: "mark", title: "Go to this place", "aria-label": `Go to column ${column + 1}`, onclick: go },
        text.slice(column, until) || "\u00a0"),
      make("span", { "aria-hidden": "true" }, text.slice(until)));
  }

  #showTrace() {
    const { trace } = this;
    const count = trace.steps.length;
    if (!(this.selected >= 0 && this.selected < count)) this.selected = count - 1;
    this.steps.replaceChildren(...trace.steps.map((step, place) => make("li", {},
      make("button", { type: "button", class: "step", "aria-current": place === this.selected ? "step" : false, onclick: () => this.select(place) },
        make("span", { class: "step-line" }, make("span", { class: "code source" }, step.source), badge(step)),
        make("span", { class: "code layout" }, minus(`${tuple(step.shape)} : ${tuple(step.strides)} + ${step.offset}`))))));
    if (trace.problem) {
      this.steps.append(make("li", { class: "refused" },
        make("span", { class: "step-line" }, make("span", { class: "code source" }, trace.expression.slice(trace.problem.column, trace.problem.end)),
          make("span", { class: "badge refused" }, "refused"))));
    }
    showNext(this.next, trace.next_steps, (text, label) => this.#append(text, label));
    this.#showStage();
  }

  select(place) {
    this.selected = place;
    [...this.steps.querySelectorAll(".step")].forEach((button, i) => {
      if (i === place) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    this.#showStage();
    this.page.active(this);
    this.page.changed();
  }

  #showStage() {
    const { steps, expression } = this.trace;
    if (!steps.length) return;
    const made = steps.slice(0, this.selected + 1).findLast((step) => step.kind === "made" || step.kind === "copy");
    drawStage(this.stage, steps[this.selected], steps[this.selected - 1], expression.slice(0, made.end),
      (chain) => this.page.commit(this, chain));
  }

  // ---- next steps ----

  // What a next step is appended to: the chain, without a last step that was refused.
  #whole() {
    const { trace } = this;
    const isShown = trace.expression === this.expression;
    return (isShown && trace.problem ? trace.expression.slice(0, trace.problem.column) : this.expression).trimEnd();
  }

  async #append(text, label) {
    await this.page.commit(this, this.#whole() + text);
    const again = [...this.next.querySelectorAll("button.chip")].find((button) => button.textContent === label);
    (again || this.input).focus();
  }
}
