#include "tests/support/memory_file_system.hpp"

#include "gnomon/check.hpp"
#include "tests/support/memory_disk.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace gnomon::test {

using storage::open_mode;
using storage::path;
using entry = entry_change::entry;

namespace {

error failure(errc code, const std::string& action, const path& name) {
  return {code, action + " " + name.string()};
}

bool is_in_the_making(const path& name) {
  return std::any_of(name.begin(), name.end(), [](const path& part) {
    return part.extension() == ".tmp";
  });
}

class memory_file : public storage::file {
public:
  memory_file(std::shared_ptr<memory_disk> disk, node_ptr node, path name,
              open_mode mode)
    : disk_(std::move(disk)), node_(std::move(node)), name_(std::move(name)),
      mode_(mode), generation_(disk_->generation) {
    // nop
  }

  result<bytes> read(std::uint64_t offset, std::size_t bytes_max) override {
    const std::lock_guard guard{disk_->mutex};
    if (is_dead())
      return failure(errc::io_error, "read", name_);
    if (offset >= node_->seen.size())
      return bytes{};
    return node_->seen.substr(offset, bytes_max);
  }

  result<void> write(std::uint64_t offset, bytes_view content,
                     std::size_t* written) override {
    const std::lock_guard guard{disk_->mutex};
    if (written != nullptr)
      *written = 0;
    if (is_dead() || mode_ == open_mode::read_only)
      return failure(errc::io_error, "write", name_);
    check_entry();
    const auto fitting
      = content.substr(0, size_that_fits(offset, content.size()));
    if (!fitting.empty())
      change({offset, bytes{fitting}});
    if (written != nullptr)
      *written = fitting.size();
    if (fitting.size() < content.size())
      return failure(errc::out_of_space, "write", name_);
    return {};
  }

  result<void> sync() override {
    const std::lock_guard guard{disk_->mutex};
    if (is_dead())
      return failure(errc::io_error, "sync", name_);
    for (const auto& each : node_->unsynced)
      apply_change(each, node_->on_disk);
    node_->unsynced.clear();
    return {};
  }

  result<void> allocate(std::uint64_t size) override {
    const std::lock_guard guard{disk_->mutex};
    if (is_dead() || mode_ == open_mode::read_only)
      return failure(errc::io_error, "allocate", name_);
    const auto current = node_->seen.size();
    if (size <= current)
      return {};
    if (disk_->used_bytes() + (size - current) > disk_->bytes_max)
      return failure(errc::out_of_space, "allocate", name_);
    change({size, {}});
    return {};
  }

  result<void> truncate(std::uint64_t size) override {
    const std::lock_guard guard{disk_->mutex};
    if (is_dead() || mode_ == open_mode::read_only)
      return failure(errc::io_error, "truncate", name_);
    if (size != node_->seen.size())
      change({size, {}});
    return {};
  }

  result<std::uint64_t> size() override {
    const std::lock_guard guard{disk_->mutex};
    if (is_dead())
      return failure(errc::io_error, "inspect", name_);
    return std::uint64_t{node_->seen.size()};
  }

  result<void> drop_cache(std::uint64_t offset) override {
    const std::lock_guard guard{disk_->mutex};
    if (is_dead())
      return failure(errc::io_error, "drop the cache of", name_);
    auto fresh = node_->on_disk;
    for (const auto& each : node_->unsynced)
      apply_change(each, fresh);
    fresh.resize(node_->seen.size(), '\0');
    if (offset < fresh.size())
      node_->seen.replace(offset, std::string::npos, fresh, offset);
    return {};
  }

  void lose_unsynced() {
    const std::lock_guard guard{disk_->mutex};
    node_->unsynced.clear();
  }

private:
  bool is_dead() const {
    return generation_ != disk_->generation;
  }

  /// The name may have changed since the file was opened.
  void check_entry() {
    const auto name = disk_->name_of(node_);
    if (!name.empty() && !is_in_the_making(name)
        && !disk_->is_on_disk(name, node_))
      disk_->violations.push_back("write into " + name.string()
                                  + " before its entry is on the disk");
  }

