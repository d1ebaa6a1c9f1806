#include "storage/lmdb.hpp"

#include "gnomon/check.hpp"

#include <lmdb.h>

#include <cerrno>

namespace gnomon::storage::lmdb {

namespace {

MDB_val to_val(bytes_view from) {
  return {from.size(), const_cast<char*>(from.data())};
}

bytes_view to_view(const MDB_val& from) {
  return {static_cast<const char*>(from.mv_data), from.mv_size};
}

errc to_code(int code) {
  switch (code) {
  case MDB_MAP_FULL:
  case ENOSPC:
  case EDQUOT:
    return errc::out_of_space;
  case MDB_READERS_FULL:
    return errc::resource_exhausted;
  case MDB_DBS_FULL:
  case MDB_BAD_VALSIZE:
    return errc::invalid_argument;
  case MDB_VERSION_MISMATCH:
    return errc::format_too_new;
  case MDB_CORRUPTED:
  case MDB_PAGE_NOTFOUND:
  case MDB_INVALID:
    return errc::corrupted;
  default:
    return errc::io_error;
  }
}

} // namespace

error to_error(int code, const std::string& attempted) {
  GNOMON_CHECK(code != MDB_SUCCESS);
  return {to_code(code), attempted + ": " + mdb_strerror(code)};
}

void transaction::end::operator()(MDB_txn* txn) const {
  mdb_txn_abort(txn);
}

result<transaction> transaction::begin(const environment& owner, writing mode) {
  MDB_txn* txn = nullptr;
  const unsigned flags = mode == writing::allowed ? 0 : MDB_RDONLY;
  if (auto code = mdb_txn_begin(owner.get(), nullptr, flags, &txn); code != 0)
    return to_error(code, "begin a transaction");
  return transaction{txn};
}

result<void> transaction::commit() {
  GNOMON_CHECK(txn_ != nullptr);
  // LMDB frees the transaction even if the commit fails.
  if (auto code = mdb_txn_commit(txn_.release()); code != 0)
    return to_error(code, "commit");
  return {};
}

result<database> transaction::open(const char* name, writing mode) {
  database opened = 0;
  const unsigned flags = mode == writing::allowed ? MDB_CREATE : 0;
  const auto code = mdb_dbi_open(txn_.get(), name, flags, &opened);
  if (code == 0)
    return opened;
  const auto attempted = std::string{"open "} + (name ? name : "names");
  if (code == MDB_NOTFOUND)
    return {errc::not_found, attempted};
  return to_error(code, attempted);
}

void cursor::close::operator()(MDB_cursor* cursor) const {
  mdb_cursor_close(cursor);
}

result<cursor> cursor::open(const transaction& owner, database in) {
  MDB_cursor* opened = nullptr;
  if (auto code = mdb_cursor_open(owner.get(), in, &opened); code != 0)
    return to_error(code, "open a cursor");
  return cursor{opened};
}

result<std::optional<entry>> cursor::move(bytes_view to, int operation,
                                          const char* attempted) {
  auto key = to_val(to);
  MDB_val value{};
  const auto code = mdb_cursor_get(cursor_.get(), &key, &value,
                                   static_cast<MDB_cursor_op>(operation));
  if (code == MDB_NOTFOUND)
    return std::optional<entry>{};
  if (code != 0)
    return to_error(code, attempted);
  return std::optional<entry>{entry{to_view(key), to_view(value)}};
}

result<std::optional<bytes_view>> cursor::find(bytes_view key) {
  auto found = move(key, MDB_SET, "get");
  if (!found)
    return found.error();
  if (!*found)
    return std::optional<bytes_view>{};
  return std::optional<bytes_view>{(*found)->second};
}

result<std::optional<entry>> cursor::seek(bytes_view from) {
  // LMDB refuses to look for an empty key.
  return from.empty() ? move({}, MDB_FIRST, "seek")
                      : move(from, MDB_SET_RANGE, "seek");
}

result<std::optional<entry>> cursor::next() {
  return move({}, MDB_NEXT, "read on");
}

result<std::optional<entry>> cursor::last() {
  return move({}, MDB_LAST, "look for the last entry");
}

result<void> cursor::put(bytes_view key, bytes_view value) {
  return write(key, value, 0);
}

result<void> cursor::append(bytes_view key, bytes_view value) {
  return write(key, value, MDB_APPEND);
}

result<void> cursor::write(bytes_view key, bytes_view value, unsigned flags) {
  auto to = to_val(key);
  auto what = to_val(value);
  if (auto code = mdb_cursor_put(cursor_.get(), &to, &what, flags); code != 0)
    return to_error(code, "put");
  return {};
}

result<bool> cursor::erase(bytes_view key) {
  auto found = find(key);
  if (!found)
    return found.error();
  if (!*found)
    return false;
  if (auto code = mdb_cursor_del(cursor_.get(), 0); code != 0)
    return to_error(code, "erase");
  return true;
}

result<std::uint64_t> count(const transaction& owner, database in) {
  MDB_stat found{};
  if (auto code = mdb_stat(owner.get(), in, &found); code != 0)
    return to_error(code, "count");
  return std::uint64_t{found.ms_entries};
}

} // namespace gnomon::storage::lmdb
