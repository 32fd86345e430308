// What does each step of a chain do? The same answer that strided.explorer.steps gives, worked out in the page.

import { alternativesOf, replaced, spellingOf, wordEnd } from "./alternatives.js";
import { Refusal, expressionError, layoutText } from "./errors.js";
import { parse } from "./expression.js";
import { orderFault, sizeOf, tryReshape } from "./layout.js";
import { nextSteps } from "./next_steps.js";
import * as operations from "./operations.js";
import { overlapsItself } from "./overlap.js";
import { pictureOf } from "./picture.js";

// The tensor that a chain gives.
export function valueOf(text, tables, names = {}) {
  return parse(text, tables, Object.keys(names)).reduce((x, link) => applied(link, x, text, tables, names), null);
}

export function evaluate(text, tables, names = {}) {
  let links;
  try {
    links = parse(text, tables, Object.keys(names));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { column } = error;
    const problem = problemOf(error, column, wordEnd(text, column), spellingOf(text, column, tables));
    return { expression: text, steps: [], problem, next_steps: [] };
  }
  const steps = [];
  let x = null;
  let problem = null;
  let storage = 0;
  for (const link of links) {
    let result;
    try {
      result = applied(link, x, text, tables, names);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      problem = problemOf(error, link.column, link.end, fixesOf(error, link, text));
      break;
    }
    const described = describe(link, x, result, storage, text, tables);
    storage = described.storage;
    steps.push(described);
    x = result;
  }
  return { expression: text, steps, problem, next_steps: x === null ? [] : nextSteps(x, tables.limits) };
}

const problemOf = (error, column, end, fixes = []) => ({ type: error.type, message: error.message, column, end, fixes });

function applied(link, x, text, tables, names) {
  try {
    if (link.kind === "name") return names[link.name];
    if (link.kind === "make") return operations.make(link, tables);
    if (link.kind === "index") return operations.index(x, link.args, tables);
    return operations.step(x, link, tables);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const row = tables.makers[link.name] ?? tables.steps[link.name] ?? tables.index;
    throw expressionError(text, link.column, error.message, `use ${row.use}`);
  }
}

// Expressions that go where a refused view could not.
function fixesOf(error, link, text) {
  if (error.type !== "ViewNotPossible") return [];
  const size = error.shape.join(", ");
  const instead = [`.reshape(${size})`, `.contiguous().view(${size})`];
  if (error.transposed) instead.push(`.T.view(${size})`);
  return instead.map((step) => replaced(link, text, step));
}

function describe(link, before, x, storageBefore, text, tables) {
  const { layout, storage } = x;
  const { kind, why, reason } = kindOf(link, before, x, tables);
  const fault = orderFault(layout);
  const size = sizeOf(layout);
  return {
    source: link.source,
    name: link.name,
    column: link.column,
    end: link.end,
    layout: layoutText(layout),
    shape: layout.shape,
    strides: layout.strides,
    offset: layout.offset,
    size,
    dtype: storage.dtype,
    itemsize: storage.itemsize,
    nbytes: size * storage.itemsize,
    contiguous: fault === null,
    why_not_contiguous: fault === null ? "" : faultText(fault),
    overlaps_itself: overlapsItself(layout),
    kind,
    why,
    bytes_copied: kind === "copy" ? size * storage.itemsize : 0,
    reason,
    hint: reason ? tables.hints[reason] : "",
    alternatives: kind === "copy" ? alternativesOf(reason, link, before, x, text) : [],
    storage: storageBefore + (kind === "copy" ? 1 : 0),
    storage_size: storage.size,
    picture: pictureOf(x, tables.limits),
  };
}

const faultText = ({ axis, stride, needed }) => `axis ${axis} steps ${stride}, row-major needs ${needed}`;

// made, view, copy or same; why; and the copy log's word for a copy.
function kindOf(link, before, x, tables) {
  if (before === null) {
    const row = tables.makers[link.name];
    return { kind: "made", why: row ? row.says : "A tensor that is there already.", reason: "" };
  }
  const row = tables.steps[link.name] ?? tables.index;
  if (x === before) return { kind: "same", why: row.says, reason: "" };
  if (x.storage === before.storage) return { kind: "view", why: row.says, reason: "" };
  return { kind: "copy", why: causeOf(row.reason, before, x, tables), reason: row.reason };
}

function causeOf(reason, before, x, tables) {
  if (reason === "reshape") {
    const { refusal } = tryReshape(before.layout, x.layout.shape);
    if (refusal) {
      const { axis, step, needed } = refusal;
      return `axes ${axis} and ${axis + 1} do not step together: stride[${axis}] = ${step}, `
        + `length[${axis + 1}] * stride[${axis + 1}] = ${needed}`;
    }
  }
  if (reason === "contiguous") return `not row-major: ${faultText(orderFault(before.layout))}`;
  return tables.causes[reason] ?? tables.causes[""];
}
