#include "tests/support/memory_disk.hpp"

#include "gnomon/check.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace gnomon::test {

namespace {

constexpr std::uint64_t sector_bytes = 512;

void set_entry(std::map<std::string, node_ptr>& entries,
               const entry_change::entry& change) {
  if (change.target)
    entries[change.name] = change.target;
  else
    entries.erase(change.name);
}

void for_each_file(const memory_node& directory,
                   const std::function<void(memory_node&)>& visit) {
  for (const auto& [name, child] : directory.entries) {
    if (child->is_directory)
      for_each_file(*child, visit);
    else
      visit(*child);
  }
}

storage::path search(const memory_node& directory, const node_ptr& wanted,
                     const storage::path& prefix) {
  for (const auto& [name, child] : directory.entries) {
    if (child == wanted)
      return prefix / name;
    if (child->is_directory)
      if (auto found = search(*child, wanted, prefix / name); !found.empty())
        return found;
  }
  return {};
}

/// Makes what is on the disk what is seen.
void start_again(memory_node& node) {
  node.entries = node.entries_on_disk;
  node.seen = node.on_disk;
  node.unsynced.clear();
  for (const auto& [name, child] : node.entries)
    start_again(*child);
}

/// Puts the unsynced content that survives onto the disk, everywhere.
void keep_content(memory_node& node, const survivors& what,
                  std::mt19937_64& random) {
  for (const auto& change : node.unsynced) {
    if (what.kept == survivors::unsynced::all)
      apply_change(change, node.on_disk);
    else if (what.kept == survivors::unsynced::some)
      apply_some_sectors(change, node.on_disk, random);
    else if (what.kept == survivors::unsynced::first
             && change.number <= what.seed)
      apply_change(change, node.on_disk);
  }
  node.unsynced.clear();
  for (const auto& [name, child] : node.entries_on_disk)
    keep_content(*child, what, random);
}

} // namespace

void apply_change(const content_change& change, bytes& content) {
  if (change.written.empty()) {
    content.resize(change.offset, '\0');
    return;
  }
  const auto end = change.offset + change.written.size();
  if (content.size() < end)
    content.resize(end, '\0');
  content.replace(change.offset, change.written.size(), change.written);
}

void apply_some_sectors(const content_change& change, bytes& content,
                        std::mt19937_64& random) {
  if (change.written.empty()) {
    if (random() % 2 == 0)
      apply_change(change, content);
    return;
  }
  std::uint64_t done = 0;
  while (done < change.written.size()) {
    const auto offset = change.offset + done;
    const auto to_boundary = sector_bytes - offset % sector_bytes;
    const auto size
      = std::min<std::uint64_t>(to_boundary, change.written.size() - done);
    if (random() % 2 == 0)
      apply_change({offset, change.written.substr(done, size)}, content);
    done += size;
  }
}

memory_disk::memory_disk() : root(create_node(true)) {
  // nop
}

node_ptr memory_disk::find(const storage::path& name) const {
  auto node = root;
  for (const auto& part : name.lexically_normal().relative_path()) {
    if (part.empty())
      continue;
    const auto found = node->entries.find(part.string());
    if (found == node->entries.end())
      return nullptr;
    node = found->second;
  }
  return node;
}

node_ptr memory_disk::create_node(bool is_directory) {
  auto node = std::make_shared<memory_node>();
  node->is_directory = is_directory;
  node->inode = next_inode++;
  return node;
}

void memory_disk::change_entries(std::vector<entry_change::entry> entries) {
  for (const auto& entry : entries)
    set_entry(entry.directory->entries, entry);
  unsynced_entries.push_back({std::move(entries), next_change++});
}

void memory_disk::sync_entries(const node_ptr& directory) {
  const auto concerns = [&](const entry_change& change) {
    return std::any_of(
      change.entries.begin(), change.entries.end(),
      [&](const auto& entry) { return entry.directory == directory; });
  };
  std::vector<entry_change> others;
  for (auto& change : unsynced_entries) {
    if (!concerns(change)) {
      others.push_back(std::move(change));
      continue;
    }
    for (const auto& entry : change.entries)
      set_entry(entry.directory->entries_on_disk, entry);
  }
  unsynced_entries = std::move(others);
}

storage::path memory_disk::name_of(const node_ptr& node) const {
  return search(*root, node, "/");
}

bool memory_disk::is_on_disk(const storage::path& name,
                             const node_ptr& node) const {
  auto found = root;
  for (const auto& part : name.lexically_normal().relative_path()) {
    const auto entry = found->entries_on_disk.find(part.string());
    if (entry == found->entries_on_disk.end())
      return false;
    found = entry->second;
  }
  return found == node;
}

std::uint64_t memory_disk::used_bytes() const {
  std::uint64_t sum = 0;
  for_each_file(*root, [&](memory_node& file) { sum += file.seen.size(); });
  return sum;
}

std::vector<std::uint64_t> memory_disk::unsynced_order() const {
  std::vector<std::uint64_t> numbers;
  for (const auto& change : unsynced_entries)
    numbers.push_back(change.number);
  for_each_file(*root, [&](const memory_node& file) {
    for (const auto& change : file.unsynced)
      numbers.push_back(change.number);
  });
  std::ranges::sort(numbers);
  return numbers;
}

void memory_disk::cut_power(const survivors& wanted) {
  auto what = wanted;
  // From here on, the number of the last change that is kept.
  if (const auto order = unsynced_order();
      what.kept == survivors::unsynced::first && what.seed > 0)
    what.seed = what.seed <= order.size() ? order[what.seed - 1] : UINT64_MAX;
  std::mt19937_64 random{what.seed};
  for (const auto& change : unsynced_entries) {
    const auto is_kept
      = what.kept == survivors::unsynced::all
        || (what.kept == survivors::unsynced::some && random() % 2 == 0)
        || (what.kept == survivors::unsynced::first
            && change.number <= what.seed);
    if (is_kept)
      for (const auto& entry : change.entries)
        set_entry(entry.directory->entries_on_disk, entry);
  }
  unsynced_entries.clear();
  keep_content(*root, what, random);
  start_again(*root);
  locked.clear();
  ++generation;
}

} // namespace gnomon::test
