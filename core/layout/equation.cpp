#include "equation.hpp"

#include <algorithm>
#include <utility>

namespace strided {
namespace {

Wide gcd(Wide a, Wide b) {
  while (b != 0) {
    const Wide rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

// The x in [0, modulus) with value * x = 1 (mod modulus); value and modulus are coprime.
Wide inverse_of(Wide value, Wide modulus) {
  Wide a = value, b = modulus;
  Wide x = 1, next = 0;  // a = value * x (mod modulus), b = value * next (mod modulus)
  while (b != 0) {
    const Wide quotient = a / b;
    a = std::exchange(b, a - quotient * b);
    x = std::exchange(next, x - quotient * next);
  }
  return x < 0 ? x + modulus : x;
}

}  // namespace

void BoundedEquation::add(Wide coefficient, Wide bound) {
  if (coefficient == 0 || bound == 0) return;
  if (coefficient < 0) {
    // A negative coefficient, counted from the other end: a * x = a * bound + |a| * (bound - x).
    coefficient = -coefficient;
    shift_ += coefficient * bound;
  }
  int at = 0;
  while (at < count_ && terms_[at].coefficient > coefficient) ++at;
  if (at < count_ && terms_[at].coefficient == coefficient) {
    terms_[at].bound += bound;
    return;
  }
  assert(count_ < kMaxTerms);
  std::copy_backward(terms_ + at, terms_ + count_, terms_ + count_ + 1);
  terms_[at].coefficient = coefficient;
  terms_[at].bound = bound;
  ++count_;
}

void BoundedEquation::prepare() {
  Wide reach = 0, divisor = 0;
  bool solid = true;
  for (int i = count_; i-- > 0;) {
    Term& term = terms_[i];
    const bool last = i == count_ - 1;
    solid = last || (solid && term.coefficient % divisor == 0 &&
                     term.coefficient <= reach + divisor);
    reach += term.coefficient * term.bound;
    term.divisor = gcd(term.coefficient, divisor);
    term.period = divisor / term.divisor;
    term.inverse = last ? 0 : inverse_of(term.coefficient / term.divisor, term.period);
    divisor = term.divisor;
    term.reach = reach;
    term.solid = solid;
  }
}

Answer BoundedEquation::solve(Wide target, Index& work) {
  prepare();
  if (count_ == 0) return target + shift_ == 0 ? Answer::Yes : Answer::No;
  return search(0, target + shift_, work);
}

Answer BoundedEquation::search(int first, Wide rest, Index& work) const {
  if (--work < 0) return Answer::TooHard;
  const Term& term = terms_[first];
  if (rest < 0 || rest > term.reach || rest % term.divisor != 0) return Answer::No;
  if (term.solid) return Answer::Yes;

  // Not solid, so there is a next term. Keep its rest within [0, reach] ...
  const Term& next = terms_[first + 1];
  const Wide excess = rest - next.reach;
  const Wide low = excess > 0 ? (excess + term.coefficient - 1) / term.coefficient : 0;
  const Wide high = std::min(term.bound, rest / term.coefficient);
  // ... and a multiple of its divisor.
  const Wide residue = rest / term.divisor % term.period * term.inverse % term.period;
  const Wide missing = (residue - low) % term.period;
  Wide x = low + missing + (missing < 0 ? term.period : 0);

  if (next.solid) return x <= high ? Answer::Yes : Answer::No;
  for (; x <= high; x += term.period) {
    const Answer answer = search(first + 1, rest - term.coefficient * x, work);
    if (answer != Answer::No) return answer;
  }
  return Answer::No;
}

}  // namespace strided
