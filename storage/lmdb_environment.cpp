#include "gnomon/check.hpp"
#include "storage/lmdb.hpp"

#include <lmdb.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <set>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <vector>

namespace gnomon::storage::lmdb {

namespace {

// Device and inode of a file or directory.
using identity = std::pair<dev_t, ino_t>;

// All that this process has open. A second opening of the same environment
// would crash LMDB, and closing it would drop the locks of the first.
struct open_files {
  std::mutex mutex;
  std::set<identity> all;
};

open_files& registry() {
  static open_files instance;
  return instance;
}

std::optional<identity> identify(const path& name) {
  struct stat found {};
  if (::stat(name.c_str(), &found) != 0)
    return std::nullopt;
  return identity{found.st_dev, found.st_ino};
}

result<void> check_file_system(const path& directory) {
  struct statfs found {};
  if (::statfs(directory.c_str(), &found) != 0)
    return {errc::not_found,
            "open state " + directory.string() + ": " + std::strerror(errno)};
  if (is_network_file_system(static_cast<std::uint64_t>(found.f_type)))
    return {errc::invalid_argument,
            "open state " + directory.string()
              + ": expected a local file system, but it is a network's"};
  return {};
}

error no_address_space(std::uint64_t map_bytes, const std::string& why) {
  return {errc::invalid_argument,
          "map " + std::to_string(map_bytes)
            + " bytes of address space for the state: " + why
            + "; lower map_bytes or raise the limit of the process"};
}

result<void> check_address_space(std::uint64_t map_bytes) {
  struct rlimit limit {};
  if (::getrlimit(RLIMIT_AS, &limit) != 0)
    return {};
  if (limit.rlim_cur != RLIM_INFINITY && map_bytes > limit.rlim_cur)
    return no_address_space(map_bytes, "expected at most "
                                         + std::to_string(limit.rlim_cur));
  return {};
}

unsigned to_flags(const environment_options& options) {
  // Never WRITEMAP: a stray pointer of the application could damage the state.
  unsigned flags = MDB_NOSYNC | MDB_NOTLS;
  if (options.writing == writing::refused)
    flags |= MDB_RDONLY;
  if (options.locking == locking::none)
    flags |= MDB_NOLOCK;
  return flags;
}

int configure(MDB_env* env, const environment_options& options) {
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const auto map_bytes = (options.map_bytes + page - 1) / page * page;
  if (auto code = mdb_env_set_mapsize(env, map_bytes); code != 0)
    return code;
  if (auto code = mdb_env_set_maxdbs(env, options.databases_max); code != 0)
    return code;
  return mdb_env_set_maxreaders(env, options.readers_max);
}

} // namespace

class environment::claim {
public:
  ~claim() {
    std::lock_guard guard{registry().mutex};
    for (const auto& one : mine_)
      registry().all.erase(one);
  }