  std::size_t size_that_fits(std::uint64_t offset, std::size_t wanted) const {
    const auto current = node_->seen.size();
    if (offset + wanted <= current)
      return wanted;
    const auto used = disk_->used_bytes();
    const auto free = disk_->bytes_max > used ? disk_->bytes_max - used : 0;
    const auto end_max = current + free;
    if (offset + wanted <= end_max || end_max < current)
      return wanted;
    return end_max > offset ? end_max - offset : 0;
  }

  void change(content_change what) {
    apply_change(what, node_->seen);
    what.number = disk_->next_change++;
    node_->unsynced.push_back(std::move(what));
  }

  std::shared_ptr<memory_disk> disk_;
  node_ptr node_;
  path name_;
  open_mode mode_;
  std::uint64_t generation_;
};

class memory_lock : public storage::file_lock {
public:
  memory_lock(std::shared_ptr<memory_disk> disk, std::uint64_t inode)
    : disk_(std::move(disk)), inode_(inode), generation_(disk_->generation) {
    // nop
  }

  ~memory_lock() override {
    const std::lock_guard guard{disk_->mutex};
    if (generation_ == disk_->generation)
      disk_->locked.erase(inode_);
  }

private:
  std::shared_ptr<memory_disk> disk_;
  std::uint64_t inode_;
  std::uint64_t generation_;
};

/// Returns the file `name`, created if need be; null without a directory.
node_ptr find_or_create(memory_disk& disk, const path& name) {
  if (auto found = disk.find(name))
    return found;
  const auto parent = disk.find(name.parent_path());
  if (!parent)
    return nullptr;
  auto node = disk.create_node(false);
  disk.change_entries({entry{parent, name.filename().string(), node}});
  return node;
}

void copy_nodes(const memory_node& source, memory_node& target,
                memory_disk& disk) {
  for (const auto& [name, child] : source.entries) {
    auto node = disk.create_node(child->is_directory);
    node->seen = node->on_disk = child->seen;
    copy_nodes(*child, *node, disk);
    target.entries[name] = target.entries_on_disk[name] = node;
  }
}

} // namespace

std::vector<survivors> all_survivors() {
  std::vector<survivors> all{{survivors::unsynced::none, 0},
                             {survivors::unsynced::all, 0}};
  for (std::uint64_t seed = 1; seed <= 8; ++seed)
    all.push_back({survivors::unsynced::some, seed});
  return all;
}

memory_file_system::memory_file_system()
  : disk_(std::make_shared<memory_disk>()) {
  // nop
}

memory_file_system::~memory_file_system() = default;

result<std::unique_ptr<storage::file>>
memory_file_system::open(const path& name, open_mode mode) {
  const std::lock_guard guard{disk_->mutex};
  auto node = disk_->find(name);
  if (mode == open_mode::create_new) {
    if (node)
      return failure(errc::already_exists, "create", name);
    node = find_or_create(*disk_, name);
  }
  if (!node)
    return failure(errc::not_found, "open", name);
  if (node->is_directory)
    return failure(errc::io_error, "open directory", name);
  return std::unique_ptr<storage::file>{
    std::make_unique<memory_file>(disk_, std::move(node), name, mode)};
}

result<std::unique_ptr<storage::file_lock>>
memory_file_system::lock(const path& name) {
  const std::lock_guard guard{disk_->mutex};
  const auto node = find_or_create(*disk_, name);
  if (!node)
    return failure(errc::not_found, "lock", name);
  if (!disk_->locked.insert(node->inode).second)
    return failure(errc::in_use, "lock", name);
  return std::unique_ptr<storage::file_lock>{
    std::make_unique<memory_lock>(disk_, node->inode)};
}

result<void> memory_file_system::rename(const path& from, const path& to) {
  const std::lock_guard guard{disk_->mutex};
  const auto node = disk_->find(from);
  const auto target = disk_->find(to.parent_path());
  if (!node || !target)
    return failure(errc::not_found, "rename", from);
  if (!node->unsynced.empty())
    disk_->violations.push_back("rename " + from.string()
                                + " before its content is on the disk");
  disk_->change_entries(
    {entry{disk_->find(from.parent_path()), from.filename().string(), nullptr},
     entry{target, to.filename().string(), node}});
  return {};
}

