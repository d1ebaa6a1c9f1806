#include "tests/simulation/log_model.hpp"

#include "gnomon/v1/partition.pb.h"
#include "gnomon/v1/timer.pb.h"
#include "messages/record_codec.hpp"

#include <utility>

namespace gnomon::simulation {

log_model::log_model(trace& to, model_limits limits)
  : trace_(&to), limits_(limits), state_(std::make_unique<models>(to, limits)) {
  // nop
}

void log_model::breach(position at, const std::string& what) {
  trace_->breach("log, position " + std::to_string(at.value) + ": " + what);
}

void log_model::writes(const storage::frame_header& header, bytes_view body) {
  check_frame(header);
  if (header.first <= last())
    cut(header.first);
  frames_.push_back({header, bytes{body}});
  add_records(frames_.back());
}

void log_model::takes_back() {
  if (!frames_.empty())
    cut(frames_.back().header.first);
}

void log_model::synced(position last) {
  if (last > durable_ && last <= this->last())
    durable_ = last;
}

void log_model::check_frame(const storage::frame_header& header) {
  const auto opens = std::exchange(is_opening_, false);
  const auto frame_end = last();
  if (!opens && header.first != frame_end.next())
    breach(header.first,
           "expected a frame at " + std::to_string(frame_end.next().value));
  if (header.first <= durable_)
    breach(header.first,
           "lost what was durable up to " + std::to_string(durable_.value));
  // Opening has synced all that it found.
  if (!opens && header.durable > durable_)
    breach(header.first, "names " + std::to_string(header.durable.value)
                           + " as durable, but "
                           + std::to_string(durable_.value) + " is");
  auto before = frames_.rbegin();
  while (before != frames_.rend() && before->header.last() >= header.first)
    ++before;
  const auto known = before == frames_.rend() ? storage::frame_header{} //
                                              : before->header;
  const auto ends_at = before == frames_.rend() ? position{} : known.last();
  if (ends_at.next() != header.first || header.previous != known.checksum)
    breach(header.first, "follows a frame that nobody has written");
  // An epoch whose first frame was lost begins again.
  if (opens ? header.epoch <= known.epoch : header.epoch != known.epoch)
    breach(header.first, "epoch " + std::to_string(header.epoch) + " follows "
                           + std::to_string(known.epoch));
}

void log_model::cut(position first) {
  while (!frames_.empty() && frames_.back().header.first >= first)
    frames_.pop_back();
  const auto kept = std::move(records_);
  records_.clear();
  state_ = std::make_unique<models>(*trace_, limits_);
  for (const auto& each : kept)
    if (each.position < first)
      apply(each);
}

void log_model::add_records(const frame& from) {
  trace_->note(from.header.first.value);
  bytes_view rest = from.body;
  for (auto at = from.header.first; !rest.empty(); at = at.next()) {
    const auto met = messages::decode_record(rest, at);
    if (!met) {
      breach(at, to_string(met.error()));
      return;
    }
    record owned;
    static_cast<record_header&>(owned) = *met;
    owned.rejection_reason = met->rejection_reason;
    owned.idempotency_key = met->idempotency_key;
    owned.value = met->value;
    check_record(owned);
    apply(owned);
  }
  if (last() != from.header.last())
    breach(last(), "the frame has another number of records");
}

void log_model::check_record(const record& met) {
  trace_->note(static_cast<std::uint64_t>(met.record_type));
  trace_->note(static_cast<std::uint64_t>(met.value_type) << 16
               | met.intent.value);
  trace_->note(met.key.value);
  trace_->note(static_cast<std::uint64_t>(met.timestamp.value));
  trace_->note(met.source_position.value);
  trace_->note(met.value);
  if (met.timestamp < last_timestamp())
    breach(met.position, "its timestamp is before that of the last record");
  if (met.timestamp > latest_wall_)
    breach(met.position, "its timestamp is later than any wall clock");
  if (met.source_position) {
    const auto* source = find(met.source_position);
    if (!source || source->record_type != record_type::command)
      breach(met.position, "its source is no command before it");
  } else if (met.record_type != record_type::command
             && met.value_type != value_type::partition) {
    breach(met.position, "it follows from nothing");
  }
}

void log_model::apply(const record& met) {
  records_.push_back(met);
  if (met.record_type == record_type::command)
    state_->undecided.insert(met.position.value);
  else
    apply_outcome(met);
}

void log_model::apply_outcome(const record& met) {
  state_->undecided.erase(met.source_position.value);
  if (!met.idempotency_key.empty()
      && !state_->answers.emplace(met.idempotency_key, met.position).second)
    breach(met.position, "a second first answer to " + met.idempotency_key);
  if (met.record_type == record_type::command_rejection) {
    if (met.value_type == value_type::timer
        && met.intent.value == v1::TIMER_INTENT_TRIGGER)
      ++state_->triggers_refused;
    return;
  }
  if (met.value_type == value_type::timer)
    state_->timers.apply(met);
  else if (met.value_type == value_type::job)
    state_->jobs.apply(met);
  else if (met.value_type == value_type::incident)
    state_->jobs.apply_incident(met);
  else if (met.value_type == value_type::idempotency)
    expire(met.key.value);
}

void log_model::expire(std::uint64_t source) {
  std::erase_if(state_->answers, [&](const auto& answer) {
    const auto* outcome = find(answer.second);
    const auto found = outcome && outcome->source_position.value == source;
    if (found)
      state_->expired.insert(answer.first);
    return found;
  });
}

position log_model::answer_of(const std::string& idempotency_key) const {
  const auto found = state_->answers.find(idempotency_key);
  return found == state_->answers.end() ? position{} : found->second;
}

std::string log_model::describe_last(std::size_t count) const {
  std::string text;
  const auto first = records_.size() - std::min(count, records_.size());
  for (auto i = first; i < records_.size(); ++i) {
    const auto& each = records_[i];
    text += "\n  " + std::to_string(each.position.value) + " at "
            + std::to_string(each.timestamp.value) + ": type "
            + std::to_string(static_cast<int>(each.record_type)) + ", value "
            + std::to_string(static_cast<int>(each.value_type)) + ", intent "
            + std::to_string(each.intent.value) + ", key "
            + std::to_string(each.key.value) + ' ' + each.rejection_reason;
  }
  return text;
}

bool log_model::has_expired(const std::string& idempotency_key) const {
  return state_->expired.contains(idempotency_key);
}

std::string log_model::fault_of_quiet() const {
  if (!state_->undecided.empty())
    return "the command at " + std::to_string(*state_->undecided.begin())
           + " has no outcome";
  if (state_->triggers_refused > state_->timers.moved_or_gone())
    return std::to_string(state_->triggers_refused)
           + " triggers were refused, more than can be explained";
  return {};
}

} // namespace gnomon::simulation
