#include "tests/simulation/simulated_disk.hpp"

#include "gnomon/check.hpp"
#include "storage/stamp.hpp"
#include "storage/state_store.hpp"
#include "tests/simulation/simulated_file.hpp"

#include <cerrno>
#include <fstream>
#include <iterator>

namespace gnomon::simulation {

using storage::open_mode;
using storage::path;

namespace {

const path partition_folder = "partition-00001";

bool is_state_file(const path& name) {
  return name.filename() == storage::state_file_name;
}

bool is_snapshot(const path& name) {
  return name.parent_path().filename() == "snapshots";
}

bytes read_real(const path& name) {
  std::ifstream source{name, std::ios::binary};
  return {std::istreambuf_iterator<char>{source}, {}};
}

void write_real(const path& name, bytes_view content) {
  std::filesystem::create_directories(name.parent_path());
  std::ofstream target{name, std::ios::binary | std::ios::trunc};
  target.write(content.data(), static_cast<std::streamsize>(content.size()));
}

std::string boot_text(std::uint64_t number) {
  auto digits = std::to_string(number);
  return std::string(32 - digits.size(), '0') + digits + "\n";
}

} // namespace

simulated_disk::simulated_disk(path root, disk_observer& observer,
                               std::uint64_t seed)
  : root_(std::move(root)), observer_(observer), random_(seed, 3) {
  std::filesystem::remove_all(root_);
  std::filesystem::create_directories(root_);
  const path boot_directory = path{storage::boot_id_file}.parent_path();
  for (const auto& directory : {root_, boot_directory}) {
    GNOMON_CHECK(memory_.create_directories(directory));
    for (auto each = directory; each != each.root_path();) {
      each = each.parent_path();
      GNOMON_CHECK(memory_.sync_directory(each));
    }
  }
  begin_boot();
}

simulated_disk::~simulated_disk() {
  std::error_code ignored;
  std::filesystem::remove_all(root_, ignored);
}

// -- faults -------------------------------------------------------------------

bool simulated_disk::strikes(access kind) {
  if (!armed_)
    return false;
  if (armed_->what == call_fault::kind::out_of_space && kind != access::grows)
    return false;
  // An end in a call that reads is one in the next that does not.
  if (armed_->what == call_fault::kind::process_end && kind == access::reads)
    return false;
  if (armed_->at_call > 1) {
    --armed_->at_call;
    return false;
  }
  return true;
}

std::optional<error> simulated_disk::call(access kind, const char* action) {
  ++calls_;
  if (has_ended_)
    return error{errc::io_error,
                 std::string{action} + ": the process has ended"};
  if (!strikes(kind))
    return std::nullopt;
  const auto what = armed_->what;
  if (what == call_fault::kind::process_end) {
    disarm();
    has_ended_ = true;
    throw process_end{};
  }
  if (--armed_->times == 0)
    disarm();
  ++failed_calls_;
  const auto code = what == call_fault::kind::out_of_space ? errc::out_of_space
                                                           : errc::io_error;
  return error{code, std::string{action} + ": injected"};
}

int simulated_disk::judge(state_call what) {
  const auto is_sync = what == state_call::sync;
  try {
    const auto problem
      = call(is_sync ? access::changes : access::grows, "write state");
    if (is_sync)
      (problem ? is_state_doomed_ : is_state_synced_) = true;
    if (!problem)
      return 0;
    return problem->code == errc::out_of_space ? ENOSPC : EIO;
  } catch (const process_end&) {
    ++failed_calls_;
    return EIO;
  }
}

void simulated_disk::kill_process() {
  memory_.kill_process();
  has_ended_ = false;
}

void simulated_disk::cut_power(const test::survivors& what) {
  const auto state = root_ / partition_folder / "state";
  notice(state / storage::state_file_name);
  memory_.cut_power(what);
  std::filesystem::remove_all(root_ / partition_folder / "snapshots");
  if (!*memory_.exists(state / storage::state_file_name))
    std::filesystem::remove_all(state);
  else if (!is_state_synced_ || is_state_doomed_)
    spoil_state();
  has_ended_ = false;
  begin_boot();
}

void simulated_disk::spoil_state() {
  const auto state = root_ / partition_folder / "state";
  std::filesystem::remove(state / "lock.mdb");
  write_real(state / storage::state_file_name, bytes(8192, '\x5A'));
}

void simulated_disk::spoil_newest_snapshot(std::uint64_t detail) {
  const auto snapshots = root_ / partition_folder / "snapshots";
  const auto names = memory_.list(snapshots);
  if (!names || has_spoiled_snapshot_)
    return;
  for (auto name = names->rbegin(); name != names->rend(); ++name) {
    const auto file = snapshots / *name / storage::state_file_name;
    auto content = memory_.content(file);
    if (name->ends_with(".tmp") || content.empty())
      continue;
    content[detail % content.size()] ^= 1;
    memory_.overwrite(file, content);
    has_spoiled_snapshot_ = true;
    return;
  }
}

void simulated_disk::begin_boot() {
  memory_.overwrite(storage::boot_id_file, boot_text(++boots_));
}

void simulated_disk::notice(const path& name) {
  if (!is_state_file(name) || *memory_.exists(name)
      || !std::filesystem::exists(name))
    return;
  auto made = memory_.open(name, open_mode::create_new);
  if (made && is_snapshot(name.parent_path()))
    GNOMON_CHECK((*made)->write(0, read_real(name)));
}

// -- port ---------------------------------------------------------------------

result<std::unique_ptr<storage::file>> simulated_disk::open(const path& name,
                                                            open_mode mode) {
  const auto kind
    = mode == open_mode::create_new ? access::grows : access::reads;
  if (auto problem = call(kind, "open"))
    return *problem;
  notice(name);
  auto opened = memory_.open(name, mode);
  if (!opened)
    return opened;
  const auto inode = memory_.identity(name)->inode;
  const auto of_log = name.parent_path().filename() == "log";
  return std::unique_ptr<storage::file>{
    std::make_unique<simulated_file>(*this, std::move(*opened), inode, of_log)};
}

result<std::unique_ptr<storage::file_lock>>
simulated_disk::lock(const path& name) {
  if (auto problem = call(access::grows, "lock"))
    return *problem;
  return memory_.lock(name);
}

result<void> simulated_disk::rename(const path& from, const path& to) {
  if (auto problem = call(access::grows, "rename"))
    return *problem;
  auto done = memory_.rename(from, to);
  if (done && is_state_file(to))
    write_real(to, memory_.content(to));
  if (done && is_snapshot(from))
    std::filesystem::remove_all(from);
  return done;
}

result<void> simulated_disk::remove(const path& name) {
  if (auto problem = call(access::changes, "remove"))
    return *problem;
  return memory_.remove(name);
}

result<void> simulated_disk::sync_directory(const path& directory) {
  if (auto problem = call(access::changes, "sync directory"))
    return *problem;
  return memory_.sync_directory(directory);
}

result<void> simulated_disk::create_directories(const path& directory) {
  if (auto problem = call(access::grows, "create directories"))
    return *problem;
  if (is_snapshot(directory))
    std::filesystem::create_directories(directory);
  return memory_.create_directories(directory);
}

result<void> simulated_disk::remove_all(const path& directory) {
  if (auto problem = call(access::changes, "remove all"))
    return *problem;
  notice(directory / storage::state_file_name);
  if (directory.filename() == "state")
    is_state_doomed_ = false;
  if (is_snapshot(directory) || directory.filename() == "state")
    std::filesystem::remove_all(directory);
  return memory_.remove_all(directory);
}

result<std::vector<std::string>> simulated_disk::list(const path& directory) {
  if (auto problem = call(access::reads, "list"))
    return *problem;
  return memory_.list(directory);
}

result<bool> simulated_disk::exists(const path& name) {
  if (auto problem = call(access::reads, "inspect"))
    return *problem;
  notice(name);
  return memory_.exists(name);
}

result<storage::file_identity> simulated_disk::identity(const path& name) {
  if (auto problem = call(access::reads, "inspect"))
    return *problem;
  notice(name);
  return memory_.identity(name);
}

} // namespace gnomon::simulation
