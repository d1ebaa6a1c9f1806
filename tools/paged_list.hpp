// Lists of things from the states of partitions, for several commands.

#pragma once

#include "gnomon/key.hpp"
#include "timers/paging.hpp"
#include "tools/command.hpp"

#include <iterator>
#include <optional>
#include <ostream>
#include <utility>
#include <vector>

namespace gnomon::tools {

/// What was found, and whether there is more.
template <class T>
struct collection {
  std::vector<T> items;
  bool is_cut = false;
};

/// Reads page after page until `limit` items are there.
/// @param limit  0: all.
/// @param read   Called with the key to go on behind and the limits of a page;
///               returns its items and the key to go on behind, if any.
template <class T, class Read>
collection<T> collect(std::uint64_t limit, Read read) {
  constexpr std::size_t page_max = 1'000;
  collection<T> found;
  std::optional<key> after = key{};
  while (after && (limit == 0 || found.items.size() <= limit)) {
    // One more than wanted tells whether there is more.
    timers::query_limits limits;
    limits.results_max
      = limit == 0
          ? page_max
          : std::min<std::uint64_t>(page_max, limit + 1 - found.items.size());
    auto [items, next] = read(*after, limits);
    std::move(items.begin(), items.end(), std::back_inserter(found.items));
    after = next;
  }
  found.is_cut = limit != 0 && found.items.size() > limit;
  if (found.is_cut)
    found.items.resize(limit);
  return found;
}

/// Prints a list for each partition: a table for people, or one JSON object
/// with all of them.
class paged_list {
public:
  /// @param name  Of the things, e.g., "timers".
  paged_list(bool as_json, std::string name, std::ostream& out)
    : as_json_(as_json), name_(std::move(name)), out_(out) {
    // nop
  }

  /// Adds what was found in one partition.
  template <class T, class ToJson, class Print>
  void add(const shown_state& state, const collection<T>& found, ToJson to_json,
           Print print) {
    if (as_json_) {
      auto object = heading_as_json(state);
      object["cut"] = found.is_cut;
      object[name_] = json::array();
      for (const auto& item : found.items)
        object[name_].push_back(to_json(item));
      all_.push_back(std::move(object));
      return;
    }
    out_ << heading(state);
    if (found.items.empty())
      out_ << "no " << name_ << '\n';
    print(found.items, state.now, out_);
    if (found.is_cut)
      out_ << "... and more; raise --limit\n";
  }

  /// Call once, behind the last partition.
  void end() {
    if (as_json_)
      print_json({{"partitions", all_}}, out_);
  }

private:
  bool as_json_;
  std::string name_;
  std::ostream& out_;
  json all_ = json::array();
};

} // namespace gnomon::tools
