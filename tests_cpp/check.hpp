// A test harness in one header: tests register themselves, checks report where they failed.
//
//   const check::Test addition("addition", [] { check::equal(1 + 1, 2); });
#pragma once

#include <concepts>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "errors.hpp"
#include "layout/layout.hpp"

namespace check {

// Instrumented code is 5 to 10 times slower, so a test takes a share of its random cases there.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kShareOfRounds = 20;
#elif defined(__has_feature)
constexpr int kShareOfRounds = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ? 20 : 1;
#else
constexpr int kShareOfRounds = 1;
#endif

constexpr int rounds(int count) { return (count + kShareOfRounds - 1) / kShareOfRounds; }

struct Test {
  Test(const char* test_name, void (*test_body)()) : name(test_name), body(test_body) {
    all().push_back(this);
  }
  Test(const Test&) = delete;

  static std::vector<const Test*>& all() {
    static std::vector<const Test*> tests;
    return tests;
  }

  const char* name;
  void (*body)();
};

inline int failures_in_test = 0;

// __builtin_FILE and __builtin_LINE, evaluated where a check is called: std::source_location is
// missing from clang 14.
struct Place {
  const char* file;
  int line;
};
inline Place here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  return {file, line};
}

inline void fail(const std::string& message, Place place) {
  ++failures_in_test;
  std::printf("%s:%d: %s\n", place.file, place.line, message.c_str());
}

// No overload for bool: string literals would choose it.
inline std::string describe(std::integral auto value) { return std::to_string(value); }
inline std::string describe(std::string_view value) { return std::string(value); }
inline std::string describe(strided::Span value) { return strided::text_of(value); }
inline std::string describe(const strided::Layout& value) { return value.text(); }

inline void that(bool holds, std::string_view claim, Place place = here()) {
  if (!holds) fail("not so: " + std::string(claim), place);
}

// Compared as they print, so that a span equals a list of the same numbers.
template <class Got, class Expected>
void equal(const Got& got, const Expected& expected, std::string_view about = "",
           Place place = here()) {
  const std::string left = describe(got), right = describe(expected);
  if (left == right) return;
  std::string message = "got " + left + ", expected " + right;
  if (!about.empty()) message += " for " + std::string(about);
  fail(message, place);
}

template <class Action>
void raises(strided::ErrorKind kind, Action action, Place place = here()) {
  try {
    action();
  } catch (const strided::Error& error) {
    if (error.kind() != kind) fail(std::string("raised ") + error.what(), place);
    return;
  }
  fail(std::string("did not raise ") + strided::name_of(kind), place);
}

// Returns the exit status of the program.
inline int run_all() {
  int passed = 0, failed = 0;
  for (const Test* test : Test::all()) {
    failures_in_test = 0;
    try {
      test->body();
    } catch (const std::exception& error) {
      fail(std::string("escaped: ") + error.what(), {test->name, 0});
    }
    if (failures_in_test == 0) {
      ++passed;
    } else {
      ++failed;
      std::printf("FAILED %s\n", test->name);
    }
  }
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}

}  // namespace check
