// What could stand in the place of a step? Chains that go where a refused view could not, or without a copy.

import { nearestName } from "./expression.js";
import { memoryOrder, permuted, tryReshape } from "./layout.js";
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

// The chains that do without the copy of a step, as far as there are any.
export function alternativesOf(reason, link, before, x, text) {
  const instead = (...found) => [replaced(link, text, ...found)];
  if (reason === "contiguous") return instead("", "leave it out", "the strides stay as they are");
  if (reason === "clone") return instead("", "leave it out", "a write is then seen in both");
  if (reason === "reshape") {
    const step = inMemoryOrder(before.layout, x.layout.shape);
    return step ? instead(step, step, "a view, with the elements in the order of memory") : [];
  }
  if (reason === "gather") {
    const step = asSlice(before, link.args);
    return step ? instead(step, step, "a view: the positions are evenly spaced") : [];
  }
  return [];
}

// The steps to a shape when the elements may come in the order of memory; "" where no view does that.
function inMemoryOrder(layout, shape) {
  const order = memoryOrder(layout);
  if (order.every((axis, i) => axis === i) || tryReshape(permuted(layout, order), shape).refusal) return "";
  const turn = order.length === 2 ? ".T" : `.permute(${order.join(", ")})`;
  return `${turn}.reshape(${shape.join(", ")})`;
}

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
