// What an operation makes of a tensor: a view, the tensor itself, or a copy, as the methods of strided do.

import { invalidArgument, shapeMismatch, unsupportedOperation, tuple } from "./errors.js";
import * as views from "./layout.js";
import { MAKERS, clonedTo, gathered, reshapedCopy, rolled } from "./tensors.js";

const { product } = views;
const listOf = (value) => (Array.isArray(value) ? value : [value]);

// ---- views: layout and arguments in, layout out ----

// The arguments of a call by the names of its parameters.
function bound(row, args, keywords) {
  const named = Object.fromEntries(args.map((value, i) => [row.parameters[i][0], value]));
  return { ...named, ...keywords };
}

const several = (name) => (layout, args, keywords) => {
  const given = keywords[name] ?? args;
  return given.length === 1 && Array.isArray(given[0]) ? given[0] : listOf(given);
};

const dimsOf = several("dims");
const sizesOf = several("size");

function needsRank(layout, rank, name, hint) {
  if (layout.shape.length < rank) {
    throw unsupportedOperation(name, `needs rank ${rank} or more, this tensor has shape ${tuple(layout.shape)}`, hint);
  }
}

function transpose(layout, args, keywords) {
  if (!args.length && !Object.keys(keywords).length) return views.reversedAxes(layout);
  if (args.length + Object.keys(keywords).length !== 2) return views.permuted(layout, dimsOf(layout, args, {}));
  const { dim0, dim1 } = { ...Object.fromEntries(args.map((value, i) => [`dim${i}`, value])), ...keywords };
  return views.transposed(layout, dim0, dim1);
}

function unflattened(layout, dim, sizes, itemsize) {
  const axis = views.normalAxis(dim, layout.shape.length);
  const length = layout.shape[axis];
  const known = product(sizes.filter((size) => size !== -1));
  const unknown = sizes.filter((size) => size === -1).length === 1 && known !== 0;
  const parts = unknown ? sizes.with(sizes.indexOf(-1), Math.floor(length / known)) : sizes;
  if (product(parts) !== length) {
    throw shapeMismatch("unflatten", [length], sizes, `the sizes must multiply to ${length}`);
  }
  return views.viewed(layout, [...layout.shape.slice(0, axis), ...parts, ...layout.shape.slice(axis + 1)], itemsize);
}

function windows(layout, windowShape, dim) {
  const sizes = listOf(windowShape);
  const dims = dim === undefined ? layout.shape.map((_, axis) => axis) : listOf(dim);
  if (sizes.length !== dims.length) {
    throw shapeMismatch("sliding_window_view", dims, sizes, "give one window length per axis");
  }
  const rank = layout.shape.length;
  return dims.reduce((out, one, i) => views.unfolded(out, views.normalAxis(one, rank), sizes[i], 1), layout);
}

function rankTwo(layout) {
  if (layout.shape.length !== 2) {
    throw unsupportedOperation(".T", `needs rank 2, this tensor has shape ${tuple(layout.shape)}`,
      "use .mT for the last two axes or .permute() to say which");
  }
  return views.reversedAxes(layout);
}

function lastTwo(layout) {
  if (layout.shape.length < 2) {
    throw unsupportedOperation(".mT", `needs rank 2, this tensor has shape ${tuple(layout.shape)}`,
      "use .unsqueeze() to add an axis first");
  }
  return views.transposed(layout, -2, -1);
}

// Names stand for what they do; `named` hands over the arguments by the names of the table.
const named = (view) => (layout, args, keywords, row, x) => view(layout, bound(row, args, keywords), x);

const expand = (layout, args, keywords) => views.expanded(layout, sizesOf(layout, args, keywords));
// As expand, but each length is said: -1 keeps none.
const broadcast = (layout, args, keywords) => {
  const sizes = sizesOf(layout, args, keywords);
  for (const size of sizes) {
    if (size < 0) throw invalidArgument("shape", size, "must be lengths; .expand() keeps one for -1");
  }
  return views.expanded(layout, sizes);
};
const move = named((layout, { source, destination }) => views.moved(layout, listOf(source), listOf(destination)));
const swap = named((layout, { dim0, dim1 }) => views.transposed(layout, dim0, dim1));
const unsqueeze = named((layout, { dim }) => views.unsqueezed(layout, dim));

