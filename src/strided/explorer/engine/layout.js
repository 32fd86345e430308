// Layout arithmetic: shape, strides and offset of every view, as core/layout computes them.
//
// A layout is { shape, strides, offset }, all in elements. Functions take one and return another; what has no
// view is refused with the typed error that strided raises. tests/explorer/test_page_engine.py compares both.

import {
  duplicateAxis, indexOutOfBounds, invalidArgument, invalidDimension, outOfStorageBounds, shapeMismatch, tuple,
  unsupportedOperation, viewNotPossible,
} from "./errors.js";

const LIMIT = 2n ** 63n;
const BROADCAST_RULE =
  "lengths, compared from the right, must be equal or 1; .unsqueeze() adds an axis of length 1";

export const product = (numbers) => numbers.reduce((a, b) => a * b, 1);
export const sizeOf = (layout) => product(layout.shape);
const sameNumbers = (a, b) => a.length === b.length && a.every((value, i) => value === b[i]);

// ---- checked arguments ----

export function normalAxis(dim, rank) {
  if (dim < -rank || dim >= rank) throw invalidDimension(dim, rank);
  return dim < 0 ? dim + rank : dim;
}

export function normalIndex(index, length, axis) {
  if (index < -length || index >= length) throw indexOutOfBounds(index, length, axis);
  return index < 0 ? index + length : index;
}

// A tensor of rank 0 may name its absent axis 0 where naming it changes nothing.
const rankOrOne = (layout) => Math.max(layout.shape.length, 1);

function axisSet(dims, rank) {
  const axes = new Set();
  for (const dim of dims) {
    const axis = normalAxis(dim, rank);
    if (axes.has(axis)) throw duplicateAxis(axis, dims);
    axes.add(axis);
  }
  return axes;
}

export function checkedSize(shape) {
  let count = 1n;
  for (const length of shape) {
    if (length < 0) throw invalidArgument("shape", tuple(shape), "must have no negative length");
    if (length !== 0) count *= BigInt(length);
    if (count >= LIMIT) {
      throw invalidArgument("shape", tuple(shape), "must have a number of elements that fits in 64 bits");
    }
  }
  return shape.includes(0) ? 0 : Number(count);
}

// ---- new layouts ----

// The last axis steps 1, each axis before it over all of the next; `order` names the axes from the slowest on.
export function packed(shape, order = shape.map((_, axis) => axis)) {
  checkedSize(shape);
  const strides = shape.map(() => 0);
  let step = 1;
  for (const axis of [...order].reverse()) {
    strides[axis] = step;
    step *= Math.max(shape[axis], 1);
  }
  return { shape: [...shape], strides, offset: 0 };
}

const picked = (layout, axes) => ({
  shape: axes.map((axis) => layout.shape[axis]),
  strides: axes.map((axis) => layout.strides[axis]),
  offset: layout.offset,
});

const axesOf = (layout) => layout.shape.map((_, axis) => axis);

// ---- contiguity ----

function firstGap(layout, axes) {
  let needed = 1;
  if (sizeOf(layout) === 0) return null;
  for (const axis of axes) {
    if (layout.shape[axis] === 1) continue;
    if (layout.strides[axis] !== needed) return { axis, stride: layout.strides[axis], needed };
    needed *= layout.shape[axis];
  }
  return null;
}

// The first axis from the right that spoils row-major order, or null.
export const orderFault = (layout) => firstGap(layout, axesOf(layout).reverse());

// The axes from the slowest to the fastest; those that take no step stay right of their left neighbour.
export function memoryOrder(layout) {
  const steps = (axis) => layout.strides[axis] !== 0 && layout.shape[axis] !== 1;
  const pace = (axis) => Math.abs(layout.strides[axis]);
  const order = [];
  for (const axis of axesOf(layout).filter(steps)) {
    let at = order.length;
    while (at > 0 && pace(order[at - 1]) < pace(axis)) --at;
    order.splice(at, 0, axis);
  }
  for (const axis of axesOf(layout).filter((one) => !steps(one))) {
    order.splice(axis === 0 ? 0 : order.indexOf(axis - 1) + 1, 0, axis);
  }
  return order;
}

// ---- parts of axes ----

const withAxis = (layout, axis, length, stride, offset) => ({
  shape: layout.shape.with(axis, length),
  strides: layout.strides.with(axis, stride),
  offset,
});

