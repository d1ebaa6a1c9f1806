// The two kinds of view on a state. Private to the store's sources.

#pragma once

#include "gnomon/check.hpp"
#include "storage/lmdb.hpp"
#include "storage/state_store_environment.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gnomon::storage {

/// Reads of one LMDB transaction, the same for both kinds of view. Keeps one
/// cursor for each column family: looking near the last key costs less.
class state_reads {
public:
  state_reads(const lmdb::transaction& from,
              std::shared_ptr<const family_table> families)
    : txn_(&from), families_(std::move(families)) {
    // nop
  }

  std::optional<bytes_view> get(column_family family, bytes_view key);

  void visit(column_family family, bytes_view from,
             const state_visitor& visitor);

  std::uint64_t count(column_family family);

  /// Returns the handle of `family`, 0 if it does not exist.
  lmdb::database find(column_family family) const {
    return family.id < column_families_end ? (*families_)[family.id] : 0;
  }

  /// Returns the cursor of an existing database, or null after a failure.
  lmdb::cursor* cursor_of(lmdb::database in);

  /// Replaces the table after a column family was created.
  void use(std::shared_ptr<const family_table> families) {
    families_ = std::move(families);
  }

  const family_table& families() const {
    return *families_;
  }

  /// Keeps the first failure.
  void fail(error reason);

  const std::optional<error>& failure() const {
    return failure_;
  }

  /// Returns whether a visitor is being called.
  bool visiting() const {
    return visits_ > 0;
  }

  /// Closes all cursors; nothing may be read any more.
  void end();

private:
  const lmdb::transaction* txn_;
  std::shared_ptr<const family_table> families_;
  std::vector<std::optional<lmdb::cursor>> cursors_;
  std::optional<error> failure_;
  int visits_ = 0;
};

class state_store::view final : public state_reader {
public:
  view(environment& owner, lmdb::transaction txn);

  ~view() override;

  std::optional<bytes_view> get(column_family family,
                                bytes_view key) const override {
    return reads_.get(family, key);
  }

  void visit(column_family family, bytes_view from,
             const state_visitor& visitor) const override {
    reads_.visit(family, from, visitor);
  }

  std::uint64_t count(column_family family) const override {
    return reads_.count(family);
  }

  const std::optional<error>& failure() const override {
    return reads_.failure();
  }

private:
  environment& owner_;
  lmdb::transaction txn_;
  mutable state_reads reads_;
};

class state_store::transaction final : public write_transaction {
public:
  transaction(environment& owner, lmdb::transaction txn);

  ~transaction() override;

  std::optional<bytes_view> get(column_family family,
                                bytes_view key) const override {
    return reads_.get(family, key);
  }

  void visit(column_family family, bytes_view from,
             const state_visitor& visitor) const override {
    reads_.visit(family, from, visitor);
  }

  std::uint64_t count(column_family family) const override {
    return reads_.count(family);
  }

  const std::optional<error>& failure() const override {
    return reads_.failure();
  }

  void put(column_family family, bytes_view key, bytes_view value) override;

  bool erase(column_family family, bytes_view key) override;

  result<void> commit() override;

  void abort() override;

private:
  bool may_write(column_family family, bytes_view key);

  lmdb::database open_family(column_family family);

  const std::string* highest_key(lmdb::database in, lmdb::cursor& cursor);

  environment& owner_;
  lmdb::transaction txn_;
  mutable state_reads reads_;

  // Table with the column families that this transaction has created, if any.
  std::shared_ptr<family_table> created_;

  // By handle: no key of the family is above this one. Erasing leaves it alone;
  // a bound that is too high only misses a chance to append.
  std::vector<std::optional<std::string>> highest_;
  bool ended_ = false;
};

} // namespace gnomon::storage
