// Which element is pointed at, and which is followed? It is lit in every picture of the same storage.
//
// Lighting an element lights every grid cell that reaches it (several, where a stride is 0 or windows overlap) and its
// memory cell, also in the chain beside it. A clicked element stays lit through all steps over its storage.

import { drawArrows } from "./arrows.js";
import { minus } from "./dom.js";

const shown = new WeakMap(); // stage: the step it shows
let followed = null; // { origin, at }: the text that made the storage, and the element clicked last

function formula(step, index, value) {
  const parts = index.map((i, axis) => `${i}·${step.strides[axis] < 0 ? `(${step.strides[axis]})` : step.strides[axis]}`);
  const at = step.offset + index.reduce((sum, i, axis) => sum + i * step.strides[axis], 0);
  return `[${index.join(", ")}]  →  ${[step.offset, ...parts].join(" + ")} = ${at},  which holds ${value}`;
}

function explain(stage, step, element) {
  const { at } = element.dataset;
  if (element.dataset.index !== undefined) {
    const index = element.dataset.index === "" ? [] : element.dataset.index.split(", ").map(Number);
    return minus(formula(step, index, element.textContent));
  }
  const found = [...stage.querySelectorAll(`.grid [data-at="${at}"]`)].map((e) => `[${e.dataset.index}]`);
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

const stagesOver = (origin) => [...document.querySelectorAll(".stage")].filter((stage) => stage.dataset.origin === origin);

function followedCell(stage) {
  if (!followed || followed.origin !== stage.dataset.origin) return null;
  return stage.querySelector(`.memory [data-at="${followed.at}"]`);
}

function follow(stage, element) {
  const { at } = element.dataset;
  const { origin } = stage.dataset;
  followed = followed?.origin === origin && followed.at === at ? null : { origin, at };
  for (const one of document.querySelectorAll(".stage")) markFollowed(one);
  light(stage, element);
}

function markFollowed(stage) {
  for (const cell of stage.querySelectorAll("[aria-selected]")) cell.removeAttribute("aria-selected");
  if (!followedCell(stage)) return;
  for (const cell of stage.querySelectorAll(`[data-at="${followed.at}"]`)) cell.setAttribute("aria-selected", "true");
}

function light(stage, pointed) {
  for (const other of stagesOver(stage.dataset.origin)) {
    const there = other === stage ? pointed : pointed && other.querySelector(`.memory [data-at="${pointed.dataset.at}"]`);
    lightOne(other, there, pointed);
  }
}

function lightOne(stage, here, pointed) {
  const step = shown.get(stage);
  const element = here || followedCell(stage);
  for (const lit of stage.querySelectorAll(".lit")) lit.classList.remove("lit", "now");
  const line = stage.querySelector(".formula");
  line.textContent = element ? explain(stage, step, element) : line.dataset.rest;
  line.classList.toggle("resting", !element);
  drawArrows(stage, step, element);
  if (!element) return;
  const others = new Map();
  for (const cell of stage.querySelectorAll(`[data-at="${element.dataset.at}"]`)) {
    cell.classList.add("lit");
    const frame = cell.closest(".memory, .panels");
    if (!frame.contains(pointed || element) && !others.has(frame)) others.set(frame, cell);
  }
  for (const cell of others.values()) bringIntoView(cell);
  if (here && here === pointed) element.classList.add("now");
}

// ---- keys ----

function neighbour(cells, from, key) {
  const place = cells.indexOf(from);
  const flat = { ArrowRight: place + 1, ArrowLeft: place - 1, Home: 0, End: cells.length - 1 }[key];
  if (flat !== undefined) return cells[flat];
  const down = key === "ArrowDown";
  // Offsets, not boxes on the screen: the lit cell is drawn larger than it is.
  const { offsetLeft: left, offsetTop: top } = from;
  let best = null;
  for (const cell of cells) {
    const dy = down ? cell.offsetTop - top : top - cell.offsetTop;
    if (dy <= 1) continue;
    const distance = dy * 1000 + Math.abs(cell.offsetLeft - left);
    if (!best || distance < best.distance) best = { cell, distance };
  }
  return best && best.cell;
}

// Arrow keys go through one group of cells, of which one is in the tab order.
function steer(group) {
  const cells = [...group.querySelectorAll(".cell")];
  if (cells.length) cells[0].tabIndex = 0;
  group.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      event.target.click();
    }
    if (!/^(Arrow(Left|Right|Up|Down)|Home|End)$/.test(event.key) || event.ctrlKey || event.altKey || event.metaKey) return;
    const target = neighbour(cells, event.target, event.key);
    event.preventDefault();
    if (target) target.focus();
  });
  group.addEventListener("focusin", (event) => {
    for (const cell of cells) cell.tabIndex = cell === event.target ? 0 : -1;
  });
}

// Makes the cells of a stage answer to pointer and keys.
export function enliven(stage, step) {
  shown.set(stage, step);
  for (const group of stage.querySelectorAll(".panels, .memory")) steer(group);
  const focused = () => (stage.contains(document.activeElement) ? document.activeElement.closest(".cell") : null);
  const onto = (event) => event.target.closest(".cell");
  stage.addEventListener("pointerover", (event) => light(stage, onto(event) || focused()));
  stage.addEventListener("pointerleave", () => light(stage, focused()));
  stage.addEventListener("focusin", (event) => light(stage, onto(event)));
  stage.addEventListener("focusout", () => light(stage, null));
  stage.addEventListener("click", (event) => { if (onto(event)) follow(stage, onto(event)); });
  markFollowed(stage);
  lightOne(stage, null, null);
  const strip = stage.querySelector(".cells");
  new ResizeObserver(() => drawArrows(stage, step, stage.querySelector(".now") || followedCell(stage))).observe(strip);
}