// A slice as Python reads it: { start, count, step } of an axis.
function sliceOf(length, { start, stop, step }) {
  const by = step ?? 1;
  if (by === 0) throw new RangeError("slice step cannot be zero");
  const [low, high] = by > 0 ? [0, length] : [-1, length - 1];
  const clipped = (bound, otherwise) =>
    (bound === null ? otherwise : Math.min(Math.max(bound < 0 ? bound + length : bound, low), high));
  const first = clipped(start, by > 0 ? low : high);
  const end = clipped(stop, by > 0 ? high : low);
  const count = Math.max(0, Math.ceil((end - first) / by));
  return { start: Math.max(first, 0), count, step: by };
}

export function narrowed(layout, dim, start, length) {
  const axis = normalAxis(dim, layout.shape.length);
  const available = layout.shape[axis];
  if (start < -available || start > available) throw indexOutOfBounds(start, available, axis);
  const first = start < 0 ? start + available : start;
  if (length < 0 || length > available - first) {
    throw invalidArgument("length", length,
      `must lie between 0 and ${available - first}, what is left of axis ${axis}`);
  }
  const stride = layout.strides[axis];
  return withAxis(layout, axis, length, stride, layout.offset + first * stride);
}

export function selected(layout, dim, index) {
  const axis = normalAxis(dim, layout.shape.length);
  const at = normalIndex(index, layout.shape[axis], axis);
  return {
    shape: layout.shape.toSpliced(axis, 1),
    strides: layout.strides.toSpliced(axis, 1),
    offset: layout.offset + at * layout.strides[axis],
  };
}

export function diagonal(layout, offset = 0, dim1 = 0, dim2 = 1) {
  const rank = layout.shape.length;
  axisSet([dim1, dim2], rank);
  const [down, right] = [normalAxis(dim1, rank), normalAxis(dim2, rank)];
  const rows = layout.shape[down] + Math.min(offset, 0);
  const columns = layout.shape[right] - Math.max(offset, 0);
  const count = Math.max(Math.min(rows, columns), 0);
  const first = offset < 0 ? -offset * layout.strides[down] : offset * layout.strides[right];
  const rest = picked(layout, axesOf(layout).filter((axis) => axis !== down && axis !== right));
  return {
    shape: [...rest.shape, count],
    strides: [...rest.strides, layout.strides[down] + layout.strides[right]],
    offset: layout.offset + (count > 0 ? first : 0),
  };
}

export function unfolded(layout, dim, size, step = 1) {
  const axis = normalAxis(dim, rankOrOne(layout));
  const scalar = layout.shape.length === 0; // as one axis of length 1, which it loses again
  const length = scalar ? 1 : layout.shape[axis];
  const stride = scalar ? 1 : layout.strides[axis];
  if (size < 0 || size > length) {
    throw invalidArgument("size", size, `must lie between 0 and ${length}, the length of axis ${axis}`);
  }
  if (step < 1) throw invalidArgument("step", step, "must be at least 1");
  const windows = Math.floor((length - size) / step) + 1;
  const outer = scalar ? layout : withAxis(layout, axis, windows, stride * step, layout.offset);
  return { shape: [...outer.shape, size], strides: [...outer.strides, stride], offset: layout.offset };
}

// What an index of integers, slices, None (null) and "..." leaves of the axes, from left to right.
export function indexed(layout, items) {
  const rank = layout.shape.length;
  const used = items.filter((item) => item !== null && item !== "...").length;
  if (used > rank) throw invalidDimension(used - 1, rank);
  const result = { shape: [], strides: [], offset: layout.offset };
  let read = 0;
  const append = (length, stride) => { result.shape.push(length); result.strides.push(stride); };
  const keep = (count) => { for (; count > 0; --count, ++read) append(layout.shape[read], layout.strides[read]); };
  for (const item of items) {
    const [length, stride] = [layout.shape[read], layout.strides[read]];
    if (item === "...") keep(rank - used);
    else if (item === null) append(1, read < rank ? stride * length : 1);
    else if (typeof item === "number") {
      result.offset += normalIndex(item, length, read++) * stride;
    } else {
      const part = sliceOf(length, item);
      result.offset += part.start * stride;
      append(part.count, stride * part.step);
      read++;
    }
  }
  keep(rank - read);
  return result;
}

// ---- axes in another order ----

export function transposed(layout, dim0, dim1) {
  const rank = rankOrOne(layout);
  const [a, b] = [normalAxis(dim0, rank), normalAxis(dim1, rank)];
  return picked(layout, axesOf(layout).map((axis) => (axis === a ? b : axis === b ? a : axis)));
}

