// Limits of control groups, read from files that a test writes.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "check.hpp"
#include "memory/container.hpp"

namespace {

using namespace strided;
namespace fs = std::filesystem;

// proc/ and sys/ of a container in a directory of their own.
class FakeRoot {
 public:
  explicit FakeRoot(const std::string& groups) { write("proc/self/cgroup", groups); }
  FakeRoot(const FakeRoot&) = delete;
  ~FakeRoot() { fs::remove_all(root_); }

  FakeRoot& write(const std::string& path, const std::string& text) {
    const fs::path file = fs::path(root_) / path;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
    return *this;
  }
  FakeRoot& group(const std::string& path, const std::string& text) { return write("sys/fs/cgroup/" + path, text); }

  std::int64_t memory() const {
    const auto found = container_memory(root_);
    return found ? static_cast<std::int64_t>(*found) : -1;
  }
  std::int64_t value(std::string_view controller, std::string_view file) const {
    const auto found = cgroup_value(controller, file, root_);
    return found ? static_cast<std::int64_t>(*found) : -1;
  }
  const std::string& path() const { return root_; }

 private:
  static std::string made() {
    std::string name = (fs::temp_directory_path() / "strided_cgroup_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary directory");
    return name;
  }
  std::string root_ = made();
};

const check::Test version_2("container: v2, the group's own limit", [] {
  FakeRoot root("0::/pod/app\n");
  root.group("pod/app/memory.max", "1000000\n");
  check::equal(root.memory(), 1000000);
});

const check::Test high("container: memory.high counts where it is smaller", [] {
  FakeRoot root("0::/pod\n");
  root.group("pod/memory.max", "2000\n").group("pod/memory.high", "1500\n");
  check::equal(root.memory(), 1500);
  root.group("pod/memory.high", "max\n");
  check::equal(root.memory(), 2000);
});

const check::Test nested("container: every group above limits too, the smallest counts", [] {
  FakeRoot root("0::/slice/pod/app\n");
  root.group("slice/pod/app/memory.max", "max\n").group("slice/memory.max", "700\n").group("memory.max", "900\n");
  check::equal(root.memory(), 700);
  root.group("slice/pod/app/memory.max", "600\n");
  check::equal(root.memory(), 600);
  root.group("memory.max", "500\n");
  check::equal(root.memory(), 500);
});

const check::Test no_limit("container: no limit where all files say max", [] {
  FakeRoot root("0::/pod\n");
  root.group("pod/memory.max", "max\n").group("pod/memory.high", "max\n");
  check::equal(root.memory(), -1);
});

const check::Test version_1("container: v1, beside other hierarchies", [] {
  FakeRoot root("12:cpu,cpuacct:/docker/ab\n4:memory:/docker/ab\n0::/init.scope\n");
  root.group("memory/docker/ab/memory.limit_in_bytes", "3000\n");
  root.group("memory/memory.limit_in_bytes", "9223372036854771712\n");
  root.group("cpu,cpuacct/docker/ab/cpu.cfs_quota_us", "50000\n");
  check::equal(root.memory(), 3000);
  check::equal(root.value("cpu", "cpu.cfs_quota_us"), 50000);
  check::equal(root.value("cpuacct", "cpu.cfs_quota_us"), 50000);
});

const check::Test mounted_root("container: the mounted root is the container's own group", [] {
  FakeRoot v1("4:memory:/docker/0123456789ab\n");
  v1.group("memory/memory.limit_in_bytes", "4096000\n");
  check::equal(v1.memory(), 4096000);
  FakeRoot outside("0::/../sibling\n");
  outside.group("memory.max", "8192\n");
  check::equal(outside.memory(), 8192);
});

const check::Test hybrid("container: v2 mounted beside v1", [] {
  FakeRoot root("4:memory:/\n0::/pod\n");
  root.group("unified/pod/memory.max", "800\n").group("memory/memory.limit_in_bytes", "1200\n");
  check::equal(root.memory(), 800);
});

const check::Test missing("container: missing files are no limit", [] {
  const FakeRoot empty("");
  check::equal(empty.memory(), -1);
  check::equal(container_memory(empty.path() + "/nowhere").has_value(), false);
  const FakeRoot no_groups("0::/pod\n4:memory:/pod\n");
  check::equal(no_groups.memory(), -1);
});

const check::Test garbage("container: what is no number is no limit", [] {
  for (const char* text : {"", "\n", "lots\n", "-1\n", "12x\n", "99999999999999999999999\n", " 5\n"}) {
    FakeRoot root("0::/pod\n");
    root.group("pod/memory.max", text);
    check::equal(root.memory(), -1, text);
  }
  FakeRoot table("nonsense\n::::\n0\n0::\n");
  table.group("memory.max", "77");
  check::equal(table.memory(), 77);
  FakeRoot directory("0::/pod\n");
  directory.group("pod/memory.max/inside", "5\n");
  check::equal(directory.memory(), -1);
});

const check::Test two_numbers("container: files of several numbers", [] {
  FakeRoot root("0::/a/b\n");
  root.group("a/b/cpu.max", "max 100000\n").group("a/cpu.max", "150000 100000\n");
  const auto texts = cgroup_texts("", "cpu.max", root.path());
  check::equal(texts.size(), 2);
  check::equal(cgroup_numbers(texts[0]).size(), 0);
  check::equal(cgroup_numbers(texts[1]).size(), 2);
  check::equal(cgroup_numbers(texts[1])[0], 150000);
  check::equal(cgroup_numbers(texts[1])[1], 100000);
});

const check::Test variable("container: the root is a variable of the environment", [] {
  setenv("STRIDED_CGROUP_ROOT", "/fake", 1);
  check::equal(cgroup_root(), "/fake");
  unsetenv("STRIDED_CGROUP_ROOT");
  check::equal(cgroup_root(), "");
});

}  // namespace
