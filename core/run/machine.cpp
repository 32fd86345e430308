#include "machine.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <string>

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

namespace strided {
namespace {

// A file of one line, without its end; empty where there is none.
std::string line_of(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// "48K", "1024K", "32M"; 0 where it is something else.
Index bytes_of(const std::string& text) {
  Index number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number <= 0) return 0;
  const char unit = end == text.data() + text.size() ? ' ' : *end;
  return unit == 'K' ? number << 10 : unit == 'M' ? number << 20 : number;
}

#if defined(_SC_LEVEL1_DCACHE_SIZE)
Index system_value(int name) { return std::max<Index>(0, sysconf(name)); }
#endif

// The kernel knows what one core sees of a cache that others have instances of; sysconf adds up all instances under
// some hypervisors, so it comes second.
void ask_caches(Machine& machine) {
  Index* const levels[] = {&machine.l1, &machine.l2, &machine.l3};
  Index found[3] = {};
#if defined(__linux__)
  for (int index = 0; index < 8; ++index) {
    const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
    const std::string level = line_of(folder + "level");
    if (level.size() != 1 || level[0] < '1' || level[0] > '3' || line_of(folder + "type") == "Instruction") continue;
    found[level[0] - '1'] = bytes_of(line_of(folder + "size"));
  }
#endif
#if defined(_SC_LEVEL1_DCACHE_SIZE)
  const int names[] = {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE};
  for (int level = 0; level < 3; ++level) if (found[level] == 0) found[level] = system_value(names[level]);
  if (const Index line = system_value(_SC_LEVEL1_DCACHE_LINESIZE); line > 0) machine.line = line;
#endif
  for (int level = 0; level < 3; ++level) if (found[level] > 0) *levels[level] = found[level];
}

Machine ask() {
  Machine machine;
  ask_caches(machine);
  // Below this results stay in the second cache; above, even a large last cache is shared with others.
  machine.stream_bytes = std::clamp(machine.l3 / 4, Index{2} << 20, Index{64} << 20);
  const char* const wish = std::getenv("STRIDED_MACHINE");
  return wish == nullptr ? machine : adjusted(machine, wish);
}

}  // namespace

Machine adjusted(Machine machine, std::string_view text) {
  constexpr Index kMost = Index{1} << 40;
  const struct {
    std::string_view key;
    Index* value;
    Index most = kMost;
  } entries[] = {{"line", &machine.line},           {"l1", &machine.l1},
                 {"l2", &machine.l2},               {"l3", &machine.l3},
                 {"stream", &machine.stream_bytes}, {"chunk", &machine.bytes_per_chunk},
                 {"chunks", &machine.chunks_per_thread, 1024}};
  while (!text.empty()) {
    const std::string_view entry = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), entry.size() + 1));
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view number = entry.substr(equals + 1);
    Index value = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (error != std::errc() || end != number.data() + number.size() || value < 1) continue;
    for (const auto& known : entries) {
      if (known.key == entry.substr(0, equals) && value <= known.most) *known.value = value;
    }
  }
  return machine;
}

const Machine& machine() {
  static const Machine asked = ask();
  return asked;
}

}  // namespace strided