export function permuted(layout, dims) {
  const rank = layout.shape.length;
  if (dims.length !== rank) {
    throw shapeMismatch("permute", layout.shape, dims, `name each of the ${rank} axes once`);
  }
  const axes = dims.map((dim) => normalAxis(dim, rank));
  axisSet(dims, rank);
  return picked(layout, axes);
}

export const reversedAxes = (layout) => picked(layout, axesOf(layout).reverse());

export function moved(layout, source, destination) {
  if (source.length !== destination.length) {
    throw invalidArgument("destination", tuple(destination),
      `must have one place for each axis of source ${tuple(source)}`);
  }
  const rank = rankOrOne(layout);
  axisSet(source, rank);
  axisSet(destination, rank);
  if (layout.shape.length === 0) return layout;
  const axes = axesOf(layout).map(() => -1);
  source.forEach((from, i) => { axes[normalAxis(destination[i], rank)] = normalAxis(from, rank); });
  const others = axesOf(layout).filter((axis) => !axes.includes(axis));
  return picked(layout, axes.map((axis) => (axis < 0 ? others.shift() : axis)));
}

export function flipped(layout, dims) {
  const chosen = axisSet(dims, rankOrOne(layout));
  let { offset } = layout;
  const strides = layout.strides.map((stride, axis) => {
    if (!chosen.has(axis)) return stride;
    if (layout.shape[axis] > 0) offset += (layout.shape[axis] - 1) * stride;
    return -stride || 0; // no negative zero
  });
  return { shape: [...layout.shape], strides, offset };
}

export function rotated(layout, k = 1, dims = [0, 1]) {
  const rank = layout.shape.length;
  if (dims.length !== 2 || normalAxis(dims[0], rank) === normalAxis(dims[1], rank)) {
    throw invalidArgument("dims", tuple(dims), "must be two axes that differ");
  }
  const [first, second] = dims.map((dim) => normalAxis(dim, rank));
  const turns = ((k % 4) + 4) % 4;
  if (turns === 0) return layout;
  if (turns === 2) return flipped(layout, [first, second]);
  if (turns === 1) return transposed(flipped(layout, [second]), first, second);
  return flipped(transposed(layout, first, second), [second]);
}

// ---- axes of length 1, and repeated ones ----

export function squeezed(layout, dims = null) {
  const chosen = dims === null ? new Set(axesOf(layout)) : axisSet(dims, rankOrOne(layout));
  return picked(layout, axesOf(layout).filter((axis) => !(chosen.has(axis) && layout.shape[axis] === 1)));
}

export function unsqueezed(layout, dim) {
  const rank = layout.shape.length;
  const axis = normalAxis(dim, rank + 1);
  const stride = axis === rank ? 1 : layout.strides[axis] * layout.shape[axis];
  return {
    shape: layout.shape.toSpliced(axis, 0, 1), strides: layout.strides.toSpliced(axis, 0, stride), offset: layout.offset,
  };
}

export function expanded(layout, shape) {
  const added = shape.length - layout.shape.length;
  const refused = () => shapeMismatch("expand", shape, layout.shape, BROADCAST_RULE);
  if (added < 0) throw refused();
  const result = { shape: [...shape], strides: shape.map(() => 0), offset: layout.offset };
  for (let i = shape.length - 1; i >= 0; i--) {
    const old = i >= added;
    const length = old ? layout.shape[i - added] : 1;
    let stride = 0; // also of the axes added to rank 0, which have no neighbour
    if (old) stride = layout.strides[i - added];
    else if (layout.shape.length > 0) stride = result.strides[i + 1] * result.shape[i + 1];
    const keeps = shape[i] === length || (old && shape[i] === -1);
    if (!keeps && length !== 1) throw refused();
    result.shape[i] = keeps ? length : shape[i];
    result.strides[i] = keeps ? stride : 0;
  }
  checkedSize(result.shape);
  return result;
}

// The shape that two lists of positions have together.
export function broadcastShape(a, b) {
  const rank = Math.max(a.length, b.length);
  const lengthIn = (shape, axis) => shape[axis - rank + shape.length] ?? 1;
  return Array.from({ length: rank }, (_, axis) => {
    const [inA, inB] = [lengthIn(a, axis), lengthIn(b, axis)];
    if (inA !== inB && inA !== 1 && inB !== 1) {
      throw shapeMismatch("broadcast", a, b, BROADCAST_RULE);
    }
    return inA === 1 ? inB : inA;
  });
}

// ---- other shapes ----

