// Which storage elements does a layout reach, and does it reach one twice? Bounded equations, solved exactly.
//
// sum(coefficient * x) = target with 0 <= x <= bound, solved by a search that skips what divisors rule out, as
// core/layout/equation.cpp does. Layouts here lie inside a storage of a million elements: numbers stay exact.

import { memoryOrder, orderFault } from "./layout.js";

const WORK = 100_000; // steps of the search; beyond them the answer is null, "too hard"

function gcd(a, b) {
  while (b !== 0) [a, b] = [b, a % b];
  return a;
}

// The x in [0, modulus) with value * x = 1 (mod modulus).
function inverseOf(value, modulus) {
  let [a, b, x, next] = [value, modulus, 1, 0];
  while (b !== 0) {
    const quotient = Math.floor(a / b);
    [a, b] = [b, a - quotient * b];
    [x, next] = [next, x - quotient * next];
  }
  return x < 0 ? x + modulus : x;
}

const timesModulo = (a, b, modulus) => Number((BigInt(a) * BigInt(b)) % BigInt(modulus));

class Equation {
  #terms = [];
  #shift = 0;

  add(coefficient, bound) {
    if (coefficient === 0 || bound === 0) return;
    // A negative coefficient is counted from the other end.
    if (coefficient < 0) this.#shift += -coefficient * bound;
    const size = Math.abs(coefficient);
    const same = this.#terms.find((term) => term.coefficient === size);
    if (same) same.bound += bound;
    else this.#terms.push({ coefficient: size, bound });
  }

  // true, false, or null where the work ran out.
  solve(target, budget) {
    this.#terms.sort((a, b) => b.coefficient - a.coefficient);
    let [reach, divisor, solid] = [0, 0, true];
    [...this.#terms].reverse().forEach((term, i) => {
      solid = i === 0 || (solid && term.coefficient % divisor === 0 && term.coefficient <= reach + divisor);
      reach += term.coefficient * term.bound;
      term.divisor = gcd(term.coefficient, divisor);
      term.period = divisor / term.divisor;
      term.inverse = i === 0 ? 0 : inverseOf(term.coefficient / term.divisor, term.period);
      divisor = term.divisor;
      Object.assign(term, { reach, solid });
    });
    const whole = target + this.#shift;
    return this.#terms.length ? this.#search(0, whole, budget) : whole === 0;
  }

  #search(first, rest, budget) {
    if (--budget.left < 0) return null;
    const term = this.#terms[first];
    if (rest < 0 || rest > term.reach || rest % term.divisor !== 0) return false;
    if (term.solid) return true;
    const next = this.#terms[first + 1];
    const low = Math.max(0, Math.ceil((rest - next.reach) / term.coefficient));
    const high = Math.min(term.bound, Math.floor(rest / term.coefficient));
    const residue = timesModulo(rest / term.divisor, term.inverse, term.period);
    const missing = (residue - low) % term.period;
    let x = low + missing + (missing < 0 ? term.period : 0);
    if (next.solid) return x <= high;
    for (; x <= high; x += term.period) {
      const answer = this.#search(first + 1, rest - term.coefficient * x, budget);
      if (answer !== false) return answer;
    }
    return false;
  }
}

// Two indices that differ first, in memory order, at axis order[first] are the same element where this has a solution.
function meet(layout, order, first, budget) {
  const leader = order[first];
  const equation = new Equation();
  equation.add(layout.strides[leader], layout.shape[leader] - 2);
  let target = -layout.strides[leader];
  for (const axis of order.slice(first + 1)) {
    const reach = layout.shape[axis] - 1;
    equation.add(layout.strides[axis], 2 * reach);
    target += layout.strides[axis] * reach;
  }
  return equation.solve(target, budget);
}

// Does one element stand at two indices? null where that is too hard.
export function overlapsItself(layout) {
  if (layout.shape.includes(0) || orderFault(layout) === null) return false;
  if (layout.shape.some((length, axis) => length > 1 && layout.strides[axis] === 0)) return true;
  const order = memoryOrder(layout);
  const budget = { left: WORK };
  let reach = 0;
  for (let i = order.length - 1; i >= 0; i--) {
    const axis = order[i];
    if (layout.shape[axis] === 1) continue;
    const step = Math.abs(layout.strides[axis]);
    if (step <= reach) {
      const answer = meet(layout, order, i, budget);
      if (answer !== false) return answer;
    }
    reach += step * (layout.shape[axis] - 1);
  }
  return false;
}

// Is a storage element reached at some index?
export function reaches(layout, position) {
  if (layout.shape.includes(0)) return false;
  const equation = new Equation();
  layout.shape.forEach((length, axis) => equation.add(layout.strides[axis], length - 1));
  return equation.solve(position - layout.offset, { left: WORK }) === true;
}

// The storage element of an index.
export const offsetOf = (layout, index) =>
  index.reduce((sum, i, axis) => sum + i * layout.strides[axis], layout.offset);

// All indices in row-major order of lists of places, one list an axis.
export function* indicesOf(places) {
  if (!places.length) { yield []; return; }
  const [first, ...rest] = places;
  for (const i of first) for (const tail of indicesOf(rest)) yield [i, ...tail];
}

export const countTo = (n) => Array.from({ length: n }, (_, i) => i);
