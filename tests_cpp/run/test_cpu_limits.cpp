// The container's processor quota, from files that stand in for the system's.
#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

#include "check.hpp"
#include "run/cpu_limits.hpp"

namespace {

using namespace strided;

// A folder with files of its own, removed at the end.
class Files {
 public:
  Files() : root_(std::filesystem::temp_directory_path() / ("strided_quota_" + std::to_string(getpid()))) {
    std::filesystem::remove_all(root_);
  }
  ~Files() { std::filesystem::remove_all(root_); }

  Files& with(const std::string& path, const std::string& text) {
    const std::filesystem::path file = root_.string() + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text << '\n';
    return *this;
  }
  int quota() const { return quota_processors(root_.string()); }

 private:
  std::filesystem::path root_;
};

const std::string kV2 = "/sys/fs/cgroup", kV1 = "/sys/fs/cgroup/cpu,cpuacct";

const check::Test second_version("quota: version 2", [] {
  check::equal(Files().quota(), 0, "no files");
  check::equal(Files().with("/proc/self/cgroup", "0::/").quota(), 0, "no quota file");
  const auto at_top = [](const std::string& text) {
    return Files().with("/proc/self/cgroup", "0::/").with(kV2 + "/cpu.max", text).quota();
  };
  check::equal(at_top("max 100000"), 0, "max");
  check::equal(at_top("200000 100000"), 2, "two");
  check::equal(at_top("150000 100000"), 2, "one and a half");
  check::equal(at_top("10000 100000"), 1, "a tenth");
  check::equal(at_top("400001 100000"), 5, "a little more than four");
  check::equal(at_top(""), 0, "empty");
  check::equal(at_top("much 100000"), 0, "nonsense");
  check::equal(at_top("100000 0"), 0, "no period");
  check::equal(at_top("-1 100000"), 0, "negative");
});

const check::Test nested("quota: the smallest on the way up counts", [] {
  Files files;
  files.with("/proc/self/cgroup", "0::/kube/pod/box");
  files.with(kV2 + "/kube/pod/box/cpu.max", "max 100000");
  check::equal(files.quota(), 0, "none");
  files.with(kV2 + "/kube/cpu.max", "800000 100000");
  check::equal(files.quota(), 8, "of the outermost");
  files.with(kV2 + "/kube/pod/cpu.max", "300000 100000");
  check::equal(files.quota(), 3, "of the middle");
  files.with(kV2 + "/kube/pod/box/cpu.max", "1600000 100000");
  check::equal(files.quota(), 3, "a larger one inside does not matter");
});

const check::Test first_version("quota: version 1", [] {
  Files files;
  files.with("/proc/self/cgroup", "11:memory:/docker/abc\n4:cpu,cpuacct:/docker/abc\n1:cpuset:/");
  check::equal(files.quota(), 0, "no files");
  files.with(kV1 + "/docker/abc/cpu.cfs_quota_us", "-1").with(kV1 + "/docker/abc/cpu.cfs_period_us", "100000");
  check::equal(files.quota(), 0, "-1");
  files.with(kV1 + "/docker/abc/cpu.cfs_quota_us", "250000");
  check::equal(files.quota(), 3, "two and a half");
  // Inside of a container the path is the host's, and the group itself is mounted.
  Files inside;
  inside.with("/proc/self/cgroup", "4:cpu,cpuacct:/docker/abc");
  inside.with("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "50000").with("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "50000");
  check::equal(inside.quota(), 1, "at the mount");
});

const check::Test both_versions("quota: both versions at once", [] {
  Files files;
  files.with("/proc/self/cgroup", "4:cpu,cpuacct:/a\n0::/b");
  files.with(kV1 + "/a/cpu.cfs_quota_us", "700000").with(kV1 + "/a/cpu.cfs_period_us", "100000");
  check::equal(files.quota(), 7, "of the first");
  files.with("/sys/fs/cgroup/unified/b/cpu.max", "600000 100000");
  check::equal(files.quota(), 6, "the smaller");
  files.with("/proc/self/cgroup", "nonsense\n:\n4:cpu\n");
  check::equal(files.quota(), 0, "lines that cannot be read");
});

const check::Test of_this_machine("quota: this process may use at least one processor", [] {
  check::that(allowed_processors() >= 1 && quota_processors() >= 0, "sane numbers");
});

}  // namespace
