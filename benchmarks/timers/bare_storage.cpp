#include "benchmarks/timers/bare_storage.hpp"

#include "gnomon/check.hpp"
#include "gnomon/state_key.hpp"
#include "storage/log_options.hpp"
#include "storage/segment.hpp"
#include "storage/system_file_system.hpp"

#include <lmdb.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <thread>
#include <vector>

namespace gnomon::benchmarks {

namespace {

constexpr std::size_t batch_max = 1000;
constexpr std::size_t map_bytes = std::size_t{8} << 30;

void must(int code) {
  GNOMON_CHECK(code == MDB_SUCCESS);
}

MDB_val to_val(bytes_view from) {
  return {from.size(), const_cast<char*>(from.data())};
}

/// A preallocated file that begins anew where it ends, synced by a thread.
class bare_log {
public:
  explicit bare_log(const std::filesystem::path& directory)
    : file_(make_segment_file(directory)), syncer_([this] { run(); }) {
    // nop
  }

  ~bare_log() {
    finish();
  }

  void append(bytes_view content) {
    if (at_ + content.size() > storage::log_options{}.segment_bytes)
      at_ = storage::segment_header_bytes;
    GNOMON_CHECK(bool(file_->write(at_, content)));
    at_ += content.size();
    ++written_;
    written_.notify_one();
  }

  /// Returns once all is durable.
  void finish() {
    if (!syncer_.joinable())
      return;
    done_ = true;
    ++written_;
    written_.notify_one();
    syncer_.join();
  }

private:
  void run() {
    std::uint64_t synced = 0;
    while (!done_) {
      written_.wait(synced);
      synced = written_;
      GNOMON_CHECK(bool(file_->sync()));
    }
    GNOMON_CHECK(bool(file_->sync()));
  }

  std::unique_ptr<storage::file> file_;
  std::uint64_t at_ = storage::segment_header_bytes;
  std::atomic<std::uint64_t> written_ = 0;
  std::atomic<bool> done_ = false;
  std::thread syncer_;
};

/// Two databases: bodies by key, and due entries.
class bare_state {
public:
  explicit bare_state(const std::filesystem::path& directory) {
    must(mdb_env_create(&env_));
    must(mdb_env_set_mapsize(env_, map_bytes));
    must(mdb_env_set_maxdbs(env_, 4));
    must(mdb_env_open(env_, directory.c_str(), MDB_NOSYNC | MDB_NOTLS, 0644));
    begin();
    must(mdb_dbi_open(txn_, "bodies", MDB_CREATE, &bodies_));
    must(mdb_dbi_open(txn_, "due", MDB_CREATE, &due_));
    commit();
  }

  ~bare_state() {
    mdb_env_close(env_);
  }

  bare_state(const bare_state&) = delete;
  bare_state& operator=(const bare_state&) = delete;

  void begin() {
    must(mdb_txn_begin(env_, nullptr, 0, &txn_));
  }

  void commit() {
    must(mdb_txn_commit(txn_));
  }

  void insert(bytes_view key, bytes_view body, bytes_view due) {
    auto name = to_val(key);
    auto value = to_val(body);
    must(mdb_put(txn_, bodies_, &name, &value, MDB_APPEND));
    add(due);
  }

  void erase(bytes_view key, bytes_view due) {
    auto name = to_val(key);
    must(mdb_del(txn_, bodies_, &name, nullptr));
    remove(due);
  }

  void replace(bytes_view key, bytes_view body) {
    auto name = to_val(key);
    auto value = to_val(body);
    must(mdb_put(txn_, bodies_, &name, &value, 0));
  }

  void add(bytes_view due) {
    auto entry = to_val(due);
    MDB_val nothing{0, nullptr};
    must(mdb_put(txn_, due_, &entry, &nothing, 0));
  }

  void remove(bytes_view due) {
    auto entry = to_val(due);
    must(mdb_del(txn_, due_, &entry, nullptr));
  }

