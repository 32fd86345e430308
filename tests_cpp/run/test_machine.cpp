#include "run/machine.hpp"

#include "check.hpp"
#include "run/pool.hpp"

namespace strided::testing {
namespace {

const check::Test asked("the machine has caches", [] {
  const Machine& here = machine();
  check::that(here.line >= 1 && here.l1 >= 1 && here.l2 >= 1 && here.l3 >= 1, "sizes");
  check::that(here.stream_bytes >= 1 && here.bytes_per_chunk >= 1 && here.chunks_per_thread >= 1, "what follows");
  check::that(&machine() == &here, "asked once");
});

const check::Test adjust("a machine takes the numbers it is given", [] {
  const Machine made = adjusted({}, "l1=1024,l2=65536,l3=7,line=128,stream=4096,chunk=5,chunks=3");
  check::equal(made.l1, Index{1024});
  check::equal(made.l2, Index{65536});
  check::equal(made.l3, Index{7});
  check::equal(made.line, Index{128});
  check::equal(made.stream_bytes, Index{4096});
  check::equal(made.bytes_per_chunk, Index{5});
  check::equal(made.chunks_per_thread, Index{3});
  check::equal(adjusted(made, "").l1, Index{1024});
});

const check::Test garbage("entries that say nothing are ignored, the others count", [] {
  const Machine before;
  for (const char* text : {"l1", "l1=", "l1=x", "l1=1x", "l1=0", "l1=-5", "l1= 5", "l4=5", "=5", ",,", "L1=5", "l1==5",
                           "l1=99999999999999999999", "l1=2199023255552", "chunks=1025"}) {
    const Machine after = adjusted(before, text);
    check::that(after.l1 == before.l1 && after.chunks_per_thread == before.chunks_per_thread, text);
    check::equal(adjusted(before, std::string(text) + ",l2=77").l2, Index{77}, text);
    check::equal(adjusted(before, "l2=77," + std::string(text)).l2, Index{77}, text);
  }
  check::equal(adjusted(before, "l1=5,l1=6").l1, Index{6}, "the last counts");
});

const check::Test chunks("work is cut by traffic and threads", [] {
  set_thread_count(3);
  const auto bytes = static_cast<std::size_t>(machine().bytes_per_chunk);
  check::equal(chunks_for(bytes), 1);
  check::equal(chunks_for(2 * bytes), 2);
  check::equal(chunks_for(1000 * bytes), static_cast<int>(3 * machine().chunks_per_thread));
  set_thread_count(1);
  check::equal(chunks_for(1000 * bytes), 1);
});

}  // namespace
}  // namespace strided::testing
