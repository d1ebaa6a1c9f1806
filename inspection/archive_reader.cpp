#include "inspection/archive_reader.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace gnomon::inspection {

using namespace storage;

namespace {

class extraction {
public:
  extraction(file_system& files, path name, path target, progress& watcher)
    : files_(files), name_(std::move(name)), target_(std::move(target)),
      watcher_(watcher) {
    // nop
  }

  result<std::vector<backup_entry>> run() {
    if (auto done = open(); !done)
      return done.error();
    for (;;) {
      ::archive_entry* entry = nullptr;
      const auto code = ::archive_read_next_header(archive_.get(), &entry);
      if (code == ARCHIVE_EOF)
        break;
      if (code != ARCHIVE_OK)
        return unreadable();
      if (auto done = take(*entry); !done)
        return done.error();
    }
    return check();
  }

private:
  struct release {
    void operator()(::archive* what) const {
      ::archive_read_free(what);
    }
  };

  result<void> open() {
    const auto source = files_.open(name_, open_mode::read_only);
    if (!source)
      return source.error();
    const auto size = (*source)->size();
    if (!size)
      return size.error();
    archive_bytes_ = *size;
    constexpr std::size_t block_bytes = 1 << 16;
    if (::archive_read_support_format_tar(archive_.get()) != ARCHIVE_OK
        || ::archive_read_open_filename(archive_.get(), name_.c_str(),
                                        block_bytes)
             != ARCHIVE_OK)
      return unreadable();
    return {};
  }

  error refused(const std::string& what) const {
    return {errc::corrupted, "read " + name_.string() + ": " + what};
  }

  error unreadable() const {
    const auto* why = ::archive_error_string(archive_.get());
    return refused(std::string{"expected a backup, but found: "}
                   + (why ? why : "something else"));
  }

  result<void> take(::archive_entry& entry) {
    const auto* named = ::archive_entry_pathname(&entry);
    const std::string name{named ? named : ""};
    if (manifest_)
      return refused("something stands behind the manifest");
    if (::archive_entry_filetype(&entry) != AE_IFREG
        || ::archive_entry_hardlink(&entry) != nullptr
        || ::archive_entry_symlink(&entry) != nullptr)
      return refused("an entry that is no plain file");
    if (::archive_entry_size_is_set(&entry) == 0
        || static_cast<std::uint64_t>(::archive_entry_size(&entry))
             > archive_bytes_)
      return refused("an entry larger than the archive");
    const auto size = static_cast<std::uint64_t>(::archive_entry_size(&entry));
    if (name == backup_manifest_name)
      return take_manifest(size);
    if (!is_backup_name(name))
      return refused("an entry with a name that no backup has");
    if (!names_.insert(name).second)
      return refused("twice the entry " + name);
    return take_file(name, size);
  }

  /// Hands the content of the current entry piece by piece to `sink`.
  template <class Sink>
  result<void> read(std::uint64_t size, Sink sink) {
    std::uint64_t read_bytes = 0;
    for (;;) {
      const void* buffer = nullptr;
      std::size_t length = 0;
      la_int64_t offset = 0;
      const auto code
        = ::archive_read_data_block(archive_.get(), &buffer, &length, &offset);
      if (code == ARCHIVE_EOF)
        break;
      if (code != ARCHIVE_OK)
        return unreadable();
      // A hole would grow into zeros that are not in the archive.
      if (static_cast<std::uint64_t>(offset) != read_bytes
          || length > size - read_bytes)
        return refused("an entry with holes");
      const bytes_view piece{static_cast<const char*>(buffer), length};
      if (auto done = sink(read_bytes, piece); !done)
        return done;
      read_bytes += length;
    }
    if (read_bytes != size)
      return refused("an entry that ends too early");
    return {};
  }

  result<void> take_manifest(std::uint64_t size) {
    if (size > backup_manifest_bytes_max)
      return refused("a manifest that is too large");
    bytes content;
    auto done = read(size, [&](std::uint64_t, bytes_view piece) {
      content += piece;
      return result<void>{};
    });
    if (done)
      manifest_ = std::move(content);
    return done;
  }

  result<void> take_file(const std::string& name, std::uint64_t size) {
    const auto where = target_ / name;
    if (auto done = files_.create_directories(where.parent_path()); !done)
      return done;
    auto created = files_.open(where, open_mode::create_new);
    if (!created)
      return created.error();
    auto done = read(size, [&](std::uint64_t at, bytes_view piece) {
      taken_bytes_ += piece.size();
      watcher_.report("extract", taken_bytes_, archive_bytes_);
      return (*created)->write(at, piece);
    });
    return done ? (*created)->sync() : done;
  }

  result<std::vector<backup_entry>> check() {
    if (!manifest_)
      return refused("it has no manifest, so it is no whole backup");
    auto entries = decode_backup_manifest(*manifest_);
    if (!entries)
      return entries;
    std::uint64_t done = 0;
    for (const auto& [name, sum] : *entries) {
      watcher_.report("check the extracted files", done++, entries->size());
      if (names_.erase(name) == 0)
        return refused(name + " is missing");
      const auto found = hash_file(files_, target_ / name);
      if (!found)
        return found.error();
      if (*found != sum)
        return refused(name + " is not what the manifest says");
    }
    if (!names_.empty())
      return refused(*names_.begin() + " is not in the manifest");
    return entries;
  }

  file_system& files_;
  path name_;
  path target_;
  progress& watcher_;
  std::uint64_t archive_bytes_ = 0;
  std::uint64_t taken_bytes_ = 0;
  std::set<std::string> names_;
  std::optional<bytes> manifest_;
  std::unique_ptr<::archive, release> archive_{::archive_read_new()};
};

} // namespace

result<std::vector<backup_entry>> extract(file_system& files, const path& name,
                                          const path& target,
                                          progress& watcher) {
  return extraction{files, name, target, watcher}.run();
}

} // namespace gnomon::inspection