  // Adds `name` unless it is not there. @returns False if it is taken.
  bool add(const path& name) {
    const auto found = identify(name);
    if (!found)
      return true;
    std::lock_guard guard{registry().mutex};
    for (const auto& one : mine_)
      if (one == *found)
        return true;
    if (!registry().all.insert(*found).second)
      return false;
    mine_.push_back(*found);
    return true;
  }

private:
  std::vector<identity> mine_;
};

environment::environment() : claim_(std::make_shared<claim>()) {
  // nop
}

void environment::close::operator()(MDB_env* env) const {
  mdb_env_close(env);
}

bool is_network_file_system(std::uint64_t magic) {
  constexpr std::uint64_t nfs = 0x6969;
  constexpr std::uint64_t smb = 0x517B;
  constexpr std::uint64_t cifs = 0xFF534D42;
  constexpr std::uint64_t smb2 = 0xFE534D42;
  constexpr std::uint64_t ceph = 0x00C36400;
  // The field is signed on some machines.
  magic &= 0xFFFFFFFF;
  return magic == nfs || magic == smb || magic == cifs || magic == smb2
         || magic == ceph;
}

result<environment> environment::open(const path& directory,
                                      const environment_options& options) {
  GNOMON_CHECK(options.map_bytes > 0);
  GNOMON_CHECK(options.databases_max > 0);
  if (auto done = check_file_system(directory); !done)
    return done.error();
  if (auto done = check_address_space(options.map_bytes); !done)
    return done.error();
  environment opened;
  if (options.locking == locking::shared)
    if (auto done = opened.claim_files(directory); !done)
      return done.error();
  if (auto done = opened.open_claimed(directory, options); !done)
    return done.error();
  if (options.locking == locking::shared)
    GNOMON_CHECK(opened.claim_->add(directory / "data.mdb"));
  return opened;
}

// Both, since a hard link to the file gives it a second directory.
result<void> environment::claim_files(const path& directory) {
  if (claim_->add(directory) && claim_->add(directory / "data.mdb"))
    return {};
  return {errc::in_use, "open state " + directory.string()
                          + ": this process has it open already"};
}

result<void> environment::open_claimed(const path& directory,
                                       const environment_options& options) {
  const auto attempted = "open state " + directory.string();
  MDB_env* env = nullptr;
  if (auto code = mdb_env_create(&env); code != 0)
    return to_error(code, attempted);
  env_.reset(env);
  auto code = configure(env, options);
  if (code == 0)
    code = mdb_env_open(env, directory.c_str(), to_flags(options), 0600);
  int dead = 0;
  if (code == 0)
    code = mdb_reader_check(env, &dead);
  if (code == ENOMEM)
    return no_address_space(options.map_bytes, std::strerror(code));
  if (code == ENOENT)
    return {errc::not_found, attempted + ": " + std::strerror(code)};
  if (code != 0)
    return to_error(code, attempted);
  return {};
}

result<void> environment::sync() {
  constexpr int force = 1;
  if (auto code = mdb_env_sync(env_.get(), force); code != 0)
    return to_error(code, "sync state");
  return {};
}

result<void> environment::copy_compact(const path& to) {
  const auto attempted = "copy state to " + to.string();
  const auto file
    = ::open(to.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
  if (file < 0)
    return to_error(errno, attempted);
  auto code = mdb_env_copyfd2(env_.get(), file, MDB_CP_COMPACT);
  if (::close(file) != 0 && code == 0)
    code = errno;
  if (code != 0)
    return to_error(code, attempted);
  return {};
}

std::uint64_t environment::bytes_used() const {
  MDB_envinfo found{};
  MDB_stat pages{};
  mdb_env_info(env_.get(), &found);
  mdb_env_stat(env_.get(), &pages);
  return (std::uint64_t{found.me_last_pgno} + 1) * pages.ms_psize;
}

result<std::uint64_t> environment::bytes_left() const {
  // LMDB's own database of free pages; an entry begins with their number.
  constexpr database free_pages = 0;
  auto txn = transaction::begin(*this, writing::refused);
  if (!txn)
    return txn.error();
  auto reading = cursor::open(*txn, free_pages);
  if (!reading)
    return reading.error();
  std::size_t pages = 0;
  auto found = reading->seek({});
  for (; found && *found; found = reading->next()) {
    std::size_t count = 0;
    if ((*found)->second.size() < sizeof(count))
      return {errc::corrupted, "read the free pages: entry is too short"};
    std::memcpy(&count, (*found)->second.data(), sizeof(count));
    pages += count;
  }
  if (!found)
    return found.error();
  MDB_envinfo map{};
  MDB_stat stat{};
  mdb_env_info(env_.get(), &map);
  mdb_env_stat(env_.get(), &stat);
  const auto used_pages = std::uint64_t{map.me_last_pgno} + 1;
  const auto all_pages = std::uint64_t{map.me_mapsize} / stat.ms_psize;
  return (all_pages - std::min(all_pages, used_pages) + pages) * stat.ms_psize;
}

} // namespace gnomon::storage::lmdb
