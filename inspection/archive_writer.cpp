#include "inspection/archive_writer.hpp"

#include "gnomon/check.hpp"

#include <xxhash.h>

#include <algorithm>
#include <archive.h>
#include <archive_entry.h>
#include <cerrno>
#include <optional>

namespace gnomon::inspection {

using namespace storage;

namespace {

constexpr std::size_t piece_bytes = 1 << 20;

/// XXH3-64 of what goes by.
class running_hash {
public:
  running_hash() : state_(XXH3_createState()) {
    GNOMON_CHECK(state_ != nullptr);
    XXH3_64bits_reset(state_.get());
  }

  void add(bytes_view piece) {
    XXH3_64bits_update(state_.get(), piece.data(), piece.size());
  }

  std::uint64_t value() const {
    return XXH3_64bits_digest(state_.get());
  }

private:
  struct release {
    void operator()(XXH3_state_t* state) const {
      XXH3_freeState(state);
    }
  };

  std::unique_ptr<XXH3_state_t, release> state_;
};

} // namespace

/// The open archive and the file behind it.
class archive_writer::output {
public:
  explicit output(std::unique_ptr<file> to) : to_(std::move(to)) {
    // nop
  }

  result<void> open() {
    if (::archive_write_set_format_pax_restricted(get()) != ARCHIVE_OK
        || ::archive_write_add_filter_none(get()) != ARCHIVE_OK
        || ::archive_write_open(get(), this, nullptr, &output::take, nullptr)
             != ARCHIVE_OK)
      return failure("begin an archive");
    return {};
  }

  result<void> close() {
    if (::archive_write_close(get()) != ARCHIVE_OK)
      return failure("end an archive");
    return to_->sync();
  }

  error failure(const std::string& attempted) const {
    if (failure_)
      return *failure_;
    const auto* why = ::archive_error_string(archive_.get());
    return {errc::io_error, attempted + ": " + (why ? why : "unknown")};
  }

  ::archive* get() const {
    return archive_.get();
  }

private:
  struct release {
    void operator()(::archive* what) const {
      ::archive_write_free(what);
    }
  };

  static la_ssize_t take(::archive* to, void* self, const void* buffer,
                         std::size_t size) {
    auto& out = *static_cast<output*>(self);
    const bytes_view piece{static_cast<const char*>(buffer), size};
    if (auto done = out.to_->write(out.size_, piece); !done) {
      out.failure_ = done.error();
      ::archive_set_error(to, EIO, "write");
      return -1;
    }
    out.size_ += size;
    return static_cast<la_ssize_t>(size);
  }

  std::unique_ptr<file> to_;
  std::uint64_t size_ = 0;
  std::optional<error> failure_;
  // Freeing it may still write: it goes first.
  std::unique_ptr<::archive, release> archive_{::archive_write_new()};
};

archive_writer::archive_writer(file_system& files, path name)
  : files_(files), name_(std::move(name)), temporary_(name_.string() + ".tmp") {
  // nop
}

archive_writer::~archive_writer() {
  output_ = nullptr;
  if (!published_)
    (void)files_.remove(temporary_);
}

result<std::unique_ptr<archive_writer>>
archive_writer::create(file_system& files, const path& name) {
  const auto there = files.exists(name);
  if (!there)
    return there.error();
  if (*there)
    return {errc::already_exists,
            "create " + name.string() + ": expected no such file"};
  const path temporary{name.string() + ".tmp"};
  if (auto left = files.exists(temporary); left && *left)
    if (auto done = files.remove(temporary); !done)
      return done.error();
  auto file = files.open(temporary, open_mode::create_new);
  if (!file)
    return file.error();
  std::unique_ptr<archive_writer> created{new archive_writer{files, name}};
  created->output_ = std::make_unique<output>(std::move(*file));
  if (auto done = created->output_->open(); !done)
    return done.error();
  return created;
}

result<void> archive_writer::begin_entry(const std::string& name,
                                         std::uint64_t size) {
  struct release {
    void operator()(::archive_entry* what) const {
      ::archive_entry_free(what);
    }
  };
  const std::unique_ptr<::archive_entry, release> entry{::archive_entry_new()};
  ::archive_entry_set_pathname(entry.get(), name.c_str());
  ::archive_entry_set_filetype(entry.get(), AE_IFREG);
  ::archive_entry_set_perm(entry.get(), 0644);
  ::archive_entry_set_size(entry.get(), static_cast<la_int64_t>(size));
  if (::archive_write_header(output_->get(), entry.get()) != ARCHIVE_OK)
    return output_->failure("add " + name);
  return {};
}

result<void> archive_writer::write(bytes_view content) {
  if (::archive_write_data(output_->get(), content.data(), content.size())
      != static_cast<la_ssize_t>(content.size()))
    return output_->failure("write an archive");
  return {};
}

result<file_sum> archive_writer::add(const std::string& name, file& source,
                                     std::uint64_t size, progress& watcher) {
  GNOMON_CHECK(is_backup_name(name));
  if (auto done = begin_entry(name, size); !done)
    return done.error();
  running_hash hash;
  for (std::uint64_t at = 0; at < size;) {
    const auto wanted = std::min<std::uint64_t>(piece_bytes, size - at);
    const auto piece = source.read(at, wanted);
    if (!piece)
      return piece.error();
    if (piece->size() != wanted)
      return {errc::corrupted, "read " + name + ": it ends too early"};
    hash.add(*piece);
    if (auto done = write(*piece); !done)
      return done.error();
    at += wanted;
    watcher.report("copy " + name, at, size);
  }
  entries_.push_back({name, {size, hash.value()}});
  return entries_.back().sum;
}

result<file_sum> archive_writer::add(const std::string& name,
                                     bytes_view content) {
  GNOMON_CHECK(is_backup_name(name));
  if (auto done = begin_entry(name, content.size()); !done)
    return done.error();
  if (auto done = write(content); !done)
    return done.error();
  running_hash hash;
  hash.add(content);
  entries_.push_back({name, {content.size(), hash.value()}});
  return entries_.back().sum;
}

result<void> archive_writer::publish() {
  const auto manifest = encode_manifest(entries_);
  if (!manifest)
    return manifest.error();
  if (auto done
      = begin_entry(std::string{backup_manifest_name}, manifest->size());
      !done)
    return done;
  if (auto done = write(*manifest); !done)
    return done;
  if (auto done = output_->close(); !done)
    return done;
  output_ = nullptr;
  if (auto done = files_.rename(temporary_, name_); !done)
    return done;
  published_ = true;
  const auto parent = name_.parent_path();
  return files_.sync_directory(parent.empty() ? path{"."} : parent);
}

} // namespace gnomon::inspection
