// Is an answer to an exercise right, and if not, what is wrong with it? As strided.explorer.answers judges it.

import { Refusal, invalidArgument, layoutText, tuple } from "./errors.js";
import { parse } from "./expression.js";
import { sizeOf } from "./layout.js";
import { countTo, indicesOf, offsetOf } from "./overlap.js";
import { evaluate, valueOf } from "./steps.js";
import { textAt } from "./tensors.js";

const NUMBERS = /^[\s([]*(-?\d{1,12}(?:[\s,]+-?\d{1,12})*)?[\s,)\]]*$/;
const MOST_TEXT = 500;
const MOST_FACES = 256; // elements of a tensor in twoFaces
const WHOLE = "arange(12).reshape(3, 4)";

const verdict = (right, message, explanation = [], chains = []) => ({ right, message, explanation, chains, measured: {} });

function textOf(given, name) {
  const value = given[name] ?? "";
  if (typeof value !== "string" || value.length > MOST_TEXT) {
    throw invalidArgument(name, "something else", `must be text, up to ${MOST_TEXT}`);
  }
  return value;
}

// The whole numbers of a field; null when it holds anything else.
function numbersOf(given, name) {
  const match = NUMBERS.exec(textOf(given, name));
  if (!match) return null;
  return match[1] ? match[1].split(/[\s,]+/).map(Number) : [];
}

// A sentence for each field that is not right yet.
function compare(given, truth) {
  return Object.entries(truth).flatMap(([name, wanted]) => {
    const got = numbersOf(given, name);
    if (got === null || (!got.length && wanted.length)) return [`${name}: write whole numbers, separated by commas`];
    if (got.length !== wanted.length) return [`${name}: ${wanted.length} numbers are needed, ${got.length} are given`];
    const wrong = [...wanted.keys()].filter((axis) => got[axis] !== wanted[axis]);
    if (!wrong.length) return [];
    if (wanted.length === 1) return [`${name}: ${got[0]} is not right yet`];
    const axes = wrong.map((axis) => `axis ${axis}`).join(", ");
    return [`${name}: ${wrong.length} of ${wanted.length} numbers are not right yet (${axes})`];
  });
}

function judge(wrong, given, explanation, chains = []) {
  if (wrong.length && !given.reveal) return verdict(false, wrong.join("; "));
  return verdict(!wrong.length, wrong.length ? "Here is the answer." : "Right.", explanation, chains);
}

const example = (given) => (given.reveal ? ["(an example)"] : []);

// ---- one function a kind of question ----

function layoutNumbers(chain, wanted, given, tables) {
  const { layout } = valueOf(chain, tables);
  const facts = { strides: layout.strides, offset: [layout.offset] };
  const said = evaluate(chain, tables).steps.map((step) => `${step.source} is ${step.layout}. ${step.why}`);
  const truth = Object.fromEntries(wanted.map((name) => [name, facts[name]]));
  return judge(compare(given, truth), given, said, [chain]);
}

function ticks(given, truth, count) {
  const ticked = given.ticked ?? [];
  if (!Array.isArray(ticked) || !ticked.every((t) => Number.isInteger(t) && t >= 0 && t < count)) {
    throw invalidArgument("ticked", "something else", "must be a list of option numbers");
  }
  const chosen = new Set(ticked);
  const extra = [...chosen].filter((t) => !truth.has(t)).length;
  const missing = [...truth].filter((t) => !chosen.has(t)).length;
  return [...(extra ? [`${extra} ticked too many`] : []), ...(missing ? [`${missing} still to find`] : [])];
}

function whichCopy(options, given, tables) {
  const lasts = options.map((option) => evaluate(option, tables).steps.at(-1));
  const truth = new Set([...lasts.keys()].filter((place) => lasts[place].kind === "copy"));
  const said = options.map((option, i) => {
    const { kind, why } = lasts[i];
    return `${option}: ${kind}, ${why[0].toLowerCase()}${why.slice(1)}`;
  });
  return judge(ticks(given, truth, options.length), given, said, options);
}

function refusedView(given, tables) {
  const chain = given.reveal ? "arange(6).reshape(2, 3).T.view(6)" : textOf(given, "chain");
  let last = null;
  try {
    last = parse(chain, tables).at(-1);
    if (last.name !== "view") return verdict(false, "the last step must be .view(...)");
    valueOf(chain.slice(0, last.column), tables);
    valueOf(chain, tables);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.type !== "ViewNotPossible") {
      return verdict(false, `reshape would fail too: ${error.message.split("\n")[0]}`);
    }
    const [cause, hint] = error.message.split("\n").slice(1).map((line) => line.trim());
    const copied = `${chain.slice(0, last.column)}.reshape(${error.shape.join(", ")})`;
    const x = valueOf(chain.slice(0, last.column), tables);
    const bytes = sizeOf(x.layout) * x.storage.itemsize;
    return judge(example(given), given,
      [cause, `${copied} works: it copies ${bytes} bytes into new memory.`, hint], [copied]);
  }
  return verdict(false, "this view is possible: strides exist for the new shape");
}

