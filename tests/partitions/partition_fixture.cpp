#include "tests/partitions/partition_fixture.hpp"

#include "messages/record_codec.hpp"
#include "storage/log_reader.hpp"

#include <algorithm>
#include <cstdlib>

namespace gnomon::partitions {

using step_end = stream_processor::step_end;

partition_fixture::partition_fixture() {
  auto name
    = (std::filesystem::temp_directory_path() / "partition-XXXXXX").string();
  directory = ::mkdtemp(name.data());
  partition_directory = directory / "partition-00001";
  options.directory = directory;
  options.segment_bytes = 256 << 10;
  options.batch_bytes_max = 64 << 10;
  options.snapshot_log_bytes = 0;
}

partition_fixture::~partition_fixture() {
  kill();
  std::filesystem::remove_all(directory);
}

void partition_fixture::open() {
  auto opened = stream_processor::open(storage::system_files(), time, options);
  ASSERT_TRUE(opened) << to_string(opened.error());
  partition = std::move(*opened);
  settle();
}

void partition_fixture::kill() {
  partition = nullptr;
  replies.clear();
  deliveries.clear();
}

void partition_fixture::close() {
  const auto done = partition->close();
  EXPECT_TRUE(done) << to_string(done.error());
  kill();
}

std::uint64_t partition_fixture::submit(const v1::Command& command) {
  record taken;
  taken.record_type = record_type::command;
  taken.key = {command.key()};
  taken.value_type = static_cast<value_type>(command.value_type());
  taken.intent = {static_cast<std::uint16_t>(command.intent())};
  taken.value = command.value();
  taken.idempotency_key = command.idempotency_key();
  auto number = partition->submit(std::move(taken));
  EXPECT_TRUE(number);
  return number ? *number : 0;
}

void partition_fixture::process() {
  for (;;) {
    auto end = partition->step();
    ASSERT_TRUE(end) << to_string(end.error());
    if (auto roll = partition->begin_roll())
      ASSERT_TRUE(partition->end_roll(*roll, roll->run()));
    else if (*end != step_end::progressed)
      return;
  }
}

void partition_fixture::sync() {
  if (auto ticket = partition->begin_sync()) {
    ASSERT_TRUE(partition->end_sync(*ticket, ticket->run()));
  }
  for (auto& what : partition->take_effects())
    if (auto* answer = std::get_if<engine::reply>(&what))
      replies.push_back(std::move(*answer));
    else
      deliveries.push_back(std::get<engine::delivery>(std::move(what)));
}

void partition_fixture::settle() {
  process();
  sync();
}

void partition_fixture::advance(duration by) {
  time.advance(by);
  partition->scan_due();
  settle();
}

const record* partition_fixture::answer_to(std::uint64_t request) const {
  const auto found
    = std::ranges::find(replies, request, &engine::reply::request);
  return found == replies.end() ? nullptr : &found->answer;
}

key partition_fixture::key_of(std::uint64_t request) const {
  const auto* answer = answer_to(request);
  return answer != nullptr ? answer->key : key{};
}

std::size_t partition_fixture::count(value_type type, int what) {
  auto& log = partition->storage().log();
  auto reader = storage::log_reader::open(
    storage::system_files(), log.directory(),
    partition->storage().directory().identity().log, log.first_position());
  EXPECT_TRUE(reader);
  std::size_t result = 0;
  while (auto frame = *(*reader)->next(log.last_position())) {
    auto rest = frame->body;
    for (auto at = frame->header.first; !rest.empty(); at = at.next()) {
      const auto met = messages::decode_record(rest, at);
      EXPECT_TRUE(met);
      result += met->value_type == type && met->intent.value == what
                && met->record_type == record_type::event;
    }
  }
  return result;
}

std::uint64_t partition_fixture::content_hash() {
  auto view = partition->view();
  EXPECT_TRUE(view);
  return *storage::content_hash(**view);
}

void partition_fixture::take_snapshot() {
  auto& storage = partition->storage();
  auto copied = storage.snapshots().copy(storage.state());
  ASSERT_TRUE(copied);
  sync();
  ASSERT_TRUE(storage.snapshots().publish(copied->position(),
                                          partition->durable_position()));
  auto retired = storage.snapshots().retire();
  ASSERT_TRUE(retired);
  ASSERT_TRUE(partition->end_snapshot(*retired));
}

} // namespace gnomon::partitions
