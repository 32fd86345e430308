// Refusals with the texts of strided's typed errors: what was asked, what stands in the way, what would work.

// A list of numbers as Python prints a tuple: (2, 3), (4,), ().
export const tuple = (values) => `(${values.join(", ")}${values.length === 1 ? "," : ""})`;

export const layoutText = ({ shape, strides, offset }) => `${tuple(shape)}:${tuple(strides)}+${offset}`;

// A refusal of strided, known by the name of its Python class.
export class Refusal extends Error {
  constructor(type, lines, fields = {}) {
    super(lines.filter(Boolean).join("\n  "));
    this.type = type;
    Object.assign(this, fields);
  }
}

export const indexOutOfBounds = (index, length, axis) => new Refusal("IndexOutOfBounds", [
  `index ${index} is out of bounds for axis ${axis}`,
  length === 0 ? "the axis is empty" : `valid indices are ${-length} to ${length - 1}`,
]);

export const invalidDimension = (dim, rank) => new Refusal("InvalidDimension", [
  `dimension ${dim} does not exist`,
  rank === 0 ? "the tensor has rank 0" : `the tensor has rank ${rank}: use ${-rank} to ${rank - 1}`,
]);

export const duplicateAxis = (axis, axes) => new Refusal("DuplicateAxis", [
  `axis ${axis} appears more than once in ${tuple(axes)}`,
  "name each axis once",
]);

export const shapeMismatch = (operation, expected, got, hint) => new Refusal("ShapeMismatch", [
  `${operation}: shape ${tuple(got)} does not fit ${tuple(expected)}`,
  hint,
]);

export const invalidArgument = (argument, got, requirement) => new Refusal("InvalidArgument", [
  `${argument} is ${got}`,
  `it ${requirement}`,
]);

export const unsupportedOperation = (operation, reason, hint) => new Refusal("UnsupportedOperation", [
  `${operation} is not possible here`,
  reason,
  hint,
]);

export const outOfStorageBounds = (layout, lowest, highest, size) => new Refusal("OutOfStorageBounds", [
  `${layoutText(layout)} leaves its storage`,
  `it reaches elements ${lowest} to ${highest}, the storage has ${size}`,
  "use a smaller shape, smaller strides or another offset",
]);

// Axes `axis` and `axis + 1` do not step together: the first has stride `step` and would need `needed`.
export function viewNotPossible(layout, shape, { axis, step, needed }, nbytes) {
  const wanted = shape.join(", ");
  const { strides } = layout;
  const transposed = strides.length === 2 && strides[0] < strides[1];
  const cause = `axes ${axis} and ${axis + 1} do not step together: stride[${axis}] = ${step}, `
    + `length[${axis + 1}] * stride[${axis + 1}] = ${needed}`;
  return new Refusal("ViewNotPossible", [
    `${layoutText(layout)} cannot be viewed as ${tuple(shape)}`,
    cause,
    `use .reshape(${wanted}) (copies ${nbytes} bytes)`
      + (transposed ? `, or .T.view(${wanted}) for column-major element order` : ""),
  ], { axis, step, needed, cause, shape, transposed });
}

// A text that is no chain of known operations; columns count from 0.
export function expressionError(expression, column, problem, hint = "") {
  const shown = expression.length <= 60 ? expression : `${expression.slice(0, 57)}...`;
  return new Refusal("ExpressionError", [
    `${quoted(shown)} cannot be explored`,
    `at column ${column + 1}: ${problem}`,
    hint,
  ], { column });
}

// A text as Python's repr shows it; of the characters that a chain may hold only quotes need care.
export function quoted(text) {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inner = [...text.replaceAll("\\", "\\\\")].map((c) => {
    if (c === quote) return `\\${c}`;
    const code = c.codePointAt(0);
    const named = { 9: "\\t", 10: "\\n", 13: "\\r" }[code];
    return named ?? (code < 32 || code === 127 ? `\\x${code.toString(16).padStart(2, "0")}` : c);
  });
  return quote + inner.join("") + quote;
}
