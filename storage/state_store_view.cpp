#include "storage/state_store_view.hpp"

#include <mutex>

namespace gnomon::storage {

namespace {

// Counts visits, also when a visitor throws.
class visit_scope {
public:
  explicit visit_scope(int& count) : count_(count) {
    ++count_;
  }

  ~visit_scope() {
    --count_;
  }

private:
  int& count_;
};

bool is_possible(bytes_view key) {
  return !key.empty() && key.size() <= lmdb::key_bytes_max;
}

} // namespace

// -- reads --------------------------------------------------------------------

void state_reads::fail(error reason) {
  if (!failure_)
    failure_ = std::move(reason);
}

lmdb::cursor* state_reads::cursor_of(lmdb::database in) {
  GNOMON_CHECK(txn_ != nullptr);
  if (in >= cursors_.size())
    cursors_.resize(in + 1);
  if (auto& known = cursors_[in])
    return &*known;
  auto opened = lmdb::cursor::open(*txn_, in);
  if (!opened) {
    fail(opened.error());
    return nullptr;
  }
  return &cursors_[in].emplace(*std::move(opened));
}

std::optional<bytes_view> state_reads::get(column_family family,
                                           bytes_view key) {
  const auto in = find(family);
  if (failure_ || in == 0 || !is_possible(key))
    return std::nullopt;
  auto* cursor = cursor_of(in);
  if (!cursor)
    return std::nullopt;
  auto found = cursor->find(key);
  if (found)
    return *found;
  fail(found.error());
  return std::nullopt;
}

void state_reads::visit(column_family family, bytes_view from,
                        const state_visitor& visitor) {
  const auto in = find(family);
  if (failure_ || in == 0)
    return;
  // A cursor of its own: the visitor may read and visit meanwhile.
  auto cursor = lmdb::cursor::open(*txn_, in);
  if (!cursor)
    return fail(cursor.error());
  visit_scope scope{visits_};
  auto found = cursor->seek(from);
  while (found && *found) {
    const auto& [key, value] = **found;
    if (!visitor(key, value))
      return;
    found = cursor->next();
  }
  if (!found)
    fail(found.error());
}

std::uint64_t state_reads::count(column_family family) {
  const auto in = find(family);
  if (failure_ || in == 0)
    return 0;
  auto counted = lmdb::count(*txn_, in);
  if (counted)
    return *counted;
  fail(counted.error());
  return 0;
}

void state_reads::end() {
  cursors_.clear();
  families_ = std::make_shared<family_table>();
  txn_ = nullptr;
}

// -- view ---------------------------------------------------------------------

state_store::view::view(environment& owner, lmdb::transaction txn)
  : owner_(owner), txn_(std::move(txn)), reads_(txn_, owner.families) {
  ++owner_.readers;
}

state_store::view::~view() {
  reads_.end();
  txn_.abort();
  --owner_.readers;
}

// -- transaction --------------------------------------------------------------

state_store::transaction::transaction(environment& owner, lmdb::transaction txn)
  : owner_(owner), txn_(std::move(txn)), reads_(txn_, owner.families) {
  GNOMON_CHECK(!owner_.writing.exchange(true));
}

state_store::transaction::~transaction() {
  if (!ended_)
    abort();
}

bool state_store::transaction::may_write(column_family family, bytes_view key) {
  // A visitor's bytes would change under it.
  GNOMON_CHECK(!reads_.visiting());
  GNOMON_CHECK(!ended_);
  if (reads_.failure())
    return false;
  if (family.id != 0 && family.id < column_families_end && is_possible(key))
    return true;
  reads_.fail({errc::invalid_argument,
               "write to column family " + std::to_string(family.id)
                 + ": expected an id of 1 to 1999 and a key of 1 to 511 "
                   "bytes, but found "
                 + std::to_string(key.size()) + " bytes"});
  return false;
}

lmdb::database state_store::transaction::open_family(column_family family) {
  if (const auto known = reads_.find(family))
    return known;
  auto opened = txn_.open(database_name(family).c_str(), //
                          lmdb::writing::allowed);
  if (!opened) {
    reads_.fail(opened.error());
    return 0;
  }
  if (!created_)
    created_ = std::make_shared<family_table>(reads_.families());
  (*created_)[family.id] = *opened;
  reads_.use(created_);
  return *opened;
}

const std::string* state_store::transaction::highest_key(lmdb::database in,
                                                         lmdb::cursor& cursor) {
  if (in >= highest_.size())
    highest_.resize(in + 1);
  auto& known = highest_[in];
  if (known)
    return &*known;
  auto last = cursor.last();
  if (!last) {
    reads_.fail(last.error());
    return nullptr;
  }
  return &known.emplace(*last ? (*last)->first : bytes_view{});
}

void state_store::transaction::put(column_family family, bytes_view key,
                                   bytes_view value) {
  if (!may_write(family, key))
    return;
  const auto in = open_family(family);
  auto* cursor = in == 0 ? nullptr : reads_.cursor_of(in);
  const auto* highest = cursor ? highest_key(in, *cursor) : nullptr;
  if (!highest)
    return;
  const auto is_above = key > *highest;
  auto done = is_above ? cursor->append(key, value) : cursor->put(key, value);
  if (!done)
    return reads_.fail(done.error());
  if (is_above)
    highest_[in]->assign(key);
}

bool state_store::transaction::erase(column_family family, bytes_view key) {
  if (!may_write(family, key))
    return false;
  const auto in = reads_.find(family);
  auto* cursor = in == 0 ? nullptr : reads_.cursor_of(in);
  if (!cursor)
    return false;
  auto erased = cursor->erase(key);
  if (erased)
    return *erased;
  reads_.fail(erased.error());
  return false;
}

result<void> state_store::transaction::commit() {
  GNOMON_CHECK(!ended_);
  if (reads_.failure()) {
    const auto reason = *reads_.failure();
    abort();
    return reason;
  }
  reads_.end();
  ended_ = true;
  std::unique_lock guard{owner_.mutex, std::defer_lock};
  if (created_)
    guard.lock();
  auto done = txn_.commit();
  if (!done)
    owner_.poisoned = true;
  else if (created_)
    owner_.families = created_;
  owner_.writing = false;
  return done;
}

void state_store::transaction::abort() {
  GNOMON_CHECK(!ended_);
  reads_.end();
  ended_ = true;
  txn_.abort();
  owner_.writing = false;
}

} // namespace gnomon::storage
