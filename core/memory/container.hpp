// Control groups of Linux (cgroup v1 and v2): the limits that a container sets on this process.
//
// A process is in one group per hierarchy (/proc/self/cgroup). Every group above it limits it too, so a value is
// looked for from the innermost group up to the root of the mounted hierarchy, and the smallest one counts. In a
// container the mounted root often is the container's own group: the path then names directories that do not
// exist, and those are skipped.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strided {

// The directory in which proc/ and sys/ lie: the variable STRIDED_CGROUP_ROOT, else "". It is meant for tests, which
// write the files of a container themselves.
std::string cgroup_root();

// The texts of `file`, innermost group first; of groups that have such a file. `controller` is "" for the one
// hierarchy of v2, and the name of a controller ("memory", "cpu") for v1.
std::vector<std::string> cgroup_texts(std::string_view controller, std::string_view file, const std::string& root);

// The numbers that a text begins with: {} for "max", {200000, 100000} for "200000 100000". Reading stops at the first
// word that is no whole number from 0 to 2^64 - 1.
std::vector<std::uint64_t> cgroup_numbers(std::string_view text);

// The smallest first number among the texts of `file`; none where no group has the file or sets a limit.
std::optional<std::uint64_t> cgroup_value(std::string_view controller, std::string_view file, const std::string& root);

// The smallest of memory.max and memory.high (v2) and memory.limit_in_bytes (v1).
std::optional<std::uint64_t> container_memory(const std::string& root);

}  // namespace strided
