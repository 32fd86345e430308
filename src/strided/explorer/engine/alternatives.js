// What could stand in the place of a step? Chains that go where a refused view could not, or copy less.

import { nearestName } from "./expression.js";
import { permuted, product, sizeOf, tryReshape } from "./layout.js";
import { taken } from "./operations.js";

// A chain with another step in the place of one.
export const replaced = (link, text, step, label = step, note = "") =>
  ({ label, expression: text.slice(0, link.column) + step + text.slice(link.end), note });

// Where the word at a column ends; one character at least.
export function wordEnd(text, column) {
  const word = /^[\p{L}\p{N}_]*/u.exec(text.slice(column))[0];
  return Math.min(column + Math.max(word.length, 1), text.length);
}

// The text with the operation that a misspelt name is likely to mean.
export function spellingOf(text, column, tables) {
  const end = wordEnd(text, column);
  const name = text.slice(column, end);
  const close = nearestName(name, tables);
  if (!close || name in tables.steps || text.slice(0, column).trimEnd().at(-1) !== ".") return [];
  return [{ label: close, expression: text.slice(0, column) + close + text.slice(end), note: "" }];
}

// The chains that copy less than a step does, or nothing, as far as there are any.
export function alternativesOf(reason, link, before, x, text) {
  const instead = (...found) => [replaced(link, text, ...found)];
  if (reason === "contiguous") return instead("", "leave it out", "the strides stay as they are");
  if (reason === "clone") return instead("", "leave it out", "a write is then seen in both");
  if (reason === "reshape") {
    if (!tryReshape(before.layout, x.layout.shape).refusal) return [];  // ravel, which leaves no gaps
    return cheaper(before.layout, x.layout.shape, before.storage.itemsize).map(({ code, nbytes, note }) =>
      replaced(link, text, code, code, `${nbytes ? `copies ${nbytes} bytes` : "is a view"}, ${note}`));
  }
  const step = reason === "gather" ? asSlice(before, link.args) : "";
  return step ? instead(step, step, "is a view: the positions are evenly spaced") : [];
}

// ---- cheaper ways to a shape that has no view, as strided.copies.forecast finds them ----

const MOST_AXES = 6; // so many have all of their orders tried
const written = (name, numbers) => `.${name}(${numbers.join(", ")})`;

function cheaper(layout, shape, itemsize) {
  const found = [];
  const repeated = copiedBeforeRepeating(layout, shape, itemsize);
  if (repeated) found.push(repeated);
  const order = viewableOrder(layout, shape);
  if (order) found.push({ code: written("permute", order) + written("view", shape), nbytes: 0, note: "in another order of elements" });
  const joined = joinedWherePossible(layout);
  if (joined.length > 1 && joined.length < layout.shape.length) {
    found.push({ code: written("view", joined), nbytes: 0, note: "the same elements in the fewest axes that a view can have" });
  }
  return found;
}

// Leading axes of stride 0 that stay as they are: reshape one repetition, then repeat it.
function copiedBeforeRepeating({ shape: old, strides, offset }, shape, itemsize) {
  let repeated = 0;
  const stays = (axis) => strides[axis] === 0 && old[axis] === shape[axis] && old[axis] >= 2;
  while (repeated < Math.min(old.length, shape.length) && stays(repeated)) repeated++;
  const inner = { shape: old.slice(repeated), strides: strides.slice(repeated), offset };
  const rest = shape.slice(repeated);
  if (!repeated || sizeOf(inner) !== product(rest)) return null;
  const nbytes = tryReshape(inner, rest).refusal ? sizeOf(inner) * itemsize : 0;
  const picked = `[${Array(repeated).fill(0).join(", ")}]`;
  const code = picked + written("reshape", rest) + written("expand", shape);
  return { code, nbytes, note: "the same elements, repeated after the copy" };
}

function* permutations(items) {
  if (!items.length) yield [];
  for (const [i, item] of items.entries()) {
    for (const rest of permutations(items.toSpliced(i, 1))) yield [item, ...rest];
  }
}

// An order of axes in which the shape is a view: of those that move the fewest axes the first.
function viewableOrder(layout, shape) {
  const rank = layout.shape.length;
  if (rank < 2 || rank > MOST_AXES) return null;
  const moves = (order) => order.filter((axis, place) => axis !== place).length;
  let best = null;
  for (const order of permutations([...layout.shape.keys()])) {
    if (best && moves(order) >= moves(best)) continue;
    if (!tryReshape(permuted(layout, order), shape).refusal) best = order;
  }
  return best;
}

// The shape with all neighbours joined that step together.
function joinedWherePossible(layout) {
  const joined = [];
  const strides = [];
  layout.shape.forEach((length, axis) => {
    const stride = layout.strides[axis];
    if (length === 1) return;
    if (joined.length && strides.at(-1) === length * stride) {
      joined.push(joined.pop() * length);
      strides.pop();
    } else joined.push(length);
    strides.push(stride);
  });
  return joined;
}

// ---- a slice for a list ----

// The index with a slice in the place of its only list; "" where the positions are not evenly spaced.
function asSlice(x, items) {
  const lists = items.filter(Array.isArray);
  if (lists.length !== 1 || !lists[0].length || lists[0].some(Array.isArray)) return "";
  if (items.some((item) => typeof item === "number")) return "";
  const [view, [{ axis, values }]] = taken(x.layout, items);
  const length = view.shape[axis];
  const places = values.map((value) => (value < 0 ? value + length : value));
  const step = places.length > 1 ? places[1] - places[0] : 1;
  if (step === 0 || places.some((place, i) => place !== places[0] + i * step)) return "";
  const end = places.at(-1) + Math.sign(step);
  const slice = { start: places[0], stop: end < 0 ? null : end, step: step === 1 ? null : step };
  return `[${items.map((item) => itemText(Array.isArray(item) ? slice : item)).join(", ")}]`;
}

function itemText(item) {
  if (item === null) return "None";
  if (item === "...") return "...";
  const { start, stop, step } = item;
  return `${start ?? ""}:${stop ?? ""}${step === null ? "" : `:${step}`}`;
}