function refusal(chain, given, tables) {
  const { message, axis, step, needed } = refusalOf(chain, tables);
  const said = message.split("\n").map((line) => line.trim());
  return judge(compare(given, { axis: [axis], stride: [step], needed: [needed] }), given, said, [chain]);
}

function refusalOf(chain, tables) {
  try {
    valueOf(chain, tables);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error(`${chain} is not refused`);
}

// ---- tensors over one x ----

const cellsOf = ({ layout }) => [...indicesOf(layout.shape.map(countTo))].map((index) => offsetOf(layout, index));

function sharesMemory(a, b) {
  if (a.storage !== b.storage) return false;
  const cells = new Set(cellsOf(a));
  return cellsOf(b).some((cell) => cells.has(cell));
}

// The indices of b at which a write to an element of a is seen.
function seenAt(a, b, index) {
  if (a.storage !== b.storage) return [];
  const at = offsetOf(a.layout, index);
  return [...indicesOf(b.layout.shape.map(countTo))].filter((i) => offsetOf(b.layout, i) === at);
}

const place = (index) => `[${index.join(", ")}]`;

function twoFaces(given, tables) {
  const texts = given.reveal ? ["x.T", "x[1:]"] : [textOf(given, "first"), textOf(given, "second")];
  const x = valueOf(WHOLE, tables);
  const found = [];
  for (const [i, name] of ["first", "second"].entries()) {
    try {
      found.push(valueOf(texts[i], tables, { x }));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return verdict(false, `${name}: ${error.message.trim().split(/\s+/).join(" ")}`);
    }
  }
  const [first, second] = found;
  if (Math.max(sizeOf(first.layout), sizeOf(second.layout)) > MOST_FACES) {
    return verdict(false, `use at most ${MOST_FACES} elements: every pair of them is looked at`);
  }
  const values = (t) => cellsOf(t).map((cell) => textAt(t.storage, cell)).join();
  if (tuple(first.layout.shape) === tuple(second.layout.shape) && values(first) === values(second)) {
    return verdict(false, "they look the same: shape and elements are equal");
  }
  if (!sharesMemory(first, second)) {
    return verdict(false, "they share no element: a write to one is never seen in the other");
  }
  const said = texts.map((text, i) => `${text} is ${layoutText(found[i].layout)}`);
  for (const index of indicesOf(first.layout.shape.map(countTo))) {
    const seen = seenAt(first, second, index);
    if (!seen.length) continue;
    const places = seen.slice(0, 3).map((one) => `second${place(one)}`).join(" and ");
    said.push(`After first${place(index)} = 99, ${places} is 99 too.`);
    break;
  }
  const chains = texts.map((text) => `${WHOLE}${text.trim().slice(1)}`);
  return judge(example(given), given, said, chains);
}

function written(code, index, given, tables) {
  const x = valueOf(WHOLE, tables);
  const [first, second] = code.map((line) => valueOf(line.slice(line.indexOf("=") + 1), tables, { x }));
  const [truth] = seenAt(first, second, index);
  const at = offsetOf(first.layout, index);
  const said = [
    `a${place(index)} is element ${at} of the storage: a is ${layoutText(first.layout)}.`,
    `b reaches element ${at} at ${place(truth)}: b is ${layoutText(second.layout)}.`,
  ];
  const chains = code.map((line) => `${WHOLE}${line.slice(line.indexOf("= x") + 3)}`);
  return judge(compare(given, { index: truth }), given, said, chains);
}

function sharing(chain, options, given, tables) {
  const x = valueOf(WHOLE, tables);
  const one = valueOf(chain, tables, { x });
  const others = options.map((option) => valueOf(option, tables, { x }));
  const truth = new Set([...others.keys()].filter((i) => sharesMemory(one, others[i])));
  const said = options.map((option, i) => {
    const { storage, layout } = others[i];
    if (storage !== x.storage) return `${option}: no: it is a copy, with a storage of its own`;
    if (truth.has(i)) return `${option}: yes: ${layoutText(layout)} reaches some of the same elements`;
    return `${option}: no: same storage, but ${layoutText(layout)} reaches other elements`;
  });
  return judge(ticks(given, truth, options.length), given, said);
}

// ---- what is asked ----

const CHECKS = {
  "reshape-1": (question, given, tables) => whichCopy(question.options, given, tables),
  "reshape-2": (question, given, tables) => refusedView(given, tables),
  "reshape-3": (question, given, tables) => refusal(question.code[0], given, tables),
  "detective-1": (question, given, tables) => twoFaces(given, tables),
  "detective-2": (question, given, tables) => written(question.code, [0, 2], given, tables),
  "detective-3": (question, given, tables) => sharing("x[:, ::2]", question.options, given, tables),
};

export function check(question, given, tables) {
  if (question.chapter === "strides") return layoutNumbers(question.code[0], question.inputs, given, tables);
  return CHECKS[question.id](question, given, tables);
}
