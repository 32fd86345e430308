// How does a step look? Facts, the index grid, the memory strip; one element lit in both.
//
// A clicked element is followed: it stays lit, also in the other steps over the same storage.
//
// A cell is known by the storage element it stands for (data-at). Lighting an element lights every
// grid cell that reaches it (several, where a stride is 0 or windows overlap) and its memory cell.

export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export const tuple = (values) => `(${values.join(", ")}${values.length === 1 ? "," : ""})`;
export const minus = (text) => String(text).replace(/(?<![\w)-])-(?=\d)/g, "\u2212");
export const bytes = (n) => {
  if (n < 10000) return `${n} bytes`;
  return n < 1e6 ? `${(n / 1e3).toFixed(0)} kB` : `${(n / 1e6).toFixed(1)} MB`;
};

const KINDS = { made: "new", view: "view", copy: "copy", same: "no-op" };

export function badge(step) {
  const text = step.kind === "copy" ? `copy ${bytes(step.bytes_copied)}` : KINDS[step.kind];
  return make("span", { class: `badge ${step.kind}` }, text);
}

// ---- facts ----

function fact(name, value, note, changed) {
  const shown = make("dd", { class: changed ? "changed" : null }, make("span", { class: "code" }, minus(value)));
  if (note) shown.append(make("small", {}, minus(note)));
  return make("div", {}, make("dt", {}, name), shown);
}

function facts(step, before) {
  const same = before && before.storage === step.storage;
  const was = (name, text) => (same && text(before[name]) !== text(step[name]) ? `was ${text(before[name])}` : "");
  const reached = step.picture.used === null || step.picture.used === step.storage_size
    ? `${bytes(step.storage_size * step.itemsize)}`
    : `${step.picture.used} of them reached`;
  const list = make("dl", { class: "facts" });
  for (const [name, key, text] of [["Shape", "shape", tuple], ["Strides", "strides", tuple], ["Offset", "offset", String]]) {
    const note = was(key, text);
    list.append(fact(name, text(step[key]), note, Boolean(note)));
  }
  list.append(fact("Contiguous", step.contiguous ? "yes" : "no", step.why_not_contiguous || "row-major, no gaps"));
  list.append(fact("Storage", `${step.storage_size} × ${step.dtype}`, reached));
  return list;
}

function why(step) {
  const lines = [];
  if (step.kind === "copy") {
    lines.push(make("p", {}, make("strong", {}, "A copy: "), `${minus(step.why)}.`));
    lines.push(make("p", {}, make("strong", {}, "Hint: "), `${step.hint}.`));
  } else {
    const lead = { made: "New memory. ", view: "A view, 0 bytes moved. ", same: "The tensor itself. " }[step.kind];
    lines.push(make("p", {}, make("strong", {}, lead), step.why));
  }
  if (step.overlaps_itself) {
    lines.push(make("p", {}, "Some elements stand at several indices: it can be read, not written."));
  }
  return make("div", { class: `why ${step.kind}` }, ...lines);
}

// ---- cells ----

function cell(step, at, text, label, extra) {
  const element = make("div", { class: `cell ${extra}`, role: "gridcell", tabindex: "-1", "aria-label": label, "data-at": at }, ...text);
  element.style.setProperty("--p", step.storage_size > 1 ? at / (step.storage_size - 1) : 0);
  return element;
}

function valuesByPosition(picture) {
  const values = new Map();
  let place = 0;
  for (const [first, end] of picture.spans) {
    for (let at = first; at < end; at++, place++) values.set(at, { text: picture.values[place], reached: picture.reached[place] });
  }
  return values;
}

const jumps = (places, i) => i > 0 && places[i] !== places[i - 1] + 1;

