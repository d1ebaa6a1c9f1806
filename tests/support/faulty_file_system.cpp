#include "tests/support/faulty_file_system.hpp"

#include "gnomon/check.hpp"

#include <mutex>
#include <optional>
#include <utility>

namespace gnomon::test {

using storage::open_mode;
using storage::path;

/// Counts calls and says which of them fail.
class faulty_file_system::plan {
public:
  enum class access { reads, changes };

  void set(std::optional<fault> what) {
    const std::lock_guard guard{mutex_};
    planned_ = what;
    calls_ = 0;
    has_struck_ = false;
    is_down_ = false;
  }

  /// Counts a call. @returns The error it must answer, if any.
  std::optional<error> call(access kind, const char* action) {
    const std::lock_guard guard{mutex_};
    ++calls_;
    if (is_down_)
      return error{errc::io_error, std::string{action} + ": crashed"};
    if (!planned_ || !fails(kind))
      return std::nullopt;
    has_struck_ = true;
    is_down_ = planned_->what == fault::kind::crash;
    return error{is_down_ ? errc::io_error : planned_->code,
                 std::string{action} + ": injected"};
  }

  std::uint64_t calls() const {
    const std::lock_guard guard{mutex_};
    return calls_;
  }

  bool has_struck() const {
    const std::lock_guard guard{mutex_};
    return has_struck_;
  }

  bool is_down() const {
    const std::lock_guard guard{mutex_};
    return is_down_;
  }

private:
  bool fails(access kind) const {
    if (calls_ == planned_->at_call)
      return true;
    return planned_->what == fault::kind::sticky && calls_ > planned_->at_call
           && kind == access::changes;
  }

  mutable std::mutex mutex_;
  std::optional<fault> planned_;
  std::uint64_t calls_ = 0;
  bool has_struck_ = false;
  bool is_down_ = false;
};

namespace {

using plan_ptr = std::shared_ptr<faulty_file_system::plan>;
using access = faulty_file_system::plan::access;

class faulty_file : public storage::file {
public:
  faulty_file(std::unique_ptr<storage::file> target, plan_ptr plan,
              memory_file_system& files)
    : target_(std::move(target)), plan_(std::move(plan)), files_(files) {
    // nop
  }

  result<bytes> read(std::uint64_t offset, std::size_t bytes_max) override {
    if (auto problem = plan_->call(access::reads, "read"))
      return *problem;
    return target_->read(offset, bytes_max);
  }

  result<void> write(std::uint64_t offset, bytes_view content,
                     std::size_t* written) override {
    std::size_t arrived = 0;
    if (auto problem = plan_->call(access::changes, "write")) {
      if (!plan_->is_down())
        static_cast<void>(target_->write(
          offset, content.substr(0, content.size() / 2), &arrived));
      if (written != nullptr)
        *written = arrived;
      return *problem;
    }
    return target_->write(offset, content, written);
  }

  result<void> sync() override {
    if (auto problem = plan_->call(access::changes, "sync")) {
      if (!plan_->is_down())
        files_.lose_unsynced(*target_);
      return *problem;
    }
    return target_->sync();
  }

  result<void> allocate(std::uint64_t size) override {
    if (auto problem = plan_->call(access::changes, "allocate"))
      return *problem;
    return target_->allocate(size);
  }

  result<void> truncate(std::uint64_t size) override {
    if (auto problem = plan_->call(access::changes, "truncate"))
      return *problem;
    return target_->truncate(size);
  }

  result<std::uint64_t> size() override {
    if (auto problem = plan_->call(access::reads, "inspect"))
      return *problem;
    return target_->size();
  }

  result<void> drop_cache(std::uint64_t offset) override {
    if (auto problem = plan_->call(access::reads, "drop cache"))
      return *problem;
    return target_->drop_cache(offset);
  }

private:
  std::unique_ptr<storage::file> target_;
  plan_ptr plan_;
  memory_file_system& files_;
};

} // namespace

faulty_file_system::faulty_file_system(memory_file_system& files)
  : files_(files), plan_(std::make_shared<plan>()) {
  // nop
}

faulty_file_system::~faulty_file_system() = default;

void faulty_file_system::inject(const fault& what) {
  GNOMON_CHECK(what.at_call > 0);
  plan_->set(what);
}

void faulty_file_system::heal() {
  plan_->set(std::nullopt);
}

void faulty_file_system::restart(const survivors& what) {
  files_.cut_power(what);
  heal();
}

std::uint64_t faulty_file_system::calls() const {
  return plan_->calls();
}

bool faulty_file_system::has_struck() const {
  return plan_->has_struck();
}

result<std::unique_ptr<storage::file>>
faulty_file_system::open(const path& name, open_mode mode) {
  const auto kind
    = mode == open_mode::create_new ? access::changes : access::reads;
  if (auto problem = plan_->call(kind, "open"))
    return *problem;
  auto opened = files_.open(name, mode);
  if (!opened)
    return opened;
  return std::unique_ptr<storage::file>{
    std::make_unique<faulty_file>(*std::move(opened), plan_, files_)};
}

result<std::unique_ptr<storage::file_lock>>
faulty_file_system::lock(const path& name) {
  if (auto problem = plan_->call(access::changes, "lock"))
    return *problem;
  return files_.lock(name);
}

result<void> faulty_file_system::rename(const path& from, const path& to) {
  if (auto problem = plan_->call(access::changes, "rename"))
    return *problem;
  return files_.rename(from, to);
}

result<void> faulty_file_system::remove(const path& name) {
  if (auto problem = plan_->call(access::changes, "remove"))
    return *problem;
  return files_.remove(name);
}

result<void> faulty_file_system::sync_directory(const path& directory) {
  if (auto problem = plan_->call(access::changes, "sync directory"))
    return *problem;
  return files_.sync_directory(directory);
}

result<void> faulty_file_system::create_directories(const path& directory) {
  if (auto problem = plan_->call(access::changes, "create directories"))
    return *problem;
  return files_.create_directories(directory);
}

result<void> faulty_file_system::remove_all(const path& directory) {
  if (auto problem = plan_->call(access::changes, "remove all"))
    return *problem;
  return files_.remove_all(directory);
}

result<std::vector<std::string>>
faulty_file_system::list(const path& directory) {
  if (auto problem = plan_->call(access::reads, "list"))
    return *problem;
  return files_.list(directory);
}

result<bool> faulty_file_system::exists(const path& name) {
  if (auto problem = plan_->call(access::reads, "inspect"))
    return *problem;
  return files_.exists(name);
}

result<storage::file_identity> faulty_file_system::identity(const path& name) {
  if (auto problem = plan_->call(access::reads, "inspect"))
    return *problem;
  return files_.identity(name);
}

} // namespace gnomon::test