// The shape with its -1 worked out.
export function resolvedShape(shape, oldShape) {
  const unknown = shape.indexOf(-1);
  if (unknown !== shape.lastIndexOf(-1)) throw invalidArgument("shape", tuple(shape), "must have at most one -1");
  const known = checkedSize(unknown >= 0 ? shape.with(unknown, 1) : shape);
  const total = product(oldShape);
  if (unknown >= 0 && known !== 0 && total % known === 0) return shape.with(unknown, total / known);
  if (unknown >= 0 || known !== total) {
    throw shapeMismatch("reshape", oldShape, shape, unknown >= 0
      ? `no length for -1 makes ${total} elements`
      : `${known} elements are not ${total}`);
  }
  return shape;
}

// The view in a shape of as many elements, or { refusal }. New axes are given to groups of old axes that step
// together, both from the right.
export function tryReshape(layout, shape) {
  const rank = layout.shape.length;
  if (rank === 0 || sizeOf(layout) === 0) {
    const same = sameNumbers(shape, layout.shape);
    return { layout: same ? layout : { ...packed(shape), offset: layout.offset } };
  }
  const strides = shape.map(() => 0);
  let to = shape.length - 1;
  let step = layout.strides[rank - 1]; // of the fastest axis of the group
  let groupSize = 1; // elements in the group
  let assigned = 1; // elements in the new axes given to it
  for (let from = rank - 1; from >= 0; from--) {
    groupSize *= layout.shape[from];
    const needed = groupSize * step;
    if (from > 0 && (layout.shape[from - 1] === 1 || layout.strides[from - 1] === needed)) continue;
    for (; to >= 0 && (assigned < groupSize || shape[to] === 1); to--) {
      strides[to] = step * assigned;
      assigned *= shape[to];
    }
    // A new axis reaches across the border; there is one, since the counts agree.
    if (assigned !== groupSize) return { refusal: { axis: from - 1, step: layout.strides[from - 1], needed } };
    if (from > 0) {
      step = layout.strides[from - 1];
      groupSize = 1;
      assigned = 1;
    }
  }
  return { layout: { shape: [...shape], strides, offset: layout.offset } };
}

// The view in a new shape; what has none is refused.
export function viewed(layout, shape, itemsize) {
  const wanted = resolvedShape(shape, layout.shape);
  const found = tryReshape(layout, wanted);
  if (found.refusal) throw viewNotPossible(layout, wanted, found.refusal, sizeOf(layout) * itemsize);
  return found.layout;
}

export function flattenedShape(layout, first = 0, last = -1) {
  const rank = rankOrOne(layout);
  const [from, to] = [normalAxis(first, rank), normalAxis(last, rank)];
  if (from > to) throw invalidArgument("first", first, `must be an axis not right of last = ${last}`);
  return [...layout.shape.slice(0, from), product(layout.shape.slice(from, to + 1)), ...layout.shape.slice(to + 1)];
}

// ---- any layout ----

export function restrided(layout, shape, strides, offset, storageSize) {
  checkedSize(shape);
  if (shape.length !== strides.length) {
    throw invalidArgument("strides", tuple(strides), `must have one stride for each axis of shape ${tuple(shape)}`);
  }
  const result = { shape, strides, offset: offset ?? layout.offset };
  const { lowest, highest } = boundsOf(result);
  if (lowest <= highest && (lowest < 0 || highest >= storageSize)) {
    throw outOfStorageBounds(result, lowest, highest, storageSize);
  }
  // An empty layout reaches nothing, but its offset is still where it would begin.
  if (offset !== undefined && (offset < 0 || offset > storageSize)) {
    throw outOfStorageBounds({ shape, strides, offset }, offset, offset, storageSize);
  }
  return result;
}

// The lowest and highest storage element that is reached; lowest > highest where there is none.
export function boundsOf({ shape, strides, offset }) {
  if (shape.includes(0)) return { lowest: 0, highest: -1 };
  let [lowest, highest] = [BigInt(offset), BigInt(offset)];
  shape.forEach((length, axis) => {
    const way = BigInt(length - 1) * BigInt(strides[axis]);
    if (way < 0n) lowest += way;
    else highest += way;
  });
  if (lowest < -LIMIT) lowest = -LIMIT;
  if (highest >= LIMIT) highest = LIMIT - 1n;
  return { lowest, highest };
}

export function transposedMatrix(layout) {
  if (layout.shape.length > 2) {
    throw unsupportedOperation(".t()", `needs rank 0, 1 or 2, this tensor has shape ${tuple(layout.shape)}`,
      "use .mT for the last two axes or .permute() to say which");
  }
  return reversedAxes(layout);
}
