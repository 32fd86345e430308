#include "cpu_limits.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <thread>
#include <vector>

#include "memory/container.hpp"

#if defined(__linux__)
#include <sched.h>
#include <unistd.h>
#endif

namespace strided {

int allowed_processors() {
#if defined(__linux__)
  // Of the main thread: the calling one may have been pinned by its owner.
  cpu_set_t allowed;
  if (sched_getaffinity(getpid(), sizeof(allowed), &allowed) == 0) return std::max(1, CPU_COUNT(&allowed));
#endif
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

int quota_processors(const std::string& root) {
  double smallest = std::numeric_limits<double>::infinity();
  const auto limit = [&](const std::vector<std::uint64_t>& quota, std::uint64_t period) {
    if (quota.empty() || quota[0] == 0 || period == 0) return;
    smallest = std::min(smallest, static_cast<double>(quota[0]) / static_cast<double>(period));
  };
  // Version 2: "200000 100000", or "max 100000" where there is no quota.
  for (const std::string& text : cgroup_texts("", "cpu.max", root)) {
    if (const auto numbers = cgroup_numbers(text); numbers.size() > 1) limit(numbers, numbers[1]);
  }
  // Version 1: a file each, in every group; the quota is -1 where there is none.
  const auto quotas = cgroup_texts("cpu", "cpu.cfs_quota_us", root);
  const auto periods = cgroup_texts("cpu", "cpu.cfs_period_us", root);
  for (std::size_t group = 0; group < std::min(quotas.size(), periods.size()); ++group) {
    if (const auto period = cgroup_numbers(periods[group]); !period.empty()) {
      limit(cgroup_numbers(quotas[group]), period[0]);
    }
  }
  if (std::isinf(smallest)) return 0;
  return static_cast<int>(std::ceil(std::min(smallest, 1e6)));  // fits in an int
}

}  // namespace strided
