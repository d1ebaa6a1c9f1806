// State of a partition in a map.

#pragma once

#include "gnomon/state.hpp"

#include <cstddef>
#include <map>
#include <utility>

namespace gnomon::testing {

/// Working stand-in for the state store; counts what it is asked for.
class fake_state : public state_transaction {
public:
  using dump = std::map<std::pair<column_family, bytes>, bytes>;

  std::optional<bytes_view> get(column_family family,
                                bytes_view key) const override {
    ++gets;
    const auto found = entries.find({family, bytes{key}});
    if (found == entries.end())
      return std::nullopt;
    return found->second;
  }

  void visit(column_family family, bytes_view from,
             const state_visitor& visitor) const override {
    auto at = entries.lower_bound({family, bytes{from}});
    for (; at != entries.end() && at->first.first == family; ++at) {
      ++visits;
      if (!visitor(at->first.second, at->second))
        return;
    }
  }

  std::uint64_t count(column_family family) const override {
    std::uint64_t result = 0;
    for (const auto& [where, value] : entries)
      result += where.first == family;
    return result;
  }

  const std::optional<error>& failure() const override {
    return failure_;
  }

  void put(column_family family, bytes_view key, bytes_view value) override {
    ++puts;
    // A copy first: the value may borrow from the entry that it replaces. The
    // replaced bytes are overwritten, so that stale borrowing shows.
    bytes fresh{value};
    auto& entry = entries[{family, bytes{key}}];
    entry.assign(entry.size(), '\xEE');
    entry = std::move(fresh);
  }

  bool erase(column_family family, bytes_view key) override {
    ++erases;
    return entries.erase({family, bytes{key}}) != 0;
  }

  /// Bytes of all keys and values.
  std::size_t byte_count() const {
    std::size_t result = 0;
    for (const auto& [where, value] : entries)
      result += where.second.size() + value.size();
    return result;
  }

  void reset_counters() {
    gets = visits = puts = erases = 0;
  }

  dump entries;
  mutable std::size_t gets = 0;
  mutable std::size_t visits = 0;
  std::size_t puts = 0;
  std::size_t erases = 0;

private:
  std::optional<error> failure_;
};

} // namespace gnomon::testing
