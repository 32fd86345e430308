#include "cpu_limits.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

#if defined(__linux__)
#include <sched.h>
#include <unistd.h>
#endif

namespace strided {
namespace {

constexpr double kUnlimited = 0;

// Control groups, version 2: "max 100000" or "quota period" in one file.
double quota_of_v2(const std::string& folder) {
  std::ifstream file(folder + "/cpu.max");
  std::string quota;
  double period = 0;
  if (!(file >> quota >> period) || quota == "max" || !(period > 0)) return kUnlimited;
  double value = 0;
  return std::istringstream(quota) >> value && value > 0 ? value / period : kUnlimited;
}

// Version 1: two files, -1 where there is no quota.
double quota_of_v1(const std::string& folder) {
  double quota = 0, period = 0;
  const bool known = std::ifstream(folder + "/cpu.cfs_quota_us") >> quota &&
                     std::ifstream(folder + "/cpu.cfs_period_us") >> period;
  return known && quota > 0 && period > 0 ? quota / period : kUnlimited;
}

// The smallest from `mount + path` up to `mount`. In a container the path may name folders of the host that are not
// there: they have no files, and the container's own group is at the mount.
template <class Quota>
double smallest(const std::string& mount, std::string path, Quota quota_of) {
  double least = kUnlimited;
  while (true) {
    if (const double quota = quota_of(mount + path); quota > 0) least = least > 0 ? std::min(least, quota) : quota;
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos) return least;
    path.erase(slash);
  }
}

bool lists(const std::string& controllers, const std::string& name) {
  std::istringstream list(controllers);
  for (std::string one; std::getline(list, one, ',');) if (one == name) return true;
  return false;
}

}  // namespace

int allowed_processors() {
#if defined(__linux__)
  // Of the main thread: the calling one may have been pinned by its owner.
  cpu_set_t allowed;
  if (sched_getaffinity(getpid(), sizeof(allowed), &allowed) == 0) return std::max(1, CPU_COUNT(&allowed));
#endif
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

int quota_processors(const std::string& root) {
  const std::string top = root + "/sys/fs/cgroup";
  double least = kUnlimited;
  const auto take = [&](double quota) {
    if (quota > 0) least = least > 0 ? std::min(least, quota) : quota;
  };
  // Lines are "number:controllers:path"; version 2 has number 0 and names no controllers.
  std::ifstream groups(root + "/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    std::string path = line.substr(second + 1);
    if (path == "/") path.clear();
    if (controllers.empty()) {
      take(smallest(top, path, quota_of_v2));
      take(smallest(top + "/unified", path, quota_of_v2));
    } else if (lists(controllers, "cpu")) {
      take(smallest(top + "/" + controllers, path, quota_of_v1));
      take(smallest(top + "/cpu", path, quota_of_v1));
    }
  }
  if (!(least > 0)) return 0;
  return static_cast<int>(std::ceil(std::min(least, 1e6)));
}

}  // namespace strided
