// Port of the engine to the state store: one write transaction at a time.

#pragma once

#include "gnomon/result.hpp"
#include "gnomon/state.hpp"

#include <memory>

namespace gnomon::storage {

/// A write transaction that its owner ends. Destroying it aborts it.
///
/// Threads: begins and ends on one thread, inside one message handler.
class write_transaction : public state_transaction {
public:
  /// Keeps all writes. Not durable: state is derived from the log.
  /// Ends the transaction, even if it fails: nothing else is called then.
  /// @returns The first failure of any access, and then keeps nothing.
  virtual result<void> commit() = 0;

  /// Drops all writes.
  virtual void abort() = 0;
};

/// Port. Opens write transactions.
class state_store_port {
public:
  virtual ~state_store_port() = default;

  virtual result<std::unique_ptr<write_transaction>> begin() = 0;
};

} // namespace gnomon::storage
