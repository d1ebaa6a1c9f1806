// Runs the corpus of one target, and damaged copies of it, without a fuzzer.

#include "tests/fuzz/target.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>

using gnomon::bytes;

namespace fs = std::filesystem;

namespace {

std::map<std::string, bytes> corpus() {
  std::map<std::string, bytes> result;
  for (const auto& each : fs::directory_iterator{GNOMON_FUZZ_CORPUS}) {
    std::ifstream in{each.path(), std::ios::binary};
    result[each.path().filename()] = {std::istreambuf_iterator<char>{in}, {}};
  }
  return result;
}

/// Flips bits or cuts the end.
bytes damaged(bytes input, std::mt19937_64& random) {
  if (input.empty())
    return input;
  for (auto edits = 1 + random() % 3; edits > 0; --edits)
    input[random() % input.size()] ^= static_cast<char>(1 << random() % 8);
  if (random() % 4 == 0)
    input.resize(random() % input.size());
  return input;
}

/// Says which input comes next: a finding ends the process.
void announce(const std::string& name) {
  std::printf("%s\n", name.c_str());
  std::fflush(stdout);
}

} // namespace

TEST(GNOMON_FUZZ_TARGET, TakesItsCorpus) {
  const auto all = corpus();
  ASSERT_FALSE(all.empty());
  for (const auto& [name, input] : all) {
    announce(name);
    gnomon::fuzz::run(input);
  }
}

TEST(GNOMON_FUZZ_TARGET, TakesItsCorpusDamaged) {
  std::mt19937_64 random{4};
  for (const auto& [name, input] : corpus()) {
    announce(name);
    for (int copies = 0; copies < 20; ++copies)
      gnomon::fuzz::run(damaged(input, random));
  }
}

TEST(GNOMON_FUZZ_TARGET, TakesNothing) {
  gnomon::fuzz::run({});
}
