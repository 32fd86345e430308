// Tensors of the page: a layout over a storage whose elements are worked out when they are asked for.
//
// A storage is { size, dtype, itemsize, valueAt(position) }. A copy keeps no elements of its own: it knows which
// element of its source stands at each position.

import { invalidArgument } from "./errors.js";
import { broadcastShape, checkedSize, normalIndex, packed, product, sizeOf } from "./layout.js";
import { countTo, indicesOf, offsetOf } from "./overlap.js";

// ---- elements ----

// A number with so many bits before and behind its first one, as half precision keeps it; ties go to even.
function roundedTo(value, bits, largest) {
  if (value === 0) return 0;
  const step = 2 ** (Math.floor(Math.log2(Math.abs(value))) - bits + 1);
  const parts = value / step;
  const below = Math.floor(parts);
  const isTie = parts - below === 0.5;
  const rounded = (isTie ? below + (below % 2 !== 0) : Math.round(parts)) * step;
  return Math.abs(rounded) > largest ? Math.sign(value) * Infinity : rounded;
}

const FLOATS = {
  float16: (value) => roundedTo(value, 11, 65504),
  bfloat16: (value) => roundedTo(value, 8, 3.4e38),
  float32: Math.fround,
  float64: (value) => value,
};

const isFloat = (dtype) => dtype in FLOATS;

function rangeOf(dtype) {
  const bits = BigInt(dtype.replace(/\D/g, ""));
  return dtype.startsWith("u") ? [0n, 2n ** bits - 1n] : [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n];
}

// A whole number as an element; integers must hold it.
function elementOf(value, dtype) {
  if (isFloat(dtype)) return FLOATS[dtype](value);
  const [least, most] = rangeOf(dtype);
  if (value < least || value > most) {
    throw invalidArgument("value", value, `must fit in ${dtype}; convert the tensor to a wider dtype with .to()`);
  }
  return value;
}

// Six digits of a number and the power of ten of the first; ties go to the even digit, as in C.
function sixDigits(value) {
  const [exact, power] = value.toExponential(60).replace(".", "").split("e");
  const isTie = /^50*$/.test(exact.slice(6));
  if (isTie && Number(exact[5]) % 2 === 0) return [exact.slice(0, 6), Number(power)];
  const [digits, rounded] = value.toExponential(5).replace(".", "").split("e");
  return [digits, Number(rounded)];
}

