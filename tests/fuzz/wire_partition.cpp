#include "tests/fuzz/wire_partition.hpp"

#include "gnomon/v1/query.pb.h"
#include "gnomon/v1/wire.pb.h"
#include "jobs/job_options.hpp"
#include "tests/fuzz/target.hpp"

#include "partitions/state_queries.hpp"

namespace gnomon::fuzz {

namespace {

constexpr partition_id owner{3};

/// Commands are bounded by the input; what they cause must be, too.
constexpr int rounds_max = 2'000;

engine::record_processor_map
map_of(const std::vector<std::unique_ptr<record_processor>>& from) {
  std::vector<record_processor*> all;
  for (const auto& each : from)
    all.push_back(each.get());
  auto made = engine::record_processor_map::make(all);
  GNOMON_CHECK(made);
  return std::move(*made);
}

template <class Message>
bool parse(bytes_view from, Message& into) {
  return into.ParseFromArray(from.data(), static_cast<int>(from.size()));
}

record to_record(const v1::Command& from) {
  record command;
  command.record_type = record_type::command;
  // Small numbers mean keys that this partition has drawn.
  command.key = from.key() == 0 || from.key() > 255
                  ? key{from.key()}
                  : key::make(owner, from.key());
  command.value_type = static_cast<value_type>(from.value_type());
  command.intent = {static_cast<std::uint16_t>(from.intent())};
  command.value = from.value();
  command.scope_key = {from.scope_key()};
  command.idempotency_key = from.idempotency_key();
  return command;
}

engine::engine_options small_options() {
  engine::engine_options options;
  options.commands_per_batch_max = 8;
  return options;
}

} // namespace

wire_partition::wire_partition()
  : processors_(partitions::library_processors({})), map_(map_of(processors_)),
    queue_(map_, small_options()),
    machine_(map_, state_, log_, owner, {}, small_options()) {
  const auto opened = machine_.open_epoch(1, now_);
  GNOMON_CHECK(opened.status == engine::batch_status::processed);
  dispatcher_.begin_epoch(1);
}

void wire_partition::submit(bytes_view request) {
  v1::SubmitRequest content;
  if (!parse(request, content))
    return;
  for (const auto& each : content.commands())
    static_cast<void>(
      queue_.offer({to_record(each), 1, engine::command_origin::client}));
  process();
}

void wire_partition::ask(bytes_view query) {
  v1::Query question;
  if (!parse(query, question))
    return;
  static_cast<void>(partitions::is_long(question));
  const auto state = state_.begin();
  GNOMON_CHECK(state);
  if (const auto reply = partitions::answer(question, **state, now_))
    GNOMON_CHECK(!reply->SerializeAsString().empty());
}

void wire_partition::subscribe(bytes_view request) {
  v1::SubscribeRequest content;
  if (!parse(request, content) || content.type().empty()
      || content.capacity() == 0)
    return;
  // As the partition does it with what it was asked for.
  const auto timeout = std::clamp<std::int64_t>(
    content.timeout_ms(), 1, jobs::job_options{}.timeout_ms_max);
  workers_.push_back(
    dispatcher_.add({content.type(), content.capacity(), duration{timeout}}));
  process();
}

void wire_partition::control(bytes_view request) {
  v1::ControlRequest content;
  if (parse(request, content))
    GNOMON_CHECK(content.ByteSizeLong() <= request.size() + 10);
}

void wire_partition::advance(std::uint64_t ms) {
  constexpr std::uint64_t ms_max = 40'000'000'000;
  now_.value += static_cast<std::int64_t>(ms % ms_max);
  for (int slices = 0; slices < 8; ++slices) {
    scan_.begin();
    auto state = state_.begin();
    GNOMON_CHECK(state);
    auto due = scan_.propose(**state, now_, 50);
    *state = nullptr;
    propose(std::move(due));
    process();
  }
}

void wire_partition::end_worker() {
  if (workers_.empty())
    return;
  GNOMON_CHECK(dispatcher_.remove(workers_.front()));
  auto state = state_.begin();
  GNOMON_CHECK(state);
  auto gone = partitions::job_dispatcher::time_out(**state, workers_.front());
  *state = nullptr;
  propose(std::move(gone));
  workers_.erase(workers_.begin());
  process();
}

void wire_partition::propose(std::vector<record> commands) {
  for (auto& each : commands)
    GNOMON_CHECK(
      queue_.offer({std::move(each), 0, engine::command_origin::proposal}));
}

void wire_partition::process() {
  bool more = true;
  for (int rounds = 0; more; ++rounds) {
    GNOMON_CHECK(rounds < rounds_max);
    auto state = state_.begin();
    GNOMON_CHECK(state);
    auto jobs
      = queue_.empty() ? dispatcher_.propose(**state) : std::vector<record>{};
    *state = nullptr;
    more = !jobs.empty();
    propose(std::move(jobs));
    const auto done = machine_.process_batch(queue_, now_);
    GNOMON_CHECK(done.status == engine::batch_status::processed);
    for (const auto& each : done.effects)
      if (std::holds_alternative<engine::reply>(each.what))
        queue_.acknowledge();
    more = more || done.more_work;
  }
}

void wire_partition::check_replay() const {
  const auto fresh = partitions::library_processors({});
  const auto map = map_of(fresh);
  test::memory_state replayed;
  engine::replay_state_machine replay{map, replayed, {}};
  for (const auto& each : log_.frames())
    GNOMON_CHECK(replay.replay({each.body(), each.chain}));
  GNOMON_CHECK(replay.finish());
  GNOMON_CHECK(replayed.dump() == state_.dump());
}

} // namespace gnomon::fuzz
