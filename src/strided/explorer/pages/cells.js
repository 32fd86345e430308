// How do elements look? The grid by index with its axes, and the memory strip.
//
// A cell is known by the storage element it stands for (data-at). What does not fit scrolls, and says so.

import { make, signed } from "./dom.js";

function cell(step, at, text, label, extra) {
  const element = make("div", { class: `cell ${extra}`, role: "gridcell", tabindex: "-1", "aria-label": label, "data-at": at }, ...text);
  element.style.setProperty("--p", step.storage_size > 1 ? at / (step.storage_size - 1) : 0);
  return element;
}

export function valuesByPosition(picture) {
  const values = new Map();
  let place = 0;
  for (const [first, end] of picture.spans) {
    for (let at = first; at < end; at++, place++) values.set(at, { text: picture.values[place], reached: picture.reached[place] });
  }
  return values;
}

const jumps = (places, i) => i > 0 && places[i] !== places[i - 1] + 1;

// "axis 1 +4": the colour is the axis's own, also of its arrow in memory.
export const axisName = (step, axis) =>
  make("span", { class: "axis", "data-axis": axis % 5 }, `axis ${axis} `, make("b", {}, signed(step.strides[axis])));

// The axes of one panel: an arrow above its columns and one left of its rows.
function framed(step, table, rank) {
  const across = make("div", { class: "across", "data-axis": (rank - 1) % 5 }, axisName(step, rank - 1));
  if (rank === 1) return make("div", { class: "framed" }, across, table);
  const down = make("div", { class: "down", "data-axis": (rank - 2) % 5 });
  return make("div", { class: "framed two" }, make("div", { class: "rows" }, axisName(step, rank - 2)), down, across, table);
}

export function grid(step, values) {
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
    panels.append(make("figure", { class: "panel" }, name ? make("figcaption", { class: "code" }, name) : null,
      p === 0 && rank ? framed(step, table, rank) : table));
  });
  return scrolled(panels);
}

// The axes that panels stand for, where there are more than two.
export function outerAxes(step) {
  const outer = step.shape.slice(0, Math.max(step.shape.length - 2, 0));
  if (!outer.length) return null;
  return make("small", {}, " from panel to panel: ", ...outer.flatMap((_, axis) => [axis ? ", " : null, axisName(step, axis)]));
}

export function memory(step, values) {
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
  return scrolled(strip);
}

// A frame around what may be too large: while there is more, it says where.
function scrolled(inner) {
  const cue = make("span", { class: "cue", "aria-hidden": "true", hidden: true });
  const update = () => {
    const right = inner.scrollWidth - inner.clientWidth - inner.scrollLeft > 4;
    const below = inner.scrollHeight - inner.clientHeight - inner.scrollTop > 4;
    cue.hidden = !right && !below;
    cue.textContent = right && below ? "more → ↓" : right ? "more →" : "more ↓";
    frame.classList.toggle("right", right);
    frame.classList.toggle("below", below);
  };
  const frame = make("div", { class: "scrolled" }, inner, cue);
  inner.addEventListener("scroll", update);
  new ResizeObserver(update).observe(inner);
  return frame;
}