function grid(step, values) {
  const { places, cells } = step.picture;
  const rank = step.shape.length;
  const columns = rank ? places[rank - 1] : [0];
  const rows = rank > 1 ? places[rank - 2] : [0];
  let outer = [[]];
  for (const axis of places.slice(0, Math.max(rank - 2, 0))) outer = outer.flatMap((o) => axis.map((i) => [...o, i]));
  const panels = make("div", { class: columns.length > 16 ? "panels dense" : "panels" });
  let next = 0;
  outer.forEach((lead, p) => {
    const name = rank > 2 ? `[${lead.join(", ")}, :, :]` : "";
    const table = make("div", { class: "grid", role: "grid", "aria-label": `Elements ${name || "of the tensor"}` });
    rows.forEach((r, i) => {
      if (jumps(rows, i)) table.append(make("div", { class: "row gap", "aria-hidden": "true" }, "⋮"));
      const row = make("div", { class: "row", role: "row" });
      columns.forEach((c, j) => {
        if (jumps(columns, j)) row.append(make("div", { class: "elided", "aria-hidden": "true" }, "⋯"));
        const at = cells[next++];
        const index = [...lead, ...(rank > 1 ? [r] : []), ...(rank ? [c] : [])];
        const value = values.get(at).text;
        const element = cell(step, at, [value], `[${index.join(", ")}] is ${value}, storage element ${at}`, "");
        element.dataset.index = index.join(", ");
        row.append(element);
      });
      table.append(row);
    });
    const isJump = p > 0 && lead.some((i, a) => i !== outer[p - 1][a] && i !== outer[p - 1][a] + 1 && i !== 0);
    if (isJump) panels.append(make("div", { class: "panel-gap", "aria-hidden": "true" }, "⋯"));
    panels.append(make("figure", { class: "panel" }, name ? make("figcaption", { class: "code" }, name) : null, table));
  });
  return panels;
}

function memory(step, values) {
  const strip = make("div", { class: "memory", role: "grid", "aria-label": "Storage" });
  const row = make("div", { class: "cells", role: "row" });
  let last = 0;
  const skip = (n) => n > 0 && row.append(make("div", { class: "elided wide", "aria-hidden": "true" }, `⋯ ${n} ⋯`));
  for (const [first, end] of step.picture.spans) {
    skip(first - last);
    for (let at = first; at < end; at++) {
      const { text, reached } = values.get(at);
      const start = step.size > 0 && at === step.offset;
      const state = reached ? "" : ", not reached";
      row.append(cell(step, at, [make("span", {}, text), make("small", {}, String(at))],
        `storage element ${at} is ${text}${start ? ", the offset" : ""}${state}`,
        `${reached ? "" : "unreached"} ${start ? "start" : ""}`));
    }
    last = end;
  }
  skip(step.storage_size - last);
  strip.append(row);
  return strip;
}

// ---- lighting ----

function formula(step, index, value) {
  const parts = index.map((i, axis) => `${i}·${step.strides[axis] < 0 ? `(${step.strides[axis]})` : step.strides[axis]}`);
  const at = step.offset + index.reduce((sum, i, axis) => sum + i * step.strides[axis], 0);
  return `[${index.join(", ")}]  →  ${[step.offset, ...parts].join(" + ")} = ${at},  which holds ${value}`;
}

function explain(step, element) {
  const at = Number(element.dataset.at);
  if (element.dataset.index !== undefined) {
    const index = element.dataset.index === "" ? [] : element.dataset.index.split(", ").map(Number);
    return minus(formula(step, index, element.textContent));
  }
  const found = [...element.closest(".stage").querySelectorAll(`.grid [data-at="${at}"]`)].map((e) => `[${e.dataset.index}]`);
  if (found.length) return `storage element ${at}  ←  ${found.slice(0, 4).join(" ")}${found.length > 4 ? ` and ${found.length - 4} more` : ""}`;
  const reached = !element.classList.contains("unreached");
  return `storage element ${at} is ${reached ? "reached by an index that is not drawn" : "not reached by this view"}`;
}

// A long strip scrolls inside its frame; the page itself stays where it is.
function bringIntoView(cell) {
  const frame = cell.closest(".memory, .panels");
  const box = cell.getBoundingClientRect();
  const bounds = frame.getBoundingClientRect();
  if (box.top < bounds.top || box.bottom > bounds.bottom) frame.scrollTop += box.top - bounds.top - bounds.height / 2;
  if (box.left < bounds.left || box.right > bounds.right) frame.scrollLeft += box.left - bounds.left - bounds.width / 2;
}

let followed = null; // { origin, at }: the text that made the storage, and the element clicked last

function followedCell(stage) {
  if (!followed || followed.origin !== stage.dataset.origin) return null;
  return stage.querySelector(`.memory [data-at="${followed.at}"]`);
}

function follow(stage, step, element) {
  const at = element.dataset.at;
  const { origin } = stage.dataset;
  followed = followed?.origin === origin && followed.at === at ? null : { origin, at };
  markFollowed(stage);
  light(stage, step, element);
}