// A number as C's %g writes it: six digits, no zeros behind.
function general(value) {
  if (value === 0) return "0";
  const sign = value < 0 ? "-" : "";
  if (!Number.isFinite(value)) return `${sign}inf`;
  const [digits, power] = sixDigits(Math.abs(value));
  const point = (whole, rest) => (rest ? `${whole}.${rest}` : whole);
  const few = digits.replace(/0+$/, "");
  if (power < -4 || power >= 6) {
    const exponent = `${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
    return `${sign}${point(few[0], few.slice(1))}e${exponent}`;
  }
  if (power < 0) return `${sign}0.${"0".repeat(-power - 1)}${few}`;
  return sign + point(digits.slice(0, power + 1), few.slice(power + 1));
}

export const textAt = (storage, position) => {
  const value = storage.valueAt(position);
  return isFloat(storage.dtype) ? general(value) : String(value);
};

// ---- new tensors ----

const tensorOf = (shape, dtype, itemsizes, valueAt) => ({
  layout: packed(shape),
  storage: { size: product(shape), dtype, itemsize: itemsizes[dtype], valueAt },
});

const asShape = (args) => (args.length === 1 && Array.isArray(args[0]) ? args[0] : args);

function depthOf(data) {
  const shape = [];
  for (let item = data; Array.isArray(item); [item] = item) shape.push(item.length);
  return shape;
}

function range(args, dtype, itemsizes) {
  const [start, stop, step] = args.length === 1 ? [0, args[0], 1] : [args[0], args[1], args[2] ?? 1];
  if (step === 0) throw invalidArgument("step", 0, "must not be zero");
  const count = Math.max(0, Math.ceil((stop - start) / step));
  const last = count ? start + (count - 1) * step : start;
  if (!isFloat(dtype) && count) {
    const [least, most] = rangeOf(dtype);
    if (Math.min(start, last) < least || Math.max(start, last) > most) {
      throw invalidArgument("range", `${start} to ${last}`, `must lie inside ${dtype}: pass a wider dtype`);
    }
  }
  return tensorOf([count], dtype, itemsizes, (i) => elementOf(start + i * step, dtype));
}

function spaced([start, stop, count], dtype, itemsizes) {
  if (count < 0) throw invalidArgument("num", count, "must not be negative");
  const step = count > 1 ? (stop - start) / (count - 1) : 0;
  const isLast = (i) => count > 1 && i === count - 1; // rounding must not move the end
  return tensorOf([count], dtype, itemsizes, (i) => FLOATS[dtype](isLast(i) ? stop : start + i * step));
}

function filled(shape, value, dtype, itemsizes) {
  checkedSize(shape);
  const element = elementOf(value, dtype);
  return tensorOf(shape, dtype, itemsizes, () => element);
}

// Functions that make tensors: arguments, dtype (null: their own), sizes of dtypes, the float that is usual.
export const MAKERS = {
  arange: (args, dtype, itemsizes) => range(args, dtype ?? "int64", itemsizes),
  zeros: (args, dtype, itemsizes, usual) => filled(asShape(args), 0, dtype ?? usual, itemsizes),
  ones: (args, dtype, itemsizes, usual) => filled(asShape(args), 1, dtype ?? usual, itemsizes),
  full: ([size, value], dtype, itemsizes) => filled([size].flat(), value, dtype ?? "int64", itemsizes),
  eye: ([rows, columns = rows], dtype, itemsizes, usual) => {
    checkedSize([rows, columns]);
    const isOne = (p) => Math.floor(p / columns) === p % columns;
    return tensorOf([rows, columns], dtype ?? usual, itemsizes, (p) => Number(isOne(p)));
  },
  linspace: (args, dtype, itemsizes, usual) => spaced(args, usual, itemsizes),
  tensor: ([data], dtype, itemsizes, usual) => {
    const values = [data].flat(Infinity);
    const own = dtype ?? (values.length || !Array.isArray(data) ? "int64" : usual);
    const elements = values.map((value) => elementOf(value, own));
    return tensorOf(depthOf(data), own, itemsizes, (i) => elements[i]);
  },
};

// ---- copies ----

// A new tensor of a packed layout whose elements are those of a source, named by a function of the index.
function copied(x, layout, sourceOf) {
  const order = layout.shape.map((_, axis) => axis).sort((a, b) => layout.strides[b] - layout.strides[a]
    || layout.shape[b] - layout.shape[a]);
  const indexOf = (position) => {
    const index = layout.shape.map(() => 0);
    let rest = position;
    for (const axis of order) {
      if (layout.shape[axis] === 1) continue;
      index[axis] = Math.floor(rest / layout.strides[axis]);
      rest %= layout.strides[axis];
    }
    return index;
  };
  const { storage } = x;
  return {
    layout,
    storage: { ...storage, size: sizeOf(layout), valueAt: (position) => storage.valueAt(sourceOf(indexOf(position))) },
  };
}

// A copy in the order of some axes, from the slowest on.
export const clonedTo = (x, order) =>
  copied(x, packed(x.layout.shape, order), (index) => offsetOf(x.layout, index));

// A row-major copy in another shape.
export function reshapedCopy(x, shape) {
  const rows = clonedTo(x);
  return { layout: packed(shape), storage: rows.storage };
}

// The elements at lists of positions: `rest` is the view without them, `lists` an axis and its positions each.
export function gathered(x, view, lists) {
  const axes = lists.map(({ axis }) => axis);
  const indexShape = lists.map(({ shape }) => shape).reduce(broadcastShape, []);
  const others = view.shape.map((_, axis) => axis).filter((axis) => !axes.includes(axis));
  const together = axes.at(-1) - axes[0] === axes.length - 1;
  const at = together ? others.filter((axis) => axis < axes[0]).length : 0;
  const rest = others.map((axis) => view.shape[axis]);
  const shape = [...rest.slice(0, at), ...indexShape, ...rest.slice(at)];
  const positionsAt = ({ shape: own, values }, index) => {
    const tail = index.slice(indexShape.length - own.length);
    return values[tail.reduce((place, i, axis) => place * own[axis] + (own[axis] === 1 ? 0 : i), 0)];
  };
  // Numbers are checked beside empty lists too.
  for (const list of lists) if (list.shape.length === 0) normalIndex(list.values[0], view.shape[list.axis], list.sourceAxis);
  for (const index of indexShape.includes(0) ? [] : indicesOf(indexShape.map(countTo))) {
    for (const list of lists) normalIndex(positionsAt(list, index), view.shape[list.axis], list.sourceAxis);
  }
  return copied(x, packed(shape), (index) => {
    const picked = index.slice(at, at + indexShape.length);
    const kept = [...index.slice(0, at), ...index.slice(at + indexShape.length)];
    const whole = view.shape.map(() => 0);
    others.forEach((axis, i) => { whole[axis] = kept[i]; });
    for (const list of lists) {
      whole[list.axis] = normalIndex(positionsAt(list, picked), view.shape[list.axis], list.sourceAxis);
    }
    return offsetOf(view, whole);
  });
}

// Elements moved along axes, those pushed out coming back in front.
export function rolled(x, shifts) {
  const { shape } = x.layout;
  return copied(x, packed(shape), (index) => {
    const from = index.map((i, axis) => (((i - (shifts.get(axis) ?? 0)) % shape[axis]) + shape[axis]) % shape[axis]);
    return offsetOf(x.layout, from);
  });
}