const VIEWS = {
  permute: (layout, args, keywords) => views.permuted(layout, dimsOf(layout, args, keywords)),
  transpose,
  swapaxes: swap,
  swapdims: swap,
  T: rankTwo,
  mT: lastTwo,
  t: views.transposedMatrix,
  movedim: move,
  moveaxis: move,
  flip: (layout, args, keywords) => {
    const dims = dimsOf(layout, args, keywords);
    return views.flipped(layout, args.length || keywords.dims !== undefined ? dims : layout.shape.map((_, axis) => axis));
  },
  flipud: (layout) => {
    needsRank(layout, 1, "flipud", "use .flip() for every axis there is");
    return views.flipped(layout, [0]);
  },
  fliplr: (layout) => {
    needsRank(layout, 2, "fliplr", "use .flip(dims) to say which axes");
    return views.flipped(layout, [1]);
  },
  rot90: named((layout, { k, dims }) => views.rotated(layout, k, dims)),
  squeeze: named((layout, { dim }) => views.squeezed(layout, dim === undefined ? null : listOf(dim))),
  unsqueeze,
  expand_dims: unsqueeze,
  expand,
  broadcast_to: broadcast,
  view: (layout, args, keywords, row, x) =>
    (args.length ? views.viewed(layout, sizesOf(layout, args, {}), x.storage.itemsize) : layout),
  unflatten: named((layout, { dim, sizes }, x) => unflattened(layout, dim, sizes, x.storage.itemsize)),
  as_strided: named((layout, { size, stride, storage_offset: offset }, x) =>
    views.restrided(layout, size, stride, offset, x.storage.size)),
  detach: (layout) => layout,
  narrow: named((layout, { dim, start, length }) => views.narrowed(layout, dim, start, length)),
  select: named((layout, { dim, index }) => views.selected(layout, dim, index)),
  diagonal: named((layout, { offset, dim1, dim2 }) => views.diagonal(layout, offset, dim1, dim2)),
  unfold: named((layout, { dim, size, step }) => views.unfolded(layout, dim, size, step)),
};

// ---- what may copy, or give the tensor itself: tensor in, tensor out ----

function reshape(x, shape) {
  const wanted = views.resolvedShape(shape, x.layout.shape);
  const found = views.tryReshape(x.layout, wanted);
  if (found.refusal) return reshapedCopy(x, wanted);
  const isRowMajor = views.sizeOf(x.layout) > 0 && views.orderFault(x.layout) === null;
  return { ...x, layout: isRowMajor ? { ...views.packed(wanted), offset: x.layout.offset } : found.layout };
}

function roll(x, shifts, dims) {
  const [by, along] = [listOf(shifts), listOf(dims)];
  const all = Array.isArray(shifts) ? by : along.map(() => shifts);
  if (all.length !== along.length) throw shapeMismatch("roll", along, all, "give one shift per axis");
  const moved = new Map();
  along.forEach((dim, i) => {
    const axis = views.normalAxis(dim, x.layout.shape.length);
    moved.set(axis, (moved.get(axis) ?? 0) + all[i]);
  });
  return rolled(x, moved);
}

const contiguous = (x) => (views.orderFault(x.layout) === null ? x : clonedTo(x));
const RESULTS = {
  reshape: (x, args, keywords) => reshape(x, sizesOf(x.layout, args, keywords)),
  flatten: (x, args, keywords, row) => {
    const { start_dim: first, end_dim: last } = bound(row, args, keywords);
    return reshape(x, views.flattenedShape(x.layout, first, last));
  },
  ravel: (x) => contiguous(reshape(x, [-1])),
  contiguous,
  clone: (x) => clonedTo(x, views.memoryOrder(x.layout)),
  copy: (x) => clonedTo(x, views.memoryOrder(x.layout)),
  roll: (x, args) => roll(x, ...args),
  sliding_window_view: (x, args, keywords, row) => {
    const { window_shape: sizes, dim } = bound(row, args, keywords);
    const layout = windows(x.layout, sizes, dim);
    return layout === x.layout ? x : { ...x, layout };
  },
};

