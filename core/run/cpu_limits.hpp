// How many processors this process may use: the system's, those it may run on, and the quota of its container.
#pragma once

#include <string>

#include "memory/container.hpp"

namespace strided {

// Processors that the threads of this process may run on.
int allowed_processors();

// Processors' worth of time that control groups grant, rounded up; 0 where they set no limit. The smallest limit on
// the way from the process's group to the top counts.
int quota_processors(const std::string& root = cgroup_root());

}  // namespace strided
