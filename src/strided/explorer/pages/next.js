// What could come next? Buttons in groups; one with arguments opens a small form, prefilled.

import { make } from "./dom.js";

function formOf(step, append, close) {
  const inputs = step.fields.map((field) => make("input", { class: "code", name: field.name, value: field.value, size: Math.max(field.value.length + 1, 4), spellcheck: "false", autocapitalize: "off" }));
  const written = () => step.before + inputs.map((input) => input.value).filter((value) => value.trim()).join(", ") + step.after;
  const preview = make("output", { class: "code" }, written());
  return make("form", {
    class: "next-form",
    onsubmit: (event) => { event.preventDefault(); append(written(), step.label); },
    oninput: () => { preview.textContent = written(); },
    onkeydown: (event) => { if (event.key === "Escape") close(); },
  },
  make("div", { class: "next-fields" }, ...step.fields.map((field, i) => make("label", {}, field.name, inputs[i], field.hint ? make("small", {}, field.hint) : null))),
  make("div", { class: "next-actions" }, preview, make("button", { type: "submit", class: "primary" }, "Add"), make("button", { type: "button", onclick: close }, "Cancel")));
}

export function showNext(container, steps, append) {
  const groups = new Map();
  for (const step of steps) groups.set(step.group, [...(groups.get(step.group) || []), step]);
  container.replaceChildren(...[...groups].map(([name, members]) => {
    const place = make("div", {});
    const buttons = members.map((step) => make("button", {
      type: "button", class: "chip code", "aria-expanded": step.fields.length ? "false" : false,
      onclick: (event) => {
        if (!step.fields.length) { append(step.before + step.after, step.label); return; }
        const button = event.currentTarget;
        const isOpen = button.getAttribute("aria-expanded") === "true";
        for (const other of container.querySelectorAll("[aria-expanded]")) other.setAttribute("aria-expanded", "false");
        for (const form of container.querySelectorAll("form")) form.remove();
        if (isOpen) return;
        button.setAttribute("aria-expanded", "true");
        const form = formOf(step, append, () => { form.remove(); button.setAttribute("aria-expanded", "false"); button.focus(); });
        place.append(form);
        form.querySelector("input").focus();
      },
    }, step.label));
    return make("div", { class: "next-group", role: "group", "aria-label": name }, make("h3", {}, name), make("div", { class: "chips" }, ...buttons), place);
  }));
}
