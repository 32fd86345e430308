// Where does one step along each axis lead in memory? Arrows above the cells, one lane an axis.
//
// They begin at the element that is pointed at or followed, else at the offset. An arrow into another line of cells
// leaves at the right edge and comes in at the left, as text does.

import { minus, signed } from "./dom.js";

const LANE = 13; // pixels from one arrow to the one above it
const MOST = 4; // axes that have an arrow; the slowest ones go without
const SVG = "http://www.w3.org/2000/svg";

function draw(tag, attributes, text = "") {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.textContent = text;
  return element;
}

// The index of an element in the grid, or null: where several reach it, the first.
function indexOf(stage, at) {
  const cell = stage.querySelector(`.grid [data-at="${at}"]`);
  if (!cell) return null;
  return cell.dataset.index === "" ? [] : cell.dataset.index.split(", ").map(Number);
}

const axesWithSteps = (step) => [...step.shape.keys()].filter((axis) => step.shape[axis] > 1).slice(-MOST);

// The room above a line of cells that its arrows take.
export const lanesOf = (step) => axesWithSteps(step).length * LANE + (axesWithSteps(step).length ? 5 : 0);

export function drawArrows(stage, step, element) {
  const strip = stage.querySelector(".cells");
  strip?.querySelector(".arrows")?.remove();
  if (!strip || step.size === 0) return;
  const at = element ? Number(element.dataset.at) : step.offset;
  const index = element?.dataset.index ? element.dataset.index.split(", ").map(Number) : indexOf(stage, at);
  const from = strip.querySelector(`[data-at="${at}"]`);
  if (!index || !from) return;
  const layer = draw("svg", { class: "arrows", width: strip.scrollWidth, height: strip.scrollHeight, "aria-hidden": "true" });
  axesWithSteps(step).toReversed().forEach((axis, lane) => {
    if (index[axis] + 1 >= step.shape[axis]) return;
    const to = strip.querySelector(`[data-at="${at + step.strides[axis]}"]`);
    if (to) layer.append(arrow(strip, from, to, step, axis, lane));
  });
  strip.append(layer);
}

function arrow(strip, from, to, step, axis, lane) {
  const stride = step.strides[axis];
  // Each lane leaves and arrives a little beside the others.
  const shift = (lane + 1) * 5;
  const forward = stride >= 0;
  const x1 = from.offsetLeft + from.offsetWidth / 2 + (forward ? shift : -shift);
  const x2 = to.offsetLeft + to.offsetWidth / 2 - (forward ? shift : -shift);
  const [y1, y2] = [from.offsetTop, to.offsetTop];
  const up = (lane + 1) * LANE;
  const edge = strip.clientWidth - 2;
  const group = draw("g", { "data-axis": axis % 5 });
  group.append(draw("title", {}, `axis ${axis}: ${minus(stride)}`));
  const head = `M${x2 - 4} ${y2 - 7}L${x2} ${y2 - 1}L${x2 + 4} ${y2 - 7}`;
  const line = y1 === y2
    ? `M${x1} ${y1 - 1}V${y1 - up}H${x2}V${y2 - 1}`
    : `M${x1} ${y1 - 1}V${y1 - up}H${forward ? edge : 2}M${forward ? 2 : edge} ${y2 - up}H${x2}V${y2 - 1}`;
  group.append(draw("path", { d: line + head }));
  // The number stands on the line, in the middle of what is drawn of it in the last line of cells.
  const start = y1 === y2 ? x1 : forward ? 2 : edge;
  group.append(draw("text", { x: (start + x2) / 2, y: y2 - up + 4, "text-anchor": "middle" }, signed(stride)));
  return group;
}
