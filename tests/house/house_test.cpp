// The house rules that a programme can check.

#include "tests/house/source_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <string>

using gnomon::house::all_sources;
using gnomon::house::source;
using gnomon::house::sources_of;

namespace {

using names = std::set<std::string>;

// What each room may include of the others; docs/architecture.md has the same
// table in words. "storage/ports" is the part of storage the engine may see.
const std::map<std::string, names> may_include = {
  {"messages", {"messages"}},
  {"storage", {"storage"}},
  {"engine", {"engine", "messages", "storage/ports"}},
  {"timers", {"timers", "messages", "engine"}},
  {"jobs", {"jobs", "messages", "engine", "timers"}},
  {"partitions",
   {"partitions", "messages", "storage", "engine", "timers", "jobs"}},
  {"exporters", {"exporters", "messages", "storage"}},
  {"actors",
   {"actors", "exporters", "partitions", "messages", "storage", "engine",
    "timers", "jobs"}},
  {"endpoint", {"endpoint", "actors"}},
  {"inspection",
   {"inspection", "partitions", "messages", "storage", "engine", "timers",
    "jobs"}},
};

const names rooms
  = {"messages",   "storage",    "engine",    "timers",     "jobs",
     "actors",     "tests",      "tools",     "partitions", "examples",
     "benchmarks", "inspection", "exporters", "endpoint"};

// Prefixes of includes from outside, and the rooms that may know them.
const std::map<std::string, names> outsiders = {
  {"caf/", {"actors", "include", "tests", "examples", "benchmarks"}},
  {"lmdb.h", {"storage", "tests", "benchmarks"}},
  {"archive", {"inspection", "tests"}},
  {"absl/", {"timers"}},
  {"prometheus/", {"endpoint", "tests"}},
  {"CLI/", {"tools", "examples"}},
  {"gnomon/v1/",
   {"messages", "engine", "timers", "jobs", "partitions", "actors", "include",
    "tests", "tools", "examples", "benchmarks", "inspection", "exporters",
    "endpoint"}},
};

const names caf_headers
  = {"include/gnomon/module.hpp", "include/gnomon/partition.hpp",
     "include/gnomon/actors/caf_compat.hpp"};

// Columns, not bytes: the text is UTF-8.
std::size_t columns(const std::string& line) {
  return static_cast<std::size_t>(
    std::ranges::count_if(line, [](char c) { return (c & 0xC0) != 0x80; }));
}

// Files over the limit of their kind, and why.
const std::map<std::string, std::string> long_files = {
  {"benchmarks/wheel/contenders.hpp", "all contenders side by side"},
};

void expect_nowhere(const std::vector<source>& where, const std::string& form,
                    const names& except = {}) {
  const std::regex pattern{form};
  for (const auto& x : where) {
    if (except.contains(x.name))
      continue;
    for (std::size_t i = 0; i < x.lines.size(); ++i)
      EXPECT_FALSE(std::regex_search(x.lines[i], pattern))
        << x.name << ':' << i + 1 << ": " << x.lines[i];
  }
}

bool may_see(const names& allowed, const std::string& include) {
  for (const auto& prefix : allowed)
    if (include.starts_with(prefix + "/"))
      return true;
  return false;
}

} // namespace

TEST(House, FindsTheSourcesOfEveryRoom) {
  for (const auto& [room, allowed] : may_include)
    EXPECT_FALSE(sources_of(room).empty()) << room;
}

TEST(House, RoomsIncludeOnlyTheRoomsBelowThem) {
  for (const auto& [room, allowed] : may_include)
    for (const auto& x : sources_of(room))
      for (const auto& include : x.includes()) {
        const auto first = include.substr(0, include.find('/'));
        if (rooms.contains(first) && include.find('/') != std::string::npos) {
          EXPECT_TRUE(may_see(allowed, include))
            << x.name << " includes " << include;
        }
      }
}

TEST(House, OnlySomeRoomsKnowEachLibrary) {
  for (const auto& x : all_sources())
    for (const auto& include : x.includes())
      for (const auto& [prefix, knowing] : outsiders)
        if (include.starts_with(prefix)) {
          EXPECT_TRUE(knowing.contains(x.room))
            << x.name << " includes " << include;
        }
}

TEST(House, TwoPublicHeadersAndTheBridgeIncludeCaf) {
  for (const auto& x : sources_of("include"))
    for (const auto& include : x.includes())
      if (include.starts_with("caf/")) {
        EXPECT_TRUE(caf_headers.contains(x.name))
          << x.name << " includes " << include;
      }
}

TEST(House, OnlyTheBridgeAsksForTheVersionOfCaf) {
  expect_nowhere(all_sources(), "^#\\s*(el)?if.*CAF_(MAJOR_)?VERSION",
                 {"actors/caf_messages.hpp",
                  "include/gnomon/actors/caf_compat.hpp",
                  "tests/support/deterministic.hpp"});
}

TEST(House, OnlyTheSystemClockAsksForTheTime) {
  auto where = all_sources();
  std::erase_if(where, [](const source& x) { return x.room == "benchmarks"; });
  expect_nowhere(where,
                 "(system_clock|steady_clock|high_resolution_clock)::now|"
                 "clock_gettime|gettimeofday",
                 {"timers/system_clock.cpp", "tests/house/house_test.cpp"});
}

TEST(House, NoTestSleeps) {
  expect_nowhere(sources_of("tests"),
                 "sleep_for|sleep_until|usleep|nanosleep|[^a-z_]sleep\\(",
                 {"tests/house/house_test.cpp"});
}

TEST(House, NobodyLeavesNotesForLater) {
  expect_nowhere(all_sources(), R"(\b(TODO|FIXME|XXX|HACK)\b|DISABLED_)",
                 {"tests/house/house_test.cpp"});
}

TEST(House, HeadersAreGuardedByPragmaOnce) {
  for (const auto& x : all_sources())
    if (x.is_header()) {
      EXPECT_EQ(std::ranges::count(x.lines, "#pragma once"), 1) << x.name;
    }
}

TEST(House, FilesBeginByTellingTheirPurposeIfTheyAreHeaders) {
  for (const auto& x : all_sources())
    if (x.is_header()) {
      EXPECT_TRUE(x.lines.front().starts_with("// ")) << x.name;
    }
}

TEST(House, FilesAreShort) {
  for (const auto& x : all_sources()) {
    const std::size_t lines_max = x.room == "tests" ? 500
                                  : x.is_header()   ? 250
                                                    : 400;
    if (!long_files.contains(x.name)) {
      EXPECT_LE(x.lines.size(), lines_max) << x.name;
    }
  }
}

TEST(House, LinesFitEightyColumns) {
  for (const auto& x : all_sources())
    for (std::size_t i = 0; i < x.lines.size(); ++i)
      EXPECT_LE(columns(x.lines[i]), 80) << x.name << ':' << i + 1;
}
