// Ports to the state of a partition: ordered column families of byte strings.

#pragma once

#include "gnomon/bytes.hpp"
#include "gnomon/error.hpp"

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>

namespace gnomon {

/// A separately ordered key space in the state. Ids 1 to 999 are the library's
/// (see `docs/formats/state.md`), 1000 to 1999 the users'.
struct column_family {
  std::uint16_t id = 0;

  friend constexpr auto operator<=>(column_family, column_family) = default;
};

/// Sees one entry; returns whether to go on. The bytes live until it returns.
using state_visitor = std::function<bool(bytes_view key, bytes_view value)>;

/// Port. A stable view of the state.
///
/// Errors stick: after the first failed access, reads find nothing and
/// `failure()` tells why. Callers that decide on what they read must check it
/// before they act; the engine does so after every command.
///
/// Threads: used by the one that created it.
class state_reader {
public:
  virtual ~state_reader() = default;

  /// Returns the value at `key`, or nothing. "Not found" is not an error. The
  /// bytes live until the next write or the end of the transaction.
  virtual std::optional<bytes_view> get(column_family family,
                                        bytes_view key) const = 0;

  /// Visits entries with key >= `from` in ascending order of the bytes.
  virtual void visit(column_family family, bytes_view from,
                     const state_visitor& visitor) const = 0;

  /// Returns how many entries `family` has.
  virtual std::uint64_t count(column_family family) const = 0;

  /// Returns the first failure of this view, if any.
  virtual const std::optional<error>& failure() const = 0;
};

/// Port. A view that may also write; all or nothing.
///
/// Writes are visible to the reads behind them. Nothing is kept unless its
/// owner commits.
class state_transaction : public state_reader {
public:
  /// Writes or overwrites the value at `key` (1 to 511 bytes).
  virtual void put(column_family family, bytes_view key, bytes_view value) = 0;

  /// Removes `key`. @returns Whether it was there.
  virtual bool erase(column_family family, bytes_view key) = 0;
};

} // namespace gnomon
