#include "tests/partitions/driven_partition.hpp"

#include "gnomon/check.hpp"
#include "storage/state_content.hpp"
#include "storage/system_file_system.hpp"

#include <algorithm>
#include <iterator>
#include <unistd.h>
#include <utility>

namespace gnomon::test {

namespace {

using partitions::stream_processor;

record to_record(const v1::Command& from) {
  record command;
  command.record_type = record_type::command;
  command.key = {from.key()};
  command.scope_key = {from.scope_key()};
  command.value_type = static_cast<value_type>(from.value_type());
  command.intent = {static_cast<std::uint16_t>(from.intent())};
  command.value = from.value();
  command.idempotency_key = from.idempotency_key();
  return command;
}

std::filesystem::path unique_directory() {
  static int count = 0;
  return std::filesystem::temp_directory_path()
         / ("gnomon-partition-" + std::to_string(::getpid()) + '-'
            + std::to_string(++count));
}

template <class T>
void expect_success(const result<T>& outcome) {
  ASSERT_TRUE(outcome) << to_string(outcome.error());
}

} // namespace

driven_partition::driven_partition(const clock& time, partition_options options)
  : options(std::move(options)), time_(time) {
  // nop
}

// -- life ---------------------------------------------------------------------

result<void> driven_partition::try_open() {
  auto opened = stream_processor::open(storage::system_files(), time_, options);
  if (!opened)
    return opened.error();
  core_ = std::move(*opened);
  return {};
}

void driven_partition::open() {
  expect_success(try_open());
  GNOMON_CHECK(core_ != nullptr);
}

void driven_partition::close() {
  expect_success(core_->close());
  kill();
}

void driven_partition::kill() {
  core_ = nullptr;
  answers_.clear();
  jobs_.clear();
}

// -- the loop -----------------------------------------------------------------

std::uint64_t driven_partition::submit(const v1::Command& command) {
  auto request = core_->submit(to_record(command));
  expect_success(request);
  return *request;
}

driven_partition::step_end driven_partition::process() {
  for (;;) {
    auto end = core_->step();
    expect_success(end);
    auto roll = core_->begin_roll();
    if (roll)
      expect_success(core_->end_roll(*roll, roll->run()));
    else if (*end != step_end::progressed)
      return *end;
  }
}

void driven_partition::sync() {
  auto ticket = core_->begin_sync();
  if (ticket)
    expect_success(core_->end_sync(*ticket, ticket->run()));
}

driven_partition::step_end driven_partition::run() {
  auto end = step_end::idle;
  // The second time for what the first one has made due at once.
  for (int round = 0; round < 2; ++round) {
    core_->scan_due();
    end = process();
    sync();
  }
  return end;
}

storage::snapshot_retirement driven_partition::take_snapshot() {
  auto& snapshots = core_->storage().snapshots();
  auto copied = snapshots.copy(core_->storage().state());
  expect_success(copied);
  sync();
  expect_success(
    snapshots.publish(copied->position(), core_->durable_position()));
  auto retired = snapshots.retire();
  expect_success(retired);
  expect_success(core_->end_snapshot(*retired));
  return *retired;
}

// -- what came of it ----------------------------------------------------------

void driven_partition::collect() {
  for (auto& effect : core_->take_effects()) {
    if (auto* reply = std::get_if<engine::reply>(&effect)) {
      answers_[reply->request] = std::move(reply->answer);
      continue;
    }
    std::ranges::move(pushed_jobs(std::get<engine::delivery>(effect)),
                      std::back_inserter(jobs_));
  }
}

bool driven_partition::has_answer(std::uint64_t request) {
  collect();
  return answers_.contains(request);
}

record driven_partition::answer_to(std::uint64_t request) {
  EXPECT_TRUE(has_answer(request));
  return answers_[request];
}

std::vector<pushed_job> driven_partition::take_jobs() {
  collect();
  return std::exchange(jobs_, {});
}

std::uint64_t driven_partition::content_hash() {
  auto view = core_->view();
  expect_success(view);
  auto hash = storage::content_hash(**view);
  expect_success(hash);
  return *hash;
}

std::filesystem::path driven_partition::state_directory() {
  return core_->storage().directory().state_directory();
}

// -- fixture ------------------------------------------------------------------

PartitionTest::PartitionTest()
  : root(unique_directory()), partition(clock, options_for("first")) {
  std::filesystem::create_directories(root);
  partition.open();
}

PartitionTest::~PartitionTest() {
  partition.kill();
  std::filesystem::remove_all(root);
}

partition_options PartitionTest::options_for(const std::string& folder) const {
  partition_options result;
  result.directory = root / folder;
  result.batch_bytes_max = 256 << 10;
  result.payload_bytes_max = 1 << 10;
  result.segment_bytes = 1 << 20;
  result.map_bytes = 256 << 20;
  return result;
}

} // namespace gnomon::test
