#include "tests/simulation/client.hpp"

#include "gnomon/commands.hpp"

namespace gnomon::simulation {

namespace {

std::int64_t draw_delay_ms(test::seeded_random& random) {
  constexpr std::int64_t day = 86'400'000;
  switch (random.below(8)) {
  case 0:
    return random.between(-5'000, 0);
  case 1:
    return random.between(1, day);
  case 2:
    return random.between(day, 60 * day);
  default:
    return random.between(1, 20'000);
  }
}

std::string draw_expression(test::seeded_random& random) {
  const auto seconds = random.one_of<std::int64_t>({1, 7, 60, 3'600});
  const auto count = random.one_of({"R/", "R/", "R3/", "R1/"});
  return std::string{count} + "PT" + std::to_string(seconds) + "S";
}

due_when draw_when(test::seeded_random& random, timestamp now) {
  if (random.chance(30))
    return draw_expression(random);
  const duration delay{draw_delay_ms(random)};
  if (random.chance(50))
    return delay;
  return now + delay;
}

std::string draw_name(test::seeded_random& random) {
  return random.chance(15) ? "name-" + std::to_string(random.below(3)) : "";
}

bool is_same(const record& left, const record& right) {
  return static_cast<const record_header&>(left) == right
         && left.value == right.value
         && left.rejection_reason == right.rejection_reason;
}

} // namespace

record to_record(const v1::Command& from) {
  record result;
  result.record_type = record_type::command;
  result.key = {from.key()};
  result.value_type = static_cast<value_type>(from.value_type());
  result.intent = {static_cast<std::uint16_t>(from.intent())};
  result.value = from.value();
  result.idempotency_key = from.idempotency_key();
  return result;
}

client::client(trace& to, const log_model& log, std::uint64_t seed)
  : trace_(&to), log_(&log), random_(seed, 2) {
  // nop
}

// -- asking -------------------------------------------------------------------

record client::draw() {
  switch (random_.below(12)) {
  case 0:
  case 1:
    return draw_cancel();
  case 2:
    return draw_reschedule();
  case 3:
    return draw_repeat();
  case 4:
    return draw_operator();
  default:
    return draw_create();
  }
}

record client::draw_create() {
  create_timer wanted;
  const auto now = std::max(log_->last_timestamp(), timestamp{0});
  wanted.when
    = random_.chance(2) ? due_when{"R/nonsense"} : draw_when(random_, now);
  if (random_.chance(60))
    wanted.target = job_types[random_.below(job_types.size())];
  wanted.payload = bytes(random_.below(random_.chance(10) ? 900 : 40), 'p');
  wanted.catch_up = random_.one_of({v1::CATCH_UP_EVERY, v1::CATCH_UP_LATEST, //
                                    v1::CATCH_UP_SKIP});
  wanted.name = draw_name(random_);
  const auto repeatable = random_.chance(20);
  if (repeatable)
    wanted.idempotency_key = "key-" + std::to_string(repeatable_.size());
  auto command = to_record(to_command(wanted));
  if (repeatable)
    repeatable_.push_back(command);
  return command;
}

key client::draw_timer() {
  const auto& waiting = log_->timers().waiting();
  if (waiting.empty() || random_.chance(5))
    return {1 + random_.below(1'000)};
  auto found = waiting.begin();
  std::advance(found,
               static_cast<std::ptrdiff_t>(random_.below(waiting.size())));
  return {found->first};
}

record client::draw_cancel() {
  cancel_timer wanted;
  wanted.name = draw_name(random_);
  if (wanted.name.empty())
    wanted.key = draw_timer();
  return to_record(to_command(wanted));
}

record client::draw_reschedule() {
  reschedule_timer wanted;
  wanted.key = draw_timer();
  wanted.when
    = draw_when(random_, std::max(log_->last_timestamp(), timestamp{0}));
  return to_record(to_command(wanted));
}

record client::draw_repeat() {
  if (repeatable_.empty())
    return draw_create();
  return repeatable_[random_.below(repeatable_.size())];
}

// -- judging ------------------------------------------------------------------

void client::answered(const engine::reply& what) {
  trace_->note(what.answer.position.value);
  const auto found = pending_.find(what.request);
  if (found == pending_.end()) {
    trace_->breach("an answer to nothing or a second one, request "
                   + std::to_string(what.request));
    return;
  }
  judge(found->second, what.answer);
  if (!found->second.idempotency_key.empty())
    judge_repeat(found->second, what.answer);
  pending_.erase(found);
}

void client::judge(const record& asked, const record& answer) {
  const auto at = std::to_string(answer.position.value);
  if (answer.position > log_->durable())
    trace_->breach("position " + at
                   + " was acknowledged before it was durable");
  const auto* logged = log_->find(answer.position);
  if (!logged || !is_same(*logged, answer))
    trace_->breach("the answer of position " + at + " is not in the log");
  if (answer.value_type != asked.value_type
      || answer.record_type == record_type::command)
    trace_->breach("position " + at + " does not answer what was asked");
  if (asked.key && answer.key != asked.key)
    trace_->breach("position " + at + " is about another key");
}

void client::judge_repeat(const record& asked, const record& answer) {
  const auto [first, is_first]
    = answers_.emplace(asked.idempotency_key, answer.position);
  if (!is_first && first->second != answer.position
      && !log_->has_expired(asked.idempotency_key))
    trace_->breach("two answers under " + asked.idempotency_key + ": "
                   + std::to_string(first->second.value) + " and "
                   + std::to_string(answer.position.value));
}

} // namespace gnomon::simulation
