#include "container.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <memory>

namespace strided {
namespace {

// None where the file is missing or not readable. These files are far smaller than the limit on what is read.
std::optional<std::string> text_of_file(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "re"), std::fclose);
  if (file == nullptr) return std::nullopt;
  char text[8192];
  const std::size_t size = std::fread(text, 1, sizeof(text), file.get());
  if (std::ferror(file.get())) return std::nullopt;
  return std::string(text, size);
}

std::string_view cut_until(std::string_view& text, char end) {
  const std::size_t at = std::min(text.find(end), text.size());
  const std::string_view head = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return head;
}

bool lists(std::string_view names, std::string_view name) {
  while (!names.empty()) {
    if (cut_until(names, ',') == name) return true;
  }
  return false;
}

struct Group {
  std::vector<std::string> mounts;  // where its hierarchy may be mounted, below the root
  std::string path;
};

// A line of /proc/self/cgroup is "number:controllers:path"; v2 has number 0 and no controller.
std::optional<Group> group_of(std::string_view controller, const std::string& root) {
  const auto table = text_of_file(root + "/proc/self/cgroup");
  if (!table) return std::nullopt;
  for (std::string_view rest = *table; !rest.empty();) {
    std::string_view line = cut_until(rest, '\n');
    const std::string_view number = cut_until(line, ':');
    const std::string_view names = cut_until(line, ':');
    if (controller.empty() ? number != "0" || !names.empty() : !lists(names, controller)) continue;
    // A process outside of its namespace's root sees "..": of that path nothing is mounted here but the root.
    std::string path(line.find("/..") == line.npos ? line : "");
    while (path.ends_with('/')) path.pop_back();
    if (controller.empty()) return Group{{"", "unified"}, std::move(path)};
    return Group{{std::string(controller), std::string(names)}, std::move(path)};
  }
  return std::nullopt;
}

}  // namespace

std::string cgroup_root() {
  const char* root = std::getenv("STRIDED_CGROUP_ROOT");
  return root == nullptr ? "" : root;
}

std::vector<std::string> cgroup_texts(std::string_view controller, std::string_view file, const std::string& root) {
  std::vector<std::string> texts;
  auto group = group_of(controller, root);
  if (!group) return texts;
  for (std::string& path = group->path;;) {
    for (const std::string& mount : group->mounts) {
      auto text = text_of_file(root + "/sys/fs/cgroup/" + mount + path + "/" + std::string(file));
      if (!text) continue;
      texts.push_back(std::move(*text));
      break;
    }
    if (path.empty()) return texts;
    path.resize(std::min(path.rfind('/'), path.size() - 1));
  }
}

std::vector<std::uint64_t> cgroup_numbers(std::string_view text) {
  std::vector<std::uint64_t> numbers;
  while (!text.empty()) {
    const std::string_view word = cut_until(text, text.find(' ') < text.find('\n') ? ' ' : '\n');
    std::uint64_t number;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc() || end != word.data() + word.size()) break;
    numbers.push_back(number);
  }
  return numbers;
}

std::optional<std::uint64_t> cgroup_value(std::string_view controller, std::string_view file,
                                          const std::string& root) {
  std::optional<std::uint64_t> smallest;
  for (const std::string& text : cgroup_texts(controller, file, root)) {
    const auto numbers = cgroup_numbers(text);
    if (!numbers.empty() && (!smallest || numbers[0] < *smallest)) smallest = numbers[0];
  }
  return smallest;
}

std::optional<std::uint64_t> container_memory(const std::string& root) {
  std::optional<std::uint64_t> smallest;
  for (const auto& found : {cgroup_value("", "memory.max", root), cgroup_value("", "memory.high", root),
                            cgroup_value("memory", "memory.limit_in_bytes", root)}) {
    if (found && (!smallest || *found < *smallest)) smallest = found;
  }
  return smallest;
}

}  // namespace strided
