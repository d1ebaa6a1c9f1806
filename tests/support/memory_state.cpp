#include "tests/support/memory_state.hpp"

#include "gnomon/check.hpp"

#include <utility>
#include <vector>

namespace gnomon::test {

namespace {

// Counts down; returns the failure when its turn has come.
std::optional<error> strike(std::optional<memory_state::fault>& armed) {
  if (!armed)
    return std::nullopt;
  if (armed->skip > 0) {
    --armed->skip;
    return std::nullopt;
  }
  auto what = armed->what;
  if (--armed->times == 0)
    armed.reset();
  return what;
}

} // namespace

class memory_transaction : public storage::write_transaction {
public:
  explicit memory_transaction(memory_state& owner) : owner_(&owner) {
    owner.open_ = true;
  }

  ~memory_transaction() override {
    if (owner_)
      abort();
  }

  std::optional<bytes_view> get(column_family family,
                                bytes_view key) const override {
    const auto* entries = find(family);
    if (!entries || failure_)
      return std::nullopt;
    const auto found = entries->find(key);
    if (found == entries->end())
      return std::nullopt;
    return bytes_view{found->second};
  }

  void visit(column_family family, bytes_view from,
             const state_visitor& visitor) const override {
    const auto* entries = find(family);
    if (!entries || failure_)
      return;
    for (auto i = entries->lower_bound(from); i != entries->end(); ++i)
      if (!visitor(i->first, i->second))
        return;
  }

  std::uint64_t count(column_family family) const override {
    const auto* entries = find(family);
    return entries && !failure_ ? entries->size() : 0;
  }

  const std::optional<error>& failure() const override {
    return failure_;
  }

  void put(column_family family, bytes_view key, bytes_view value) override {
    if (key.empty() || key.size() > 511)
      fail({errc::invalid_argument, "put: expected a key of 1 to 511 bytes"});
    else if (auto struck = strike(owner_->write_fault))
      fail(std::move(*struck));
    if (failure_)
      return;
    // `value` may be borrowed from the entry that it replaces.
    bytes kept{value};
    auto& entries = owner_->content_[family.id];
    const auto found = entries.find(key);
    if (found == entries.end()) {
      undo_.push_back({family.id, bytes{key}, std::nullopt});
      entries.emplace(bytes{key}, std::move(kept));
      return;
    }
    undo_.push_back({family.id, bytes{key}, std::move(found->second)});
    found->second = std::move(kept);
  }

  bool erase(column_family family, bytes_view key) override {
    if (auto struck = strike(owner_->write_fault))
      fail(std::move(*struck));
    const auto entries = owner_->content_.find(family.id);
    if (failure_ || entries == owner_->content_.end())
      return false;
    const auto found = entries->second.find(key);
    if (found == entries->second.end())
      return false;
    undo_.push_back({family.id, found->first, std::move(found->second)});
    entries->second.erase(found);
    return true;
  }

  result<void> commit() override {
    GNOMON_CHECK(owner_ != nullptr);
    auto struck = failure_ ? failure_ : strike(owner_->commit_fault);
    if (struck) {
      abort();
      return *struck;
    }
    ++owner_->commit_count;
    undo_.clear();
    close();
    return {};
  }

  void abort() override {
    GNOMON_CHECK(owner_ != nullptr);
    for (auto i = undo_.rbegin(); i != undo_.rend(); ++i) {
      auto& entries = owner_->content_[i->family];
      if (i->before)
        entries.insert_or_assign(i->key, std::move(*i->before));
      else
        entries.erase(i->key);
    }
    undo_.clear();
    close();
  }

private:
  struct change {
    std::uint16_t family;
    bytes key;
    std::optional<bytes> before;
  };

  const memory_state::family_entries* find(column_family family) const {
    GNOMON_CHECK(owner_ != nullptr);
    const auto found = owner_->content_.find(family.id);
    return found == owner_->content_.end() ? nullptr : &found->second;
  }

  void fail(error what) {
    if (!failure_)
      failure_ = std::move(what);
  }

  void close() {
    std::erase_if(owner_->content_,
                  [](const auto& entry) { return entry.second.empty(); });
    owner_->open_ = false;
    owner_ = nullptr;
  }

  memory_state* owner_;
  std::optional<error> failure_;
  std::vector<change> undo_;
};

result<std::unique_ptr<storage::write_transaction>> memory_state::begin() {
  GNOMON_CHECK(!open_);
  if (auto struck = strike(begin_fault))
    return *struck;
  return std::unique_ptr<storage::write_transaction>{
    std::make_unique<memory_transaction>(*this)};
}

memory_state::content memory_state::dump_without_bookkeeping() const {
  auto rest = content_;
  rest.erase(1);
  return rest;
}

} // namespace gnomon::test
