#include "tests/engine/engine_fixture.hpp"

#include "gnomon/check.hpp"

#include <array>

namespace gnomon::test {

namespace {

engine::replay_frame to_replay(const memory_log::frame& kept) {
  return {kept.body(), kept.chain};
}

storage::state_bookkeeping load_book(memory_state& state) {
  auto reading = state.begin();
  GNOMON_CHECK(reading);
  const auto found = storage::bookkeeping::load(**reading);
  GNOMON_CHECK(found);
  return found->value_or(storage::state_bookkeeping{});
}

} // namespace

engine::record_processor_map engine_under_test::make_map() {
  std::array<record_processor*, 2> all{&accounts, &probe};
  auto made = engine::record_processor_map::make(all);
  GNOMON_CHECK(made);
  return std::move(*made);
}

void engine_under_test::start() {
  live.reset();
  queue.clear();
  engine::replay_state_machine replay{map, state, load_book(state)};
  const auto from = replay.read_from();
  for (const auto& each : log.frames())
    if (each.last() >= from)
      GNOMON_CHECK(replay.replay(to_replay(each)));
  auto end = replay.finish();
  GNOMON_CHECK(end);
  live.emplace(map, state, log, owner, std::move(*end), options);
}

engine::batch_result engine_under_test::batch() {
  auto done = live->process_batch(queue, now);
  for (const auto& each : done.effects)
    effects.push_back(each);
  return done;
}

engine::batch_result engine_under_test::run() {
  for (;;) {
    auto done = batch();
    if (done.status != engine::batch_status::processed || !done.more_work)
      return done;
  }
}

std::vector<engine::reply> engine_under_test::replies() const {
  std::vector<engine::reply> found;
  for (const auto& each : effects)
    if (const auto* answer = std::get_if<engine::reply>(&each.what))
      found.push_back(*answer);
  return found;
}

record engine_under_test::answer_to(std::uint64_t request) const {
  for (const auto& each : replies())
    if (each.request == request)
      return each.answer;
  GNOMON_CHECK(!"there is an answer");
  return {};
}

std::string engine_under_test::shape() const {
  std::string all;
  for (const auto& each : log.records()) {
    all += all.empty() ? "" : " ";
    all += each.record_type == record_type::command ? "C"
           : each.record_type == record_type::event ? "E"
                                                    : "R";
    all += std::to_string(each.intent.value);
    if (each.source_position)
      all += "<" + std::to_string(each.source_position.value);
  }
  return all;
}

replayed replay_prefix(const engine::record_processor_map& map,
                       const memory_log& log, std::size_t frame_count) {
  replayed made;
  engine::replay_state_machine replay{map, made.state, {}};
  for (std::size_t i = 0; i < frame_count; ++i)
    GNOMON_CHECK(replay.replay(to_replay(log.frames()[i])));
  auto end = replay.finish();
  GNOMON_CHECK(end);
  made.end = std::move(*end);
  return made;
}

record probe_command(std::string value, std::uint64_t about,
                     std::uint64_t scope) {
  record made;
  made.record_type = record_type::command;
  made.value_type = probe_type;
  made.intent = probe_run;
  made.key = {about};
  made.scope_key = {scope};
  made.value = std::move(value);
  return made;
}

record account_command(bank::AccountIntent what, key account,
                       std::int64_t cents) {
  bank::Amount amount;
  amount.set_cents(cents);
  record made;
  made.record_type = record_type::command;
  made.value_type = bank::account_type;
  made.intent = {static_cast<std::uint16_t>(what)};
  made.key = account;
  made.value = amount.SerializeAsString();
  return made;
}

record transfer_command(key from, key to, std::int64_t cents) {
  bank::Transfer order;
  order.set_to(to.value);
  order.set_cents(cents);
  auto made = account_command(bank::ACCOUNT_INTENT_TRANSFER, from);
  made.value = order.SerializeAsString();
  return made;
}

record with_key(record command, std::string idempotency_key) {
  command.idempotency_key = std::move(idempotency_key);
  return command;
}

} // namespace gnomon::test
