#include "storage/system_file_system.hpp"

#include "gnomon/check.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <mutex>
#include <set>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace gnomon::storage {

namespace {

errc code_of(int number) {
  switch (number) {
  case ENOSPC:
  case EDQUOT:
    return errc::out_of_space;
  case ENOENT:
    return errc::not_found;
  case EEXIST:
    return errc::already_exists;
  default:
    return errc::io_error;
  }
}

error failure(const char* action, const path& name, int number) {
  return {code_of(number), std::string{action} + " " + name.string() + ": "
                             + std::generic_category().message(number)};
}

/// Calls `operation` again while a signal interrupts it.
template <class Operation>
auto retried(Operation operation) {
  auto outcome = operation();
  while (outcome < 0 && errno == EINTR)
    outcome = operation();
  return outcome;
}

class descriptor {
public:
  explicit descriptor(int number) : number_(number) {
    // nop
  }

  descriptor(descriptor&& other) noexcept
    : number_(std::exchange(other.number_, -1)) {
    // nop
  }

  descriptor& operator=(descriptor&&) = delete;

  ~descriptor() {
    if (number_ >= 0)
      ::close(number_);
  }

  int number() const {
    return number_;
  }

private:
  int number_;
};

class system_file : public file {
public:
  system_file(descriptor source, path name)
    : descriptor_(std::move(source)), name_(std::move(name)) {
    GNOMON_CHECK(descriptor_.number() >= 0);
  }

  result<bytes> read(std::uint64_t offset, std::size_t bytes_max) override {
    // The caller may ask for far more than there is: grow as bytes arrive.
    constexpr std::size_t step_max = 1 << 20;
    bytes content;
    while (content.size() < bytes_max) {
      const auto begin = content.size();
      content.resize(begin + std::min(step_max, bytes_max - begin));
      const auto arrived = retried([&] {
        return ::pread(number(), content.data() + begin, content.size() - begin,
                       static_cast<off_t>(offset + begin));
      });
      if (arrived < 0)
        return failure("read", name_, errno);
      content.resize(begin + static_cast<std::size_t>(arrived));
      if (arrived == 0)
        break;
    }
    return content;
  }

  result<void> write(std::uint64_t offset, bytes_view content,
                     std::size_t* written) override {
    std::size_t done = 0;
    int problem = 0;
    while (done < content.size() && problem == 0) {
      const auto arrived = retried([&] {
        return ::pwrite(number(), content.data() + done, content.size() - done,
                        static_cast<off_t>(offset + done));
      });
      if (arrived < 0)
        problem = errno;
      else if (arrived == 0)
        problem = ENOSPC;
      else
        done += static_cast<std::size_t>(arrived);
    }
    if (written != nullptr)
      *written = done;
    if (problem != 0)
      return failure("write", name_, problem);
    return {};
  }

  result<void> sync() override {
    // Never called again for the same bytes: after a failure the pages count
    // as clean, and a second call would report success.
    if (::fdatasync(number()) != 0)
      return failure("sync", name_, errno);
    return {};
  }

  result<void> allocate(std::uint64_t size) override {
    const auto current = this->size();
    if (!current)
      return current.error();
    if (*current >= size)
      return {};
    // The call of the kernel, since the portable one emulates what a file
    // system cannot do by writing into the middle of blocks.
    if (retried(
          [&] { return ::fallocate(number(), 0, 0, static_cast<off_t>(size)); })
        == 0)
      return {};
    if (errno == EOPNOTSUPP || errno == ENOSYS)
      return write_zeros(*current, size);
    return failure("allocate", name_, errno);
  }

  result<void> truncate(std::uint64_t size) override {
    if (retried([&] { return ::ftruncate(number(), static_cast<off_t>(size)); })
        != 0)
      return failure("truncate", name_, errno);
    return {};
  }

  result<std::uint64_t> size() override {
    struct stat status {};
    if (::fstat(number(), &status) != 0)
      return failure("inspect", name_, errno);
    return static_cast<std::uint64_t>(status.st_size);
  }

  result<void> drop_cache(std::uint64_t offset) override {
    const auto outcome = ::posix_fadvise(number(), static_cast<off_t>(offset),
                                         0, POSIX_FADV_DONTNEED);
    if (outcome != 0)
      return failure("drop the cache of", name_, outcome);
    return {};
  }

private:
  int number() const {
    return descriptor_.number();
  }

  result<void> write_zeros(std::uint64_t from, std::uint64_t to) {
    const bytes zeros(1 << 20, '\0');
    while (from < to) {
      const auto piece = std::min<std::uint64_t>(zeros.size(), to - from);
      const auto outcome
        = write(from, bytes_view{zeros}.substr(0, piece), nullptr);
      if (!outcome)
        return outcome;
      from += piece;
    }
    return {};
  }

  descriptor descriptor_;
  path name_;
};

/// The files this process has locked: a lock of the kernel belongs to the open
/// file, so a second one of the same process would be told apart, but only on
/// the same kernel, not across bind mounts of network file systems.
struct lock_registry {
  std::mutex mutex;
  std::set<std::pair<std::uint64_t, std::uint64_t>> held;
};

lock_registry& registry() {
  static lock_registry instance;
  return instance;
}

class system_lock : public file_lock {
public:
  system_lock(descriptor source, file_identity which)
    : descriptor_(std::move(source)), which_(which) {
    // nop
  }

