// Measures something in turns with the storage work that it cannot do without.

#pragma once

#include "benchmarks/figure_table.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace gnomon::benchmarks {

/// Calls `bare` and `real`, which return rates per second, `runs` times each,
/// in turns, and shows the pair with the median ratio: a short run says little
/// on its own.
/// @param wanted  Of the rate of storage alone, in percent.
template <class Bare, class Real>
void show_paired(figure_table& table, const std::string& name, int runs,
                 Bare bare, Real real, double wanted) {
  struct pair {
    double bare, reached;
  };
  const auto ratio = [](const pair& x) {
    return x.reached / x.bare;
  };
  std::vector<pair> pairs;
  for (int i = 0; i < runs; ++i) {
    const double alone = bare();
    pairs.push_back({alone, real()});
  }
  std::ranges::sort(pairs, {}, ratio);
  const auto& median = pairs[pairs.size() / 2];
  table.show(name + ": storage alone", median.bare / 1e3, "k/s");
  table.show(name, median.reached / 1e3, "k/s");
  table.at_least(name + ", of storage alone", 100 * ratio(median), wanted, "%");
}

} // namespace gnomon::benchmarks