// The operations that the page can do; the table of the chain language names the same ones.
export const KNOWN = [...Object.keys(VIEWS), ...Object.keys(RESULTS)];

// ---- bounds ----

function checkCount(lengths, limits) {
  const count = lengths.reduce((a, b) => a * BigInt(b), 1n);
  if (count > limits.elements) {
    throw invalidArgument("the number of elements", count, `must be at most ${limits.elements} in the explorer`);
  }
}

function checked(x, limits) {
  checkCount(x.layout.shape, limits);
  if (x.layout.shape.length > limits.rank) {
    throw invalidArgument("the rank", x.layout.shape.length, `must be at most ${limits.rank} in the explorer`);
  }
  return x;
}

// ---- what a chain calls ----

// A new tensor, its size checked first.
export function make(link, tables) {
  const { name, args, keywords, library } = link;
  const lengths = {
    arange: () => [rangeLength(args)],
    linspace: () => args.slice(2),
    full: () => listOf(args[0]),
    eye: () => (args.length === 2 ? args : [args[0], args[0]]),
    tensor: () => [],
  }[name] ?? (() => sizesOf(null, args, {}));
  checkCount(lengths(), tables.limits);
  const sizes = Object.fromEntries(Object.entries(tables.dtypes).map(([one, { itemsize }]) => [one, itemsize]));
  const usual = tables.doubles.includes(library) ? "float64" : "float32";
  return checked(MAKERS[name](args, keywords.dtype ?? null, sizes, usual), tables.limits);
}

function rangeLength(args) {
  const [start, stop, step] = args.length === 1 ? [0, args[0], 1] : [args[0], args[1], args[2] ?? 1];
  return step === 0 ? 0 : Math.max(0, Math.ceil((stop - start) / step));
}

// The result of one operation of the table.
export function step(x, link, tables) {
  const row = tables.steps[link.name];
  const view = VIEWS[link.name];
  const result = view
    ? { ...x, layout: view(x.layout, link.args, link.keywords, row, x) }
    : RESULTS[link.name](x, link.args, link.keywords, row);
  return checked(result, tables.limits);
}

const leaves = (item) => [item].flat(Infinity).length;

// x[key]: a view, or a gathered copy where the key has lists.
export function index(x, items, tables) {
  const isList = Array.isArray;
  if (!items.some(isList)) return checked({ ...x, layout: views.indexed(x.layout, items) }, tables.limits);
  // What a gather makes is known beforehand: the places of the lists times the rest.
  const one = { start: 0, stop: 1, step: null };
  const rest = views.indexed(x.layout, items.map((item) => (isList(item) ? one : item)));
  checkCount([views.sizeOf(rest), product(items.filter(isList).map(leaves))], tables.limits);
  return checked(gathered(x, ...taken(x.layout, items)), tables.limits);
}

// A key taken apart: the view of its slices, and the positions for some of the view's axes. Beside a list an integer
// is a position too.
export function taken(layout, items) {
  const rank = layout.shape.length;
  const used = items.filter((item) => item !== null && item !== "...").length;
  const whole = { start: null, stop: null, step: null };
  const key = items.flatMap((item) => (item === "..." ? Array(rank - used).fill(whole) : [item]));
  const isPosition = (item) => Array.isArray(item) || typeof item === "number";
  const view = views.indexed(layout, key.map((item) => (isPosition(item) ? whole : item)));
  const lists = key.flatMap((item, axis) => (isPosition(item) ? [{
    axis,
    sourceAxis: key.slice(0, axis).filter((before) => before !== null).length,
    shape: shapeOfList(item),
    values: [item].flat(Infinity),
  }] : []));
  return [view, lists];
}

function shapeOfList(item) {
  return Array.isArray(item) ? [item.length, ...(item.length ? shapeOfList(item[0]) : [])] : [];
}