  ~system_lock() override {
    const std::lock_guard guard{registry().mutex};
    registry().held.erase({which_.device, which_.inode});
  }

private:
  descriptor descriptor_;
  file_identity which_;
};

/// Returns the process that has left its number in a lock file.
std::string holder_of(const descriptor& source) {
  char text[16] = {};
  const auto size
    = retried([&] { return ::pread(source.number(), text, sizeof text, 0); });
  const bytes_view found{text, static_cast<std::size_t>(std::max(size, 0l))};
  const auto digits = found.substr(0, found.find('\n'));
  return digits.empty() ? "another process" : "process " + std::string{digits};
}

/// Writes the number of this process into a lock file: for people only, so it
/// does not matter if that fails.
void sign(const descriptor& source) {
  const auto text = std::to_string(::getpid()) + '\n';
  if (retried([&] { return ::ftruncate(source.number(), 0); }) == 0)
    static_cast<void>(!retried(
      [&] { return ::pwrite(source.number(), text.data(), text.size(), 0); }));
}

result<void> lock_in_kernel(const descriptor& source, const path& name) {
  struct flock request {};
  request.l_type = F_WRLCK;
  request.l_whence = SEEK_SET;
  if (retried([&] { return ::fcntl(source.number(), F_OFD_SETLK, &request); })
      == 0)
    return {};
  if (errno == EAGAIN || errno == EACCES)
    return {errc::in_use,
            "lock " + name.string() + ": " + holder_of(source) + " has it"};
  return failure("lock", name, errno);
}

result<descriptor> open_descriptor(const path& name, int flags) {
  descriptor source{
    retried([&] { return ::open(name.c_str(), flags | O_CLOEXEC, 0644); })};
  if (source.number() < 0)
    return failure("open", name, errno);
  return source;
}

int flags_of(open_mode mode) {
  switch (mode) {
  case open_mode::read_only:
    return O_RDONLY;
  case open_mode::create_new:
    return O_RDWR | O_CREAT | O_EXCL;
  default:
    return O_RDWR;
  }
}

class system_file_system : public file_system {
public:
  result<std::unique_ptr<file>> open(const path& name,
                                     open_mode mode) override {
    auto source = open_descriptor(name, flags_of(mode));
    if (!source)
      return source.error();
    return std::unique_ptr<file>{
      std::make_unique<system_file>(*std::move(source), name)};
  }

  result<std::unique_ptr<file_lock>> lock(const path& name) override {
    auto source = open_descriptor(name, O_RDWR | O_CREAT);
    if (!source)
      return source.error();
    struct stat status {};
    if (::fstat(source->number(), &status) != 0)
      return failure("inspect", name, errno);
    const file_identity which{status.st_dev, status.st_ino};
    const std::lock_guard guard{registry().mutex};
    if (registry().held.contains({which.device, which.inode}))
      return {errc::in_use,
              "lock " + name.string() + ": this process has it already"};
    if (const auto outcome = lock_in_kernel(*source, name); !outcome)
      return outcome.error();
    sign(*source);
    auto lock = std::make_unique<system_lock>(*std::move(source), which);
    registry().held.insert({which.device, which.inode});
    return std::unique_ptr<file_lock>{std::move(lock)};
  }

  result<void> rename(const path& from, const path& to) override {
    if (::rename(from.c_str(), to.c_str()) != 0)
      return failure("rename", from, errno);
    return {};
  }

  result<void> remove(const path& name) override {
    if (::unlink(name.c_str()) != 0)
      return failure("remove", name, errno);
    return {};
  }

  result<void> sync_directory(const path& directory) override {
    const auto source = open_descriptor(directory, O_RDONLY | O_DIRECTORY);
    if (!source)
      return source.error();
    if (::fsync(source->number()) != 0)
      return failure("sync", directory, errno);
    return {};
  }

  result<void> create_directories(const path& directory) override {
    std::error_code problem;
    std::filesystem::create_directories(directory, problem);
    if (problem)
      return failure("create", directory, problem.value());
    return {};
  }

  result<void> remove_all(const path& directory) override {
    std::error_code problem;
    std::filesystem::remove_all(directory, problem);
    if (problem)
      return failure("remove", directory, problem.value());
    return {};
  }

  result<std::vector<std::string>> list(const path& directory) override {
    std::error_code problem;
    std::vector<std::string> names;
    std::filesystem::directory_iterator each{directory, problem};
    while (!problem && each != std::filesystem::directory_iterator{}) {
      names.push_back(each->path().filename().string());
      each.increment(problem);
    }
    if (problem)
      return failure("list", directory, problem.value());
    std::sort(names.begin(), names.end());
    return names;
  }

  result<bool> exists(const path& name) override {
    std::error_code problem;
    const auto found = std::filesystem::exists(name, problem);
    if (problem)
      return failure("inspect", name, problem.value());
    return found;
  }

  result<file_identity> identity(const path& name) override {
    struct stat status {};
    if (::stat(name.c_str(), &status) != 0)
      return failure("inspect", name, errno);
    return file_identity{status.st_dev, status.st_ino};
  }
};

} // namespace

result<bool> is_locked(const path& name) {
  const auto source = open_descriptor(name, O_RDONLY);
  if (!source)
    return source.error().code == errc::not_found ? result<bool>{false}
                                                  : source.error();
  struct flock request {};
  request.l_type = F_WRLCK;
  request.l_whence = SEEK_SET;
  if (retried([&] { return ::fcntl(source->number(), F_OFD_GETLK, &request); })
      != 0)
    return failure("look at the lock", name, errno);
  return request.l_type != F_UNLCK;
}

file_system& system_files() {
  static system_file_system instance;
  return instance;
}

} // namespace gnomon::storage
