// A state store in memory, with faults on demand.

#pragma once

#include "gnomon/bytes.hpp"
#include "gnomon/error.hpp"
#include "storage/ports/state_store.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>

namespace gnomon::test {

/// Column families as ordered maps. Aborting undoes every write.
class memory_state : public storage::state_store_port {
public:
  using family_entries = std::map<bytes, bytes, std::less<>>;

  /// Entries by the id of their column family; no empty ones.
  using content = std::map<std::uint16_t, family_entries>;

  /// A failure that happens `times` times, after `skip` times of none.
  struct fault {
    error what;
    std::size_t times = 1;
    std::size_t skip = 0;
  };

  /// @pre No transaction is open.
  result<std::unique_ptr<storage::write_transaction>> begin() override;

  /// Returns what is there.
  const content& dump() const {
    return content_;
  }

  /// Returns what is there but for the bookkeeping, which names frames.
  content dump_without_bookkeeping() const;

  /// Replaces what is there, as a snapshot does.
  void restore(content other) {
    content_ = std::move(other);
  }

  /// Whether a transaction is open.
  bool is_open() const {
    return open_;
  }

  std::optional<fault> begin_fault;
  std::optional<fault> write_fault;
  std::optional<fault> commit_fault;

  /// Commits that succeeded.
  std::size_t commit_count = 0;

private:
  friend class memory_transaction;

  content content_;
  bool open_ = false;
};

} // namespace gnomon::test
