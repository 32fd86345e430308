// Runs of quick ops on a few vectors at a time. The same ops come in the same order for every few vectors, so
// the processor predicts the way through the switch.
#include <algorithm>

#include "kernels/elementwise/ops/real_ops.hpp"
#include "kernels/fill_loops.hpp"
#include "simd/vector.hpp"

namespace strided::kernels::elementwise::STRIDED_ISA {
namespace {

using convert::STRIDED_ISA::load_strided;
using convert::STRIDED_ISA::store_strided;

// At a time: four chains of dependent operations hide their latency, and leave registers for operands.
constexpr int kVectors = 4;

template <class T>
struct Lanes {
  typedef T V __attribute__((vector_size(kVectorBytes)));
  static constexpr Index kEach = kVectorBytes / static_cast<Index>(sizeof(T));
  static constexpr Index kGroup = kVectors * kEach;
};

// Where the vectors of an operand's next group are: `step` bytes from one to the next, 0 where an element is broadcast.
struct Source {
  const std::byte* at;
  Index step;
};

// The running value as the second operand.
template <Op op>
constexpr auto swapped = [](auto a, auto b) __attribute__((always_inline)) { return RealOp<op>{}(b, a); };

template <class T>
[[gnu::always_inline]] inline void apply(Quick what, typename Lanes<T>::V (&x)[kVectors], const Source& operand) {
  using V = typename Lanes<T>::V;
  const auto with = [&](auto&& f) {
    for (int k = 0; k < kVectors; ++k) x[k] = f(x[k], load_vector<V>(operand.at + k * operand.step));
  };
  const auto each = [&](auto&& f) {
    for (int k = 0; k < kVectors; ++k) x[k] = f(x[k]);
  };
  switch (what) {
    case Quick::Add: return with(RealOp<Op::Add>{});
    case Quick::Subtract: return with(RealOp<Op::Subtract>{});
    case Quick::SubtractFrom: return with(swapped<Op::Subtract>);
    case Quick::Multiply: return with(RealOp<Op::Multiply>{});
    case Quick::Divide: return with(RealOp<Op::Divide>{});
    case Quick::DivideInto: return with(swapped<Op::Divide>);
    case Quick::Maximum: return with(RealOp<Op::Maximum>{});
    case Quick::MaximumOf: return with(swapped<Op::Maximum>);
    case Quick::Minimum: return with(RealOp<Op::Minimum>{});
    case Quick::MinimumOf: return with(swapped<Op::Minimum>);
    case Quick::Negative: return each(RealOp<Op::Negative>{});
    case Quick::Absolute: return each(RealOp<Op::Absolute>{});
    case Quick::Square: return each(RealOp<Op::Square>{});
    case Quick::AtLeast: return with([](V a, V b) { return a < b ? b : a; });
    case Quick::AtMost: return with([](V a, V b) { return a > b ? b : a; });
  }
}

// One group; sources[k] belongs to data[k]. Run is QuickRun, or its like known to the compiler.
template <class T, bool kStream, class Run>
[[gnu::always_inline]] inline void compute_group(const Source* sources, const Run& run, std::byte* out) {
  using V = typename Lanes<T>::V;
  V x[kVectors];
  for (int k = 0; k < kVectors; ++k) x[k] = load_vector<V>(sources[1].at + k * sources[1].step);
  for (int i = 0; i < run.count; ++i) apply<T>(run.ops[i].what, x, sources[run.ops[i].operand]);
  for (int k = 0; k < kVectors; ++k) {
    if constexpr (kStream) stream_vector(out + k * kVectorBytes, x[k]);
    else store_vector(out + k * kVectorBytes, x[k]);
  }
}

// Where results are streamed, operands mostly come from memory: they are prefetched.
template <class T, bool kStream, class Run>
void compute_groups(Index n, std::byte* out, Source* sources, const Run& run) {
  constexpr Index kGroup = Lanes<T>::kGroup;
  for (Index first = 0; first < n; first += kGroup) {
    if constexpr (kStream) {
      for (int k = 1; k < run.operands; ++k) {
        if (sources[k].step == 0) continue;
        for (int v = 0; v < kVectors; ++v) __builtin_prefetch(sources[k].at + v * kVectorBytes + kStreamAhead);
      }
    }
    compute_group<T, kStream>(sources, run, out + first * static_cast<Index>(sizeof(T)));
    for (int k = 1; k < run.operands; ++k) sources[k].at += kVectors * sources[k].step;
  }
}

// Strided elements, or fewer than a group: through buffers.
template <class T, class Run>
[[gnu::noinline]] void compute_buffered(Index n, std::byte* const* data, const Index* strides, const Run& run) {
  constexpr Index kGroup = Lanes<T>::kGroup, kSize = sizeof(T);
  alignas(64) std::byte buffers[kMostQuickOperands + 1][kGroup * kSize] = {};
  Source sources[kMostQuickOperands + 1];
  for (int k = 0; k < run.operands; ++k) sources[k] = {buffers[k], kVectorBytes};
  for (Index first = 0; first < n; first += kGroup) {
    const Index here = std::min(kGroup, n - first);
    for (int k = 1; k < run.operands; ++k) {
      load_strided(here, reinterpret_cast<T*>(buffers[k]), data[k] + first * strides[k], strides[k]);
    }
    compute_group<T, false>(sources, run, buffers[0]);
    store_strided(here, data[0] + first * strides[0], strides[0], reinterpret_cast<const T*>(buffers[0]));
  }
}

template <class T, class Run = QuickRun>
void run_quick(Index n, std::byte* const* data, const Index* strides, const Run& run, bool stream) {
  using V = typename Lanes<T>::V;
  constexpr Index kGroup = Lanes<T>::kGroup, kSize = sizeof(T);
  V broadcast[kMostQuickOperands + 1];
  Source sources[kMostQuickOperands + 1];
  bool packed = strides[0] == kSize;
  for (int k = 1; k < run.operands; ++k) {
    sources[k] = {data[k], kVectorBytes};
    if (strides[k] == kSize) continue;
    packed &= strides[k] == 0;
    typename UnsignedOf<sizeof(T)>::type bits;  // as bits: adding to 0 would lose the sign of -0
    std::memcpy(&bits, data[k], sizeof(T));
    broadcast[k] = reinterpret_cast<V>(BitVector<kVectorBytes, sizeof(T)>{} + bits);
    sources[k] = {reinterpret_cast<const std::byte*>(&broadcast[k]), 0};
  }
  const Index whole = packed ? n / kGroup * kGroup : 0;
  if (stream && is_aligned(data[0], kVectorBytes)) compute_groups<T, true>(whole, data[0], sources, run);
  else compute_groups<T, false>(whole, data[0], sources, run);
  if (whole == n) return;
  std::byte* rest[kMostQuickOperands + 1];
  for (int k = 0; k < run.operands; ++k) rest[k] = data[k] + whole * strides[k];
  compute_buffered<T>(n - whole, rest, strides, run);
}

// ---- single ops ----

// A run of one op, or few, that the compiler knows.
template <Op op>
struct SingleOp {
  static constexpr int operands = row_of(op).arity + 1;
  static constexpr QuickOp ops[] = {{*quick_of(op, false), 2}};
  static constexpr int count = 1;
};
template <Quick low, Quick high>
struct ClampBy {
  static constexpr int operands = 4;
  static constexpr QuickOp ops[] = {{low, 2}, {high, 3}};
  static constexpr int count = 2;
};

// A Loop for LoopTable::streamed: up to the first line of the output through buffers, then vectors straight
// from registers.
template <class T, class Single>
void run_streamed(Index n, std::byte* const* data, const Index* strides) {
  const Index past = static_cast<Index>(-reinterpret_cast<std::uintptr_t>(data[0]) % 64);
  const Index head = std::min(n, past / static_cast<Index>(sizeof(T)));
  if (head > 0) compute_buffered<T>(head, data, strides, Single{});
  std::byte* rest[Single::operands];
  for (int k = 0; k < Single::operands; ++k) rest[k] = data[k] + head * strides[k];
  run_quick<T>(n - head, rest, strides, Single{}, true);
}

template <class T, Op op>
void streamed_loop(Index n, std::byte* const* data, const Index* strides) {
  run_streamed<T, SingleOp<op>>(n, data, strides);
}

// Limits are mostly numbers; the compiler by itself does not vectorise this.
template <class T, bool kStream>
void clamp_loop(Index n, std::byte* const* data, const Index* strides) {
  const auto is_number = [&](int k) {
    T limit;
    std::memcpy(&limit, data[k], sizeof(T));
    return strides[k] == 0 && limit == limit;
  };
  const auto run = [&]<class By>(By by) {
    if constexpr (kStream) run_streamed<T, By>(n, data, strides);
    else run_quick<T>(n, data, strides, by, false);
  };
  if (is_number(2) && is_number(3)) run(ClampBy<Quick::AtLeast, Quick::AtMost>{});
  else run(ClampBy<Quick::Maximum, Quick::Minimum>{});
}

template <Op... ops>
void enter_streamed(LoopFiller& fill) {
  ((fill.enter(fill.table.streamed[static_cast<int>(ops)][0], STRIDED_LOOP(streamed_loop<float, ops>)),
    fill.enter(fill.table.streamed[static_cast<int>(ops)][1], STRIDED_LOOP(streamed_loop<double, ops>))),
   ...);
}

}  // namespace

void fill_register_chain_loops(LoopFiller& fill) {
  fill.enter(fill.table.quick[0], STRIDED_LOOP(run_quick<float>));
  fill.enter(fill.table.quick[1], STRIDED_LOOP(run_quick<double>));
  enter_streamed<Op::Add, Op::Subtract, Op::Multiply, Op::Divide, Op::Maximum, Op::Minimum, Op::Negative,
                 Op::Absolute, Op::Square>(fill);
  static_assert(row_of(Op::Clamp).floats == strided::Source::Chain);
  constexpr int kClamp = static_cast<int>(Op::Clamp);
  const auto& clamp = fill.table.elementwise[kClamp];
  fill.enter(clamp[static_cast<int>(DType::Float32)], STRIDED_LOOP(clamp_loop<float, false>));
  fill.enter(clamp[static_cast<int>(DType::Float64)], STRIDED_LOOP(clamp_loop<double, false>));
  fill.enter(fill.table.streamed[kClamp][0], STRIDED_LOOP(clamp_loop<float, true>));
  fill.enter(fill.table.streamed[kClamp][1], STRIDED_LOOP(clamp_loop<double, true>));
}

}  // namespace strided::kernels::elementwise::STRIDED_ISA
