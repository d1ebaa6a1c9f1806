// What a state store shares with its views. Private to the store's sources.

#pragma once

#include "storage/lmdb.hpp"
#include "storage/state_store.hpp"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>

namespace gnomon::storage {

/// One more than the highest id of a column family.
inline constexpr std::uint16_t column_families_end = 2000;

/// Handles by id of the column family; 0 for those that do not exist.
using family_table = std::array<lmdb::database, column_families_end>;

/// Returns the name of the database behind `family`, e.g., "cf-10".
std::string database_name(column_family family);

class state_store::environment {
public:
  environment(lmdb::environment opened, state_access mode)
    : lmdb(std::move(opened)), access(mode) {
    // nop
  }

  /// Opens the column families that exist but have no handle here yet. In the
  /// owner they all come from its own transactions later on.
  /// @pre `mutex` is held.
  result<void> refresh();

  lmdb::environment lmdb;
  const state_access access;

  /// LMDB lets one transaction at a time open handles, and a reader must begin
  /// with the table of its own time: guards `families` and the beginning of
  /// readers against commits that bring new handles.
  std::mutex mutex;
  std::shared_ptr<const family_table> families
    = std::make_shared<family_table>();

  std::atomic<bool> poisoned = false;
  std::atomic<bool> writing = false;
  std::atomic<int> readers = 0;
};

} // namespace gnomon::storage
