#include "storage/lmdb.hpp"
#include "storage/state_store.hpp"
#include "tests/storage/state_fixture.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <functional>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gnomon::storage {

namespace {

constexpr column_family family{10};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool is_sanitized = true;
#elif defined(__has_feature)
constexpr bool is_sanitized
  = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool is_sanitized = false;
#endif

// Runs `body` in a process of its own; it begins once `start` was called and
// returns its exit code from `finish`.
class other_process {
public:
  explicit other_process(const std::function<int()>& body) {
    EXPECT_EQ(::pipe(pipe_), 0);
    id_ = ::fork();
    if (id_ != 0)
      return;
    char ignored = 0;
    ::close(pipe_[1]);
    if (::read(pipe_[0], &ignored, 1) == 1)
      ::_exit(body());
    ::_exit(0);
  }

  ~other_process() {
    ::close(pipe_[0]);
    ::close(pipe_[1]);
  }

  void start() {
    EXPECT_EQ(::write(pipe_[1], "x", 1), 1);
  }

  int finish() {
    ::close(pipe_[1]);
    int status = 0;
    EXPECT_EQ(::waitpid(id_, &status, 0), id_);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

private:
  int pipe_[2] = {-1, -1};
  pid_t id_ = 0;
};

class Lmdb : public testing::Test {
protected:
  path where() const {
    return directory.get() / "state";
  }

  std::unique_ptr<state_store> open(state_store_options options = {}) {
    auto opened = state_store::open(where(), options);
    EXPECT_TRUE(opened) << to_string(opened.error());
    return *std::move(opened);
  }

  errc refusal(const path& name, state_access access) {
    const auto opened = state_store::open(name, {.access = access});
    return opened ? errc::none : opened.error().code;
  }

  test::temp_directory directory;
};

} // namespace

TEST_F(Lmdb, IsOpenedOnceInAProcessByWhateverPath) {
  auto state = open();
  const auto link = directory.get() / "link";
  std::filesystem::create_directory_symlink(where(), link);
  const auto dotted = where() / ".." / "state";
  for (const auto& name : {where(), link, dotted}) {
    EXPECT_EQ(refusal(name, state_access::read_write), errc::in_use);
    EXPECT_EQ(refusal(name, state_access::read_only), errc::in_use);
  }
  // Another directory, the same file.
  const auto twin = directory.get() / "twin";
  std::filesystem::create_directory(twin);
  std::filesystem::create_hard_link(where() / state_file_name,
                                    twin / state_file_name);
  EXPECT_EQ(refusal(twin, state_access::read_write), errc::in_use);
  EXPECT_TRUE(test::commit(*state, {{family, "k", "v"}}));
  state.reset();
  EXPECT_EQ(refusal(link, state_access::read_write), errc::none);
}

// Closing any descriptor of the lock file would drop the process's locks.
TEST_F(Lmdb, KeepsItsLockWhenASecondOpeningIsRefused) {
  auto is_locked = [&] {
    other_process probe{[&] {
      const auto file = ::open((where() / "lock.mdb").c_str(), O_RDWR);
      struct flock lock {};
      lock.l_type = F_WRLCK;
      lock.l_whence = SEEK_SET;
      lock.l_len = 1;
      if (::fcntl(file, F_GETLK, &lock) != 0)
        return 2;
      return lock.l_type == F_UNLCK ? 0 : 1;
    }};
    probe.start();
    return probe.finish();
  };
  auto state = open();
  ASSERT_EQ(is_locked(), 1);
  EXPECT_EQ(refusal(where(), state_access::read_write), errc::in_use);
  EXPECT_EQ(is_locked(), 1);
  state.reset();
  EXPECT_EQ(is_locked(), 0);
}

TEST_F(Lmdb, IsReadByAnotherProcessMeanwhile) {
  other_process reading{[&] {
    auto state = open({.access = state_access::read_only});
    const auto view = *state->reader();
    const auto found = view->get(family, "k");
    return found && *found == "v" && view->count({20}) == 1 ? 0 : 1;
  }};
  auto state = open();
  ASSERT_TRUE(test::commit(*state, {{family, "k", "v"}, {{20}, "k", ""}}));
  reading.start();
  EXPECT_EQ(reading.finish(), 0);
}

TEST_F(Lmdb, FreesTheSlotsOfReadersThatWereKilled) {
  std::vector<std::unique_ptr<other_process>> readers;
  for (int i = 0; i < 12; ++i)
    readers.push_back(std::make_unique<other_process>([&] {
      auto state = open({.access = state_access::read_only});
      auto view = state->reader();
      // Ends without giving its slot back.
      ::_exit(view ? 0 : 1);
      return 2;
    }));
  auto state = open({.readers_max = 4});
  for (auto& one : readers) {
    one->start();
    ASSERT_EQ(one->finish(), 0);
  }
}

TEST_F(Lmdb, RefusesMoreReadersThanThereAreSlots) {
  auto state = open({.readers_max = 2});
  auto one = state->reader();
  auto two = state->reader();
  auto three = state->reader();
  EXPECT_TRUE(two);
  ASSERT_FALSE(three);
  EXPECT_EQ(three.error().code, errc::resource_exhausted);
  *one = nullptr;
  EXPECT_TRUE(state->reader());
}

// Without address space LMDB must not be asked at all.
TEST_F(Lmdb, FailsCleanlyWithoutAddressSpace) {
  if (is_sanitized)
    GTEST_SKIP() << "sanitizers need more address space than that";
  other_process limited{[&] {
    struct rlimit limit {};
    limit.rlim_cur = limit.rlim_max = std::uint64_t{1} << 30;
    if (::setrlimit(RLIMIT_AS, &limit) != 0)
      return 2;
    const auto refused = state_store::open(where(), {.map_bytes = 2ull << 30});
    if (refused || refused.error().code != errc::invalid_argument)
      return 3;
    // Below the limit, but with what the process has already it is too much.
    const auto failed
      = state_store::open(where(), {.map_bytes = (1ull << 30) - 4096});
    if (failed || failed.error().code != errc::invalid_argument)
      return 4;
    return state_store::open(where(), {.map_bytes = 16 << 20}) ? 0 : 5;
  }};
  limited.start();
  EXPECT_EQ(limited.finish(), 0);
}

TEST_F(Lmdb, KnowsFileSystemsOfTheNetwork) {
  EXPECT_TRUE(lmdb::is_network_file_system(0x6969));
  EXPECT_TRUE(lmdb::is_network_file_system(0xFF534D42));
  EXPECT_TRUE(lmdb::is_network_file_system(
    static_cast<std::uint64_t>(static_cast<std::int32_t>(0xFF534D42))));
  // ext4 and tmpfs.
  EXPECT_FALSE(lmdb::is_network_file_system(0xEF53));
  EXPECT_FALSE(lmdb::is_network_file_system(0x01021994));
}

} // namespace gnomon::storage
