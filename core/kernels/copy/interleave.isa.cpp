// Interleaving 2, 3 or 4 planes into groups, and the reverse: images with their channels last or first, pairs,
// points. Every output vector is picked from as many input vectors as there are planes.
#include <algorithm>
#include <type_traits>

#include "kernels/fill_loops.hpp"
#include "simd/vector.hpp"

namespace strided::kernels::copy::STRIDED_ISA {
namespace {

// In bytes. Only AVX-512 picks 16-bit and wider elements from anywhere in two vectors at once; AVX2 does so within
// halves of 16 bytes.
template <int kItem>
inline constexpr int kWidth = kVectorBytes == 64 && kItem >= 2 ? 64 : 16;

template <int kItem>
using Picked = BitVector<kWidth<kItem>, kItem == 16 ? 8 : kItem>;

// Interleaved place p holds plane p % kPlanes, element p / kPlanes. Words of 16-byte elements stay together.
template <int kPlanes, int kWords, int kCount>
struct Interleaved {
  static constexpr int place(int vector, int i) { return (vector * kCount + i) / kWords; }
  static constexpr int source(int vector, int i) { return place(vector, i) % kPlanes; }
  static constexpr int inside(int vector, int i) { return place(vector, i) / kPlanes * kWords + i % kWords; }
};

// Plane `plane`, element i comes from interleaved place i * kPlanes + plane.
template <int kPlanes, int kWords, int kCount>
struct Deinterleaved {
  static constexpr int word(int plane, int i) { return (i / kWords * kPlanes + plane) * kWords + i % kWords; }
  static constexpr int source(int plane, int i) { return word(plane, i) / kCount; }
  static constexpr int inside(int plane, int i) { return word(plane, i) % kCount; }
};

// Output vector `out` so far has what inputs before `step` give; adds input `step` (0 and 1 at once).
template <class Where, int out, int step, int kCount>
struct Gathering {
  static constexpr int at(int i) {
    const int source = Where::source(out, i), inside = Where::inside(out, i);
    if (step == 1) return source == 1 ? kCount + inside : source == 0 ? inside : i;
    return source == step ? kCount + inside : i;
  }
};

// Output vector `out` of as many as there are planes: Where is Interleaved or Deinterleaved.
template <template <int, int, int> class Where, int kPlanes, int kItem, int out>
[[gnu::always_inline]] inline Picked<kItem> gathered(const Picked<kItem>* in) {
  constexpr int kWords = kItem == 16 ? 2 : 1;
  constexpr int kCount = kWidth<kItem> / (kItem == 16 ? 8 : kItem);
  using Own = Where<kPlanes, kWords, kCount>;
  auto v = pick<Gathering<Own, out, 1, kCount>>(in[0], in[1]);
  if constexpr (kPlanes > 2) v = pick<Gathering<Own, out, 2, kCount>>(v, in[2]);
  if constexpr (kPlanes > 3) v = pick<Gathering<Own, out, 3, kCount>>(v, in[3]);
  return v;
}

template <bool kStream, class V>
[[gnu::always_inline]] inline void put(std::byte* at, V v) {
  if constexpr (kStream) stream_vector(at, v);
  else store_vector(at, v);
}

template <int kItem, int kPlanes, bool kStream>
void interleave_planes(Index n, std::byte* out, const std::byte* in, Index plane_step) {
  constexpr Index kEach = kWidth<kItem> / kItem;
  using V = Picked<kItem>;
  Index i = 0;
  for (; i + kEach <= n; i += kEach) {
    V planes[kPlanes];
    for (int k = 0; k < kPlanes; ++k) planes[k] = load_vector<V>(in + k * plane_step + i * kItem);
    [&]<std::size_t... vector>(std::index_sequence<vector...>) {
      (put<kStream>(out + (i * kPlanes + static_cast<Index>(vector) * kEach) * kItem,
                    gathered<Interleaved, kPlanes, kItem, static_cast<int>(vector)>(planes)),
       ...);
    }(std::make_index_sequence<kPlanes>{});
  }
  for (; i < n; ++i) {
    for (int k = 0; k < kPlanes; ++k) {
      std::memcpy(out + (i * kPlanes + k) * kItem, in + k * plane_step + i * kItem, kItem);
    }
  }
}

template <int kItem, int kPlanes>
void deinterleave_planes(Index n, std::byte* const* out, const std::byte* in) {
  constexpr Index kEach = kWidth<kItem> / kItem;
  using V = Picked<kItem>;
  Index i = 0;
  for (; i + kEach <= n; i += kEach) {
    V groups[kPlanes];
    for (int k = 0; k < kPlanes; ++k) groups[k] = load_vector<V>(in + (i * kPlanes + k * kEach) * kItem);
    [&]<std::size_t... plane>(std::index_sequence<plane...>) {
      (store_vector(out[plane] + i * kItem,
                    gathered<Deinterleaved, kPlanes, kItem, static_cast<int>(plane)>(groups)),
       ...);
    }(std::make_index_sequence<kPlanes>{});
  }
  for (; i < n; ++i) {
    for (int k = 0; k < kPlanes; ++k) {
      std::memcpy(out[k] + i * kItem, in + (i * kPlanes + k) * kItem, kItem);
    }
  }
}

// Calls run.operator()<kPlanes>() for so many planes, if vectors are picked from them all at once: 2, 3 or 4. Of more,
// each vector would need a pick from every plane.
template <class Run>
bool with_few_planes(int planes, Run&& run) {
  if (planes == 2) return run.template operator()<2>(), true;
  if (planes == 3) return run.template operator()<3>(), true;
  if (planes == 4) return run.template operator()<4>(), true;
  return false;
}

// ---- any number of planes, and non-temporal stores: through short blocks ----

// Of a plane, or of all groups: while they are written nothing is read. Those of 16 planes are 8 KiB of the first
// cache.
constexpr Index kBlockBytes = 512;
constexpr Index kBlocksAhead = 8;  // are prefetched: 4 KiB of each plane

template <int kItem>
void interleave_some(Index n, int planes, std::byte* out, const std::byte* in, Index plane_step) {
  const auto whole = [&]<int kPlanes>() { interleave_planes<kItem, kPlanes, false>(n, out, in, plane_step); };
  if (with_few_planes(planes, whole)) return;
  for (int k = 0; k < planes; ++k) {
    for (Index i = 0; i < n; ++i) {
      std::memcpy(out + (i * planes + k) * kItem, in + k * plane_step + i * kItem, kItem);
    }
  }
}

template <int kItem>
void deinterleave_some(Index n, int planes, std::byte* const* out, const std::byte* in) {
  if (with_few_planes(planes, [&]<int kPlanes>() { deinterleave_planes<kItem, kPlanes>(n, out, in); })) return;
  for (int k = 0; k < planes; ++k) {
    for (Index i = 0; i < n; ++i) std::memcpy(out[k] + i * kItem, in + (i * planes + k) * kItem, kItem);
  }
}

template <int kItem, bool kStream>
void interleave(Index n, int planes, std::byte* out, const std::byte* in, Index plane_step) {
  if constexpr (kStream) {
    const auto whole = [&]<int kPlanes>() { interleave_planes<kItem, kPlanes, true>(n, out, in, plane_step); };
    if (is_aligned(out, kWidth<kItem>) && with_few_planes(planes, whole)) return finish_streams();
  }
  const Index block = std::max<Index>(1, 2 * kBlockBytes / (planes * kItem));
  LineWriter<2 * kBlockBytes> writer;
  writer.begin(out);
  for (Index first = 0; first < n; first += block) {
    const Index count = std::min(block, n - first);
    const std::byte* const from = in + first * kItem;
    if constexpr (kStream) {
      interleave_some<kItem>(count, planes, writer.next(), from, plane_step);
      writer.wrote(count * planes * kItem);
    } else {
      interleave_some<kItem>(count, planes, out + first * planes * kItem, from, plane_step);
    }
  }
  if constexpr (kStream) writer.finish();
}

template <int kItem, bool kStream>
void deinterleave(Index n, int planes, std::byte* out, const std::byte* in, Index plane_step) {
  constexpr Index kBlock = kBlockBytes / kItem;
  LineWriter<kBlockBytes> writers[kMostPlanes];
  std::byte* to[kMostPlanes];
  for (int k = 0; k < planes && kStream; ++k) writers[k].begin(out + k * plane_step);
  for (Index first = 0; first < n; first += kBlock) {
    const Index count = std::min(kBlock, n - first);
    for (int k = 0; k < planes; ++k) {
      to[k] = kStream ? writers[k].next() : out + k * plane_step + first * kItem;
    }
    const std::byte* const from = in + first * planes * kItem;
    if constexpr (kStream) {
      // The processor asks for too little ahead while several lines are being written.
      const std::byte* const ahead = from + kBlocksAhead * kBlockBytes * planes;
      for (Index at = 0; at < kBlockBytes * planes; at += kLine) __builtin_prefetch(ahead + at, 0, 2);
    }
    deinterleave_some<kItem>(count, planes, to, from);
    for (int k = 0; k < planes && kStream; ++k) writers[k].wrote(count * kItem);
  }
  for (int k = 0; k < planes && kStream; ++k) writers[k].finish();
}

}  // namespace

void fill_interleave_loops(LoopFiller& fill) {
  const CopyLoops& loops = fill.table.copy;
  for_each_item([&]<int kItem>() {
    constexpr int size = bit_size(kItem);
    fill.enter(loops.interleave[size][0], STRIDED_LOOP(interleave<kItem, false>));
    fill.enter(loops.interleave[size][1], STRIDED_LOOP(interleave<kItem, true>));
    fill.enter(loops.deinterleave[size][0], STRIDED_LOOP(deinterleave<kItem, false>));
    fill.enter(loops.deinterleave[size][1], STRIDED_LOOP(deinterleave<kItem, true>));
  });
}

}  // namespace strided::kernels::copy::STRIDED_ISA
