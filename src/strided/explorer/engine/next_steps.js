// Which steps make sense on a tensor, with arguments that work? As strided.explorer.operations proposes them.

import { product } from "./layout.js";

const field = (name, value, hint = "") => ({ name, value: String(value), hint });
const call = (group, label, ...fields) => ({ group, label, before: `.${label}(`, fields, after: ")" });
const list = (values) => values.join(", ");
const tupleText = (values) => `(${list(values)}${values.length === 1 ? "," : ""})`;

// Two factors of n that are as close to each other as can be, the smaller first.
function factors(n) {
  for (let small = Math.floor(Math.sqrt(Math.max(n, 0))); small > 1; small--) {
    if (n % small === 0) return [small, n / small];
  }
  return [1, n];
}

export function nextSteps({ layout }, limits) {
  const { shape, strides, offset } = layout;
  const rank = shape.length;
  const size = product(shape);
  const dim = (name, value) => field(name, ((value % rank) + rank) % rank, `0 to ${rank - 1}`);
  const steps = [];
  const add = (...proposal) => steps.push(call(...proposal));

  if (rank === 2) steps.push({ group: "Axes", label: "T", before: ".T", fields: [], after: "" });
  if (rank >= 2) add("Axes", "transpose", dim("dim0", 0), dim("dim1", -1));
  if (rank >= 3) {
    const order = [...shape.keys()].slice(1).concat(0);
    add("Axes", "permute", field("dims", list(order), "each axis once"));
    add("Axes", "movedim", dim("source", 0), dim("destination", -1));
  }
  if (rank) add("Axes", "flip", dim("dims", -1));
  if (rank < limits.rank) add("Axes", "unsqueeze", field("dim", 0, `0 to ${rank}`));
  if (shape.includes(1)) add("Axes", "squeeze");

  if (rank) {
    const slices = field("index", `${":, ".repeat(rank - 1)}::2`, "1:, ::2, ::-1, ..., None, [0, 2]");
    steps.push({ group: "Parts", label: "[ ]", before: "[", fields: [slices], after: "]" });
    const length = shape.at(-1);
    const half = field("length", Math.max(Math.floor(length / 2), Math.min(length, 1)), `0 to ${length}`);
    add("Parts", "narrow", dim("dim", -1), field("start", 0), half);
    if (shape[0]) add("Parts", "select", dim("dim", 0), field("index", 0, `0 to ${shape[0] - 1}`));
    if (rank >= 2) add("Parts", "diagonal", field("offset", 0, "1 is above, -1 below"));
  }

  // An empty tensor has no single length for -1 to stand for.
  const whole = field("size", rank !== 1 ? size : list(factors(size)), `lengths that multiply to ${size}`);
  add("Shape", "reshape", whole);
  add("Shape", "view", whole);
  if (rank >= 2) add("Shape", "flatten", dim("start_dim", 0), dim("end_dim", -1));
  const splits = [...shape.keys()].filter((axis) => factors(shape[axis])[0] > 1);
  if (splits.length && rank < limits.rank) {
    const last = splits.at(-1);
    add("Shape", "unflatten", dim("dim", last), field("sizes", tupleText(factors(shape[last]))));
  }

  if (3 * size <= limits.elements) {
    const ones = shape.filter((length) => length === 1).length;
    if (ones && 3 ** ones * size <= limits.elements) {
      const sizes = list(shape.map((length) => (length === 1 ? 3 : length)));
      add("Repeat", "expand", field("size", sizes, "axes of length 1 can grow"));
    } else if (!ones && rank < limits.rank) add("Repeat", "expand", field("size", list([2, ...shape])));
    if (rank && shape.at(-1) >= 2 && rank < limits.rank) {
      add("Repeat", "unfold", dim("dim", -1), field("size", 2, `0 to ${shape.at(-1)}`), field("step", 1));
    }
  }

  add("Memory", "contiguous");
  add("Memory", "clone");
  if (rank) add("Memory", "roll", field("shifts", 1), dim("dims", 0));
  add("Memory", "as_strided", field("size", tupleText(shape)), field("stride", tupleText(strides)), field("offset", offset));
  return steps;
}
