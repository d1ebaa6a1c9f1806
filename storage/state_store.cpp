#include "storage/state_store.hpp"

#include "gnomon/check.hpp"
#include "storage/state_store_environment.hpp"
#include "storage/state_store_view.hpp"

#include <charconv>
#include <system_error>
#include <vector>

namespace gnomon::storage {

namespace {

constexpr std::string_view name_prefix = "cf-";

// Returns the id in the name of a database, 0 if it has none.
std::uint16_t parse_name(bytes_view name) {
  if (!name.starts_with(name_prefix))
    return 0;
  name.remove_prefix(name_prefix.size());
  std::uint16_t id = 0;
  const auto* end = name.data() + name.size();
  const auto [stop, code] = std::from_chars(name.data(), end, id);
  const auto is_id
    = code == std::errc{} && stop == end && id < column_families_end;
  return is_id ? id : 0;
}

// Returns the column families that exist, ascending in the order of names.
result<std::vector<column_family>> existing(lmdb::transaction& txn) {
  auto names = txn.open(nullptr, lmdb::writing::refused);
  if (!names)
    return names.error();
  auto cursor = lmdb::cursor::open(txn, *names);
  if (!cursor)
    return cursor.error();
  std::vector<column_family> found;
  auto entry = cursor->seek({});
  for (; entry && *entry; entry = cursor->next())
    if (const auto id = parse_name((*entry)->first))
      found.push_back({id});
  if (!entry)
    return entry.error();
  return found;
}

lmdb::environment_options to_lmdb(const state_store_options& options) {
  const auto writes = options.access == state_access::read_write;
  const auto locks = options.access != state_access::sealed_copy;
  return {.writing = writes ? lmdb::writing::allowed : lmdb::writing::refused,
          .locking = locks ? lmdb::locking::shared : lmdb::locking::none,
          .map_bytes = options.map_bytes,
          .databases_max = options.families_max,
          .readers_max = options.readers_max};
}

} // namespace

std::string database_name(column_family family) {
  return std::string{name_prefix} + std::to_string(family.id);
}

result<void> state_store::environment::refresh() {
  auto txn = lmdb::transaction::begin(lmdb, lmdb::writing::refused);
  if (!txn)
    return txn.error();
  auto found = existing(*txn);
  if (!found)
    return found.error();
  auto table = std::make_shared<family_table>(*families);
  for (auto family : *found) {
    auto& handle = (*table)[family.id];
    if (handle != 0)
      continue;
    auto opened = txn->open(database_name(family).c_str(), //
                            lmdb::writing::refused);
    if (!opened)
      return opened.error();
    handle = *opened;
  }
  // Handles live on only if the transaction that opened them commits.
  if (auto done = txn->commit(); !done)
    return done;
  families = std::move(table);
  return {};
}

state_store::state_store(std::unique_ptr<environment> impl)
  : environment_(std::move(impl)) {
  // nop
}

state_store::~state_store() {
  GNOMON_CHECK(!environment_->writing);
  GNOMON_CHECK(environment_->readers == 0);
}

result<std::unique_ptr<state_store>>
state_store::open(const path& directory, const state_store_options& options) {
  if (options.access == state_access::read_write) {
    std::error_code code;
    std::filesystem::create_directories(directory, code);
    if (code)
      return {errc::io_error,
              "create state " + directory.string() + ": " + code.message()};
  }
  auto opened = lmdb::environment::open(directory, to_lmdb(options));
  if (!opened)
    return opened.error();
  auto impl = std::make_unique<environment>(*std::move(opened), options.access);
  if (auto done = impl->refresh(); !done)
    return done.error();
  return std::unique_ptr<state_store>{new state_store(std::move(impl))};
}

result<std::unique_ptr<write_transaction>> state_store::begin() {
  if (environment_->access != state_access::read_write)
    return {errc::invalid_state, "begin a transaction: opened for reading"};
  if (environment_->poisoned)
    return {errc::io_error, "begin a transaction: a commit or sync failed "
                            "before; the state must be recovered"};
  // LMDB would wait for itself.
  GNOMON_CHECK(!environment_->writing);
  auto txn
    = lmdb::transaction::begin(environment_->lmdb, lmdb::writing::allowed);
  if (!txn)
    return txn.error();
  return std::unique_ptr<write_transaction>{
    std::make_unique<transaction>(*environment_, *std::move(txn))};
}

result<std::unique_ptr<state_reader>> state_store::reader() {
  std::lock_guard guard{environment_->mutex};
  if (environment_->access == state_access::read_only)
    if (auto done = environment_->refresh(); !done)
      return done.error();
  auto txn
    = lmdb::transaction::begin(environment_->lmdb, lmdb::writing::refused);
  if (!txn)
    return txn.error();
  return std::unique_ptr<state_reader>{
    std::make_unique<view>(*environment_, *std::move(txn))};
}

result<void> state_store::sync() {
  if (environment_->poisoned)
    return {errc::io_error, "sync state: a commit or sync failed before"};
  auto done = environment_->lmdb.sync();
  if (!done)
    environment_->poisoned = true;
  return done;
}

result<void> state_store::copy_to(const path& name) {
  return environment_->lmdb.copy_compact(name);
}

std::uint64_t state_store::bytes_used() const {
  return environment_->lmdb.bytes_used();
}

result<std::uint64_t> state_store::bytes_left() const {
  return environment_->lmdb.bytes_left();
}

} // namespace gnomon::storage