function markFollowed(stage) {
  for (const cell of stage.querySelectorAll("[aria-selected]")) cell.removeAttribute("aria-selected");
  if (!followedCell(stage)) return;
  for (const cell of stage.querySelectorAll(`[data-at="${followed.at}"]`)) cell.setAttribute("aria-selected", "true");
}

function light(stage, step, pointed) {
  const element = pointed || followedCell(stage);
  for (const lit of stage.querySelectorAll(".lit")) lit.classList.remove("lit", "now");
  const line = stage.querySelector(".formula");
  line.textContent = element ? explain(step, element) : line.dataset.rest;
  line.classList.toggle("resting", !element);
  if (!element) return;
  const others = new Map();
  for (const cell of stage.querySelectorAll(`[data-at="${element.dataset.at}"]`)) {
    cell.classList.add("lit");
    const frame = cell.closest(".memory, .panels");
    if (!frame.contains(element) && !others.has(frame)) others.set(frame, cell);
  }
  for (const cell of others.values()) bringIntoView(cell);
  if (pointed) element.classList.add("now");
}

function move(cells, from, key) {
  const place = cells.indexOf(from);
  const flat = { ArrowRight: place + 1, ArrowLeft: place - 1, Home: 0, End: cells.length - 1 }[key];
  if (flat !== undefined) return cells[flat];
  const down = key === "ArrowDown";
  const { left, top } = from.getBoundingClientRect();
  let best = null;
  for (const cell of cells) {
    const box = cell.getBoundingClientRect();
    const dy = down ? box.top - top : top - box.top;
    if (dy <= 1) continue;
    const distance = dy * 1000 + Math.abs(box.left - left);
    if (!best || distance < best.distance) best = { cell, distance };
  }
  return best && best.cell;
}

// Arrow keys walk through one group of cells, of which one is in the tab order.
function walk(group) {
  const cells = [...group.querySelectorAll(".cell")];
  if (cells.length) cells[0].tabIndex = 0;
  group.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.target.click();
    }
    if (!/^(Arrow(Left|Right|Up|Down)|Home|End)$/.test(event.key) || event.ctrlKey || event.altKey || event.metaKey) return;
    const target = move(cells, event.target, event.key);
    event.preventDefault();
    if (target) target.focus();
  });
  group.addEventListener("focusin", (event) => {
    for (const cell of cells) cell.tabIndex = cell === event.target ? 0 : -1;
  });
}

export function drawStage(place, step, before, origin) {
  const values = valuesByPosition(step.picture);
  const rest = "Point at an element; click it to follow it through the steps. Arrow keys walk, Enter follows.";
  const summary = step.picture.whole ? "" : ` The first and last places of each axis are drawn; ${step.size} elements in all.`;
  const stage = make("div", { class: "stage", "data-origin": origin },
    make("header", { class: "stage-head" }, make("h2", { class: "code" }, step.source), badge(step)),
    facts(step, before),
    why(step),
    make("h3", {}, "Elements by index", make("small", {}, summary)),
    step.size ? grid(step, values) : make("p", { class: "empty" }, "No elements: an axis has length 0."),
    make("p", { class: "formula code resting", "data-rest": rest, hidden: step.storage_size === 0 }, rest),
    make("h3", {}, "Memory", make("small", {}, " one storage, in order; the colour is the place in memory")),
    memory(step, values),
    make("p", { class: "legend", hidden: step.storage_size === 0 },
      ...[["start", "offset"], ["unreached", "not reached"], ["pointed", "pointed at or followed"]].map(
        ([key, text]) => make("span", {}, make("span", { class: `key ${key}` }), text))),
  );
  place.replaceChildren(stage);
  for (const group of stage.querySelectorAll(".panels, .memory")) walk(group);
  const focused = () => (stage.contains(document.activeElement) ? document.activeElement.closest(".cell") : null);
  const onto = (event) => event.target.closest(".cell");
  stage.addEventListener("pointerover", (event) => light(stage, step, onto(event) || focused()));
  stage.addEventListener("pointerleave", () => light(stage, step, focused()));
  stage.addEventListener("focusin", (event) => light(stage, step, onto(event)));
  stage.addEventListener("focusout", () => light(stage, step, null));
  stage.addEventListener("click", (event) => { if (onto(event)) follow(stage, step, onto(event)); });
  markFollowed(stage);
  light(stage, step, null);
}
