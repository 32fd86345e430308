// Which cells of a tensor are drawn, and what stands in them? As strided.explorer.steps chooses them.
//
// Small tensors are drawn whole. Of large ones the first and last places of each axis are drawn, and of the storage
// only what these reach.

import { product, sizeOf } from "./layout.js";
import { countTo, indicesOf, offsetOf, reaches } from "./overlap.js";
import { textAt } from "./tensors.js";

function placesOf(shape, most) {
  if (product(shape) <= most) return shape.map(countTo);
  let edge = 8;
  while (edge > 1 && product(shape.map((length) => Math.min(length, 2 * edge))) > most) edge--;
  return shape.map((length) => countTo(length).filter((i) => length <= 2 * edge || i < edge || i >= length - edge));
}

// Runs of storage elements: all of a small storage, else those near cells.
function spansOf(cells, size, { cells: most, gap }) {
  if (size <= most) return size ? [[0, size]] : [];
  const spans = [];
  for (const cell of [...new Set(cells)].sort((a, b) => a - b)) {
    const last = spans.at(-1);
    if (last && cell - last[1] <= gap) last[1] = cell + 1;
    else spans.push([cell, cell + 1]);
  }
  return spans;
}

export function pictureOf({ layout, storage }, limits) {
  const places = placesOf(layout.shape, limits.cells);
  const cells = [...indicesOf(places)].map((index) => offsetOf(layout, index));
  const whole = cells.length === sizeOf(layout);
  const spans = spansOf(cells, storage.size, limits);
  const positions = spans.flatMap(([first, end]) => countTo(end - first).map((i) => first + i));
  const seen = new Set(cells);
  return {
    whole,
    places,
    cells,
    spans,
    values: positions.map((position) => textAt(storage, position)),
    reached: positions.map((position) => (whole ? seen.has(position) : reaches(layout, position))),
    used: whole ? seen.size : null,
  };
}