result<void> memory_file_system::remove(const path& name) {
  const std::lock_guard guard{disk_->mutex};
  const auto node = disk_->find(name);
  if (!node)
    return failure(errc::not_found, "remove", name);
  if (node->is_directory && !node->entries.empty())
    return failure(errc::io_error, "remove directory", name);
  disk_->change_entries({entry{disk_->find(name.parent_path()),
                               name.filename().string(), nullptr}});
  return {};
}

result<void> memory_file_system::sync_directory(const path& directory) {
  const std::lock_guard guard{disk_->mutex};
  const auto node = disk_->find(directory);
  if (!node || !node->is_directory)
    return failure(errc::not_found, "sync", directory);
  disk_->sync_entries(node);
  return {};
}

result<void> memory_file_system::create_directories(const path& directory) {
  const std::lock_guard guard{disk_->mutex};
  path done = "/";
  auto parent = disk_->root;
  for (const auto& part : directory.lexically_normal().relative_path()) {
    if (part.empty())
      continue;
    done /= part;
    auto node = disk_->find(done);
    if (!node) {
      node = disk_->create_node(true);
      disk_->change_entries({entry{parent, part.string(), node}});
    }
    parent = std::move(node);
  }
  return {};
}

result<void> memory_file_system::remove_all(const path& directory) {
  const std::lock_guard guard{disk_->mutex};
  const auto node = disk_->find(directory);
  if (!node)
    return {};
  disk_->change_entries({entry{disk_->find(directory.parent_path()),
                               directory.filename().string(), nullptr}});
  return {};
}

result<std::vector<std::string>>
memory_file_system::list(const path& directory) {
  const std::lock_guard guard{disk_->mutex};
  const auto node = disk_->find(directory);
  if (!node || !node->is_directory)
    return failure(errc::not_found, "list", directory);
  std::vector<std::string> names;
  for (const auto& [name, child] : node->entries)
    names.push_back(name);
  return names;
}

result<bool> memory_file_system::exists(const path& name) {
  const std::lock_guard guard{disk_->mutex};
  return disk_->find(name) != nullptr;
}

result<storage::file_identity> memory_file_system::identity(const path& name) {
  const std::lock_guard guard{disk_->mutex};
  const auto node = disk_->find(name);
  if (!node)
    return failure(errc::not_found, "inspect", name);
  return storage::file_identity{1, node->inode};
}

void memory_file_system::cut_power(const survivors& what) {
  const std::lock_guard guard{disk_->mutex};
  disk_->cut_power(what);
}

std::size_t memory_file_system::unsynced_changes() const {
  const std::lock_guard guard{disk_->mutex};
  return disk_->unsynced_order().size();
}

void memory_file_system::kill_process() {
  const std::lock_guard guard{disk_->mutex};
  disk_->locked.clear();
  ++disk_->generation;
}

void memory_file_system::limit_bytes(std::uint64_t bytes_max) {
  const std::lock_guard guard{disk_->mutex};
  disk_->bytes_max = bytes_max;
}

std::uint64_t memory_file_system::used_bytes() const {
  const std::lock_guard guard{disk_->mutex};
  return disk_->used_bytes();
}

void memory_file_system::lose_unsynced(storage::file& opened) {
  auto* target = dynamic_cast<memory_file*>(&opened);
  GNOMON_CHECK(target != nullptr);
  target->lose_unsynced();
}

bytes memory_file_system::content(const path& name) const {
  const std::lock_guard guard{disk_->mutex};
  const auto node = disk_->find(name);
  return node ? node->seen : bytes{};
}

void memory_file_system::overwrite(const path& name, bytes_view content) {
  const std::lock_guard guard{disk_->mutex};
  const auto node = find_or_create(*disk_, name);
  GNOMON_CHECK(node != nullptr);
  disk_->sync_entries(disk_->find(name.parent_path()));
  node->seen = node->on_disk = bytes{content};
  node->unsynced.clear();
}

std::unique_ptr<memory_file_system> memory_file_system::clone() const {
  const std::lock_guard guard{disk_->mutex};
  auto copy = std::make_unique<memory_file_system>();
  copy_nodes(*disk_->root, *copy->disk_->root, *copy->disk_);
  return copy;
}

std::vector<std::string> memory_file_system::violations() const {
  const std::lock_guard guard{disk_->mutex};
  return disk_->violations;
}

} // namespace gnomon::test