  void move(bytes_view from, bytes_view to) {
    remove(from);
    add(to);
  }

private:
  MDB_env* env_ = nullptr;
  MDB_txn* txn_ = nullptr;
  MDB_dbi bodies_ = 0;
  MDB_dbi due_ = 0;
};

struct bare_timer {
  std::uint64_t due = 0;
  std::uint64_t number = 0;
};

state_key key_of(const bare_timer& timer) {
  return state_key{}.add(timer.number);
}

/// As long as an entry of the due index.
state_key due_of(const bare_timer& timer) {
  return state_key{}
    .add(timer.due)
    .add(std::uint16_t{1})
    .add(std::uint16_t{7})
    .add(timer.number);
}

/// Calls `change` for each of `timers` in batches, and writes `bytes_each` for
/// each to `log`. @returns Timers per second, until all is durable.
template <class Change>
double run(const std::vector<bare_timer>& timers, bare_state& state,
           const std::filesystem::path& directory, std::size_t bytes_each,
           Change change) {
  bare_log log{directory};
  const auto start = steady::now();
  for (std::size_t at = 0; at < timers.size();) {
    const auto end = std::min(at + batch_max, timers.size());
    const bytes records((end - at) * bytes_each, 'r');
    state.begin();
    for (; at < end; ++at)
      change(timers[at]);
    log.append(records);
    state.commit();
  }
  log.finish();
  return static_cast<double>(timers.size()) / seconds_since(start);
}

} // namespace

bare_rates run_bare_storage(const std::filesystem::path& directory,
                            std::size_t count,
                            std::chrono::milliseconds within) {
  const scratch_directory scratch{directory};
  std::mt19937_64 random{1};
  std::vector<bare_timer> timers(count);
  for (std::size_t i = 0; i < count; ++i)
    timers[i] = {random() % static_cast<std::uint64_t>(within.count()), i + 1};
  bare_state state{scratch.path()};
  const bytes body(body_bytes, 'b');
  bare_rates rates;
  rates.create
    = run(timers, state, scratch.path() / "create",
          create_bytes + created_bytes, [&](const bare_timer& timer) {
            state.insert(key_of(timer).view(), body, due_of(timer).view());
          });
  std::ranges::sort(timers, {}, &bare_timer::due);
  rates.trigger
    = run(timers, state, scratch.path() / "trigger",
          trigger_bytes + triggered_bytes, [&](const bare_timer& timer) {
            state.erase(key_of(timer).view(), due_of(timer).view());
          });
  return rates;
}

double run_bare_jobs(const std::filesystem::path& directory,
                     std::size_t count) {
  const scratch_directory scratch{directory};
  std::vector<bare_timer> jobs(count);
  for (std::size_t i = 0; i < count; ++i)
    jobs[i] = {i + 1, i + 1};
  bare_state state{scratch.path()};
  const bytes body(body_bytes, 'b');
  // Where a job waits, who has it, and until when: as long as what jobs have.
  const auto waits = [](const bare_timer& job) {
    return state_key{}.add("work").add(job.number);
  };
  const auto held = [](const bare_timer& job) {
    return state_key{}.add("1/1").add(job.number);
  };
  bare_log log{scratch.path() / "log"};
  const auto start = steady::now();
  for (std::size_t at = 0; at < count; at += batch_max) {
    const auto end
      = jobs.begin()
        + static_cast<std::ptrdiff_t>(std::min(at + batch_max, count));
    const auto first = jobs.begin() + static_cast<std::ptrdiff_t>(at);
    const auto phase = [&](std::size_t bytes_each, auto change) {
      const bytes records(static_cast<std::size_t>(end - first) * bytes_each,
                          'r');
      state.begin();
      std::for_each(first, end, change);
      log.append(records);
      state.commit();
    };
    phase(create_bytes + created_bytes, [&](const bare_timer& job) {
      state.insert(key_of(job).view(), body, waits(job).view());
    });
    phase(job_activated_bytes, [&](const bare_timer& job) {
      state.replace(key_of(job).view(), body);
      state.move(waits(job).view(), held(job).view());
      state.add(due_of(job).view());
    });
    phase(job_complete_bytes + job_completed_bytes, [&](const bare_timer& job) {
      state.erase(key_of(job).view(), held(job).view());
      state.remove(due_of(job).view());
    });
  }
  log.finish();
  return static_cast<double>(count) / seconds_since(start);
}

std::unique_ptr<storage::file>
make_segment_file(const std::filesystem::path& directory) {
  std::filesystem::create_directories(directory);
  const storage::log_options like;
  storage::segment_header header;
  header.id = {1};
  header.epoch = 1;
  header.first = {1};
  auto made = storage::create_segment(storage::system_files(), directory,
                                      header, like.segment_bytes, like.space);
  GNOMON_CHECK(bool(made));
  return std::move(*made);
}

} // namespace gnomon::benchmarks
