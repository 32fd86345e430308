// The machine: sizes of its caches, and the tuning numbers that follow from them. Asked once.
//
// STRIDED_MACHINE in the environment says otherwise: "l1=1024,l2=65536,stream=4096,chunk=4096" (docs/settings.md).
// Results do not depend on it: nothing that changes rounding, such as the blocks of a sum, may be taken from here.
#pragma once

#include <cstddef>
#include <string_view>

#include "layout/dims.hpp"

namespace strided {

// All in bytes, at least 1.
struct Machine {
  Index line = 64;             // of a cache
  Index l1 = Index{32} << 10;  // data caches; the last one as far as one core sees it
  Index l2 = Index{512} << 10;
  Index l3 = Index{8} << 20;
  // A result of this size is not in a cache any more when somebody reads it: non-temporal stores write it. A quarter of
  // the last cache, where operands and what else is in use want to stay too: 8 MiB of 32, as measured on Zen 4.
  Index stream_bytes = l3 / 4;
  // Memory traffic that is worth a chunk of its own. Waking a worker costs some microseconds, in which one core moves
  // this much.
  Index bytes_per_chunk = Index{256} << 10;
  // Several, so that a thread that is held up does not hold up the rest. A number.
  Index chunks_per_thread = 4;
};

// This one.
const Machine& machine();

// Whether a result of `nbytes` is written by non-temporal stores, if its rows allow it and nobody reads it meanwhile.
inline bool worth_streaming(Index nbytes) { return nbytes >= machine().stream_bytes; }

// A machine with other numbers, given as "key=number,key=number": line, l1, l2, l3, stream, chunk, chunks. Entries with
// another key, or without a whole number from 1 to 2^40 (chunks: to 1024), are ignored, one by one.
Machine adjusted(Machine machine, std::string_view text);

}  // namespace strided
