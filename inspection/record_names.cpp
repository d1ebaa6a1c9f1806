#include "inspection/record_names.hpp"

#include "gnomon/v1/incident.pb.h"
#include "gnomon/v1/job.pb.h"
#include "gnomon/v1/partition.pb.h"
#include "gnomon/v1/record.pb.h"
#include "gnomon/v1/timer.pb.h"

#include <google/protobuf/util/json_util.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>

namespace gnomon::inspection {

namespace {

using google::protobuf::EnumDescriptor;
using google::protobuf::Message;

struct noun {
  std::string_view name;

  /// Intents of the value type, or null.
  const EnumDescriptor* intents = nullptr;
};

const std::map<value_type, noun>& nouns() {
  static const std::map<value_type, noun> all{
    {value_type::timer, {"timer", v1::TimerIntent_descriptor()}},
    {value_type::job, {"job", v1::JobIntent_descriptor()}},
    {value_type::incident, {"incident", v1::IncidentIntent_descriptor()}},
    {value_type::process_instance, {"process_instance"}},
    {value_type::message, {"message"}},
    {value_type::variable, {"variable"}},
    {value_type::deployment, {"deployment"}},
    {value_type::error, {"error", v1::ErrorIntent_descriptor()}},
    {value_type::idempotency,
     {"idempotency", v1::IdempotencyIntent_descriptor()}},
    {value_type::partition, {"partition", v1::PartitionIntent_descriptor()}},
  };
  return all;
}

using kind = std::pair<value_type, int>;

/// Messages of the values; kinds that have no value are not among them.
const std::map<kind, const Message*>& messages_by_kind() {
  const auto timer = [](int what) {
    return kind{value_type::timer, what};
  };
  const auto job = [](int what) {
    return kind{value_type::job, what};
  };
  static const std::map<kind, const Message*> all{
    {timer(v1::TIMER_INTENT_CREATE), &v1::CreateTimer::default_instance()},
    {timer(v1::TIMER_INTENT_CREATED), &v1::TimerCreated::default_instance()},
    {timer(v1::TIMER_INTENT_CANCEL), &v1::CancelTimer::default_instance()},
    {timer(v1::TIMER_INTENT_CANCELED), &v1::CancelTimer::default_instance()},
    {timer(v1::TIMER_INTENT_RESCHEDULE),
     &v1::RescheduleTimer::default_instance()},
    {timer(v1::TIMER_INTENT_RESCHEDULED),
     &v1::TimerRescheduled::default_instance()},
    {timer(v1::TIMER_INTENT_TRIGGERED),
     &v1::TimerTriggered::default_instance()},
    {timer(v1::TIMER_INTENT_SKIPPED), &v1::TimerSkipped::default_instance()},
    {job(v1::JOB_INTENT_CREATE), &v1::JobCreated::default_instance()},
    {job(v1::JOB_INTENT_CREATED), &v1::JobCreated::default_instance()},
    {job(v1::JOB_INTENT_ACTIVATE), &v1::ActivateJobs::default_instance()},
    {job(v1::JOB_INTENT_ACTIVATED), &v1::JobActivated::default_instance()},
    {job(v1::JOB_INTENT_COMPLETE), &v1::CompleteJob::default_instance()},
    {job(v1::JOB_INTENT_COMPLETED), &v1::CompleteJob::default_instance()},
    {job(v1::JOB_INTENT_TIME_OUT), &v1::TimeOutJob::default_instance()},
    {job(v1::JOB_INTENT_TIMED_OUT), &v1::JobTimedOut::default_instance()},
    {job(v1::JOB_INTENT_FAIL), &v1::FailJob::default_instance()},
    {job(v1::JOB_INTENT_FAILED), &v1::JobFailed::default_instance()},
    {job(v1::JOB_INTENT_THROW_ERROR), &v1::ThrowError::default_instance()},
    {job(v1::JOB_INTENT_ERROR_THROWN), &v1::ErrorThrown::default_instance()},
    {job(v1::JOB_INTENT_UPDATE_RETRIES),
     &v1::UpdateJobRetries::default_instance()},
    {job(v1::JOB_INTENT_RETRIES_UPDATED),
     &v1::UpdateJobRetries::default_instance()},
    {job(v1::JOB_INTENT_UPDATE_TIMEOUT),
     &v1::UpdateJobTimeout::default_instance()},
    {job(v1::JOB_INTENT_TIMEOUT_UPDATED),
     &v1::JobTimeoutUpdated::default_instance()},
    {{value_type::incident, v1::INCIDENT_INTENT_CREATED},
     &v1::IncidentCreated::default_instance()},
    {{value_type::incident, v1::INCIDENT_INTENT_RESOLVED},
     &v1::IncidentResolved::default_instance()},
    {{value_type::error, v1::ERROR_INTENT_BANNED},
     &v1::InstanceBanned::default_instance()},
    {{value_type::error, v1::ERROR_INTENT_CLEAR},
     &v1::InstanceBanned::default_instance()},
    {{value_type::error, v1::ERROR_INTENT_CLEARED},
     &v1::InstanceCleared::default_instance()},
    {{value_type::partition, v1::PARTITION_INTENT_OPENED},
     &v1::PartitionOpened::default_instance()},
    {{value_type::partition, v1::PARTITION_INTENT_DUE_DATES_PROMOTED},
     &v1::DueDatesPromoted::default_instance()},
  };
  return all;
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  return text;
}

/// Returns the name of `number` without `prefix`, or the number.
std::string short_name(const EnumDescriptor* in, int number,
                       std::string_view prefix) {
  const auto* value = in ? in->FindValueByNumber(number) : nullptr;
  if (!value || number == 0)
    return std::to_string(number);
  return value->name().starts_with(prefix) ? value->name().substr(prefix.size())
                                           : value->name();
}

} // namespace

std::string name_of(value_type type) {
  const auto found = nouns().find(type);
  if (found == nouns().end())
    return std::to_string(static_cast<std::uint16_t>(type));
  return std::string{found->second.name};
}

std::optional<value_type> parse_value_type(std::string_view text) {
  for (const auto& [type, known] : nouns())
    if (known.name == text)
      return type;
  std::uint16_t number = 0;
  const auto* end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, number);
  if (code != std::errc{} || stop != end || number == 0)
    return std::nullopt;
  return static_cast<value_type>(number);
}

std::string name_of(value_type type, intent what) {
  const auto found = nouns().find(type);
  const auto* intents
    = found == nouns().end() ? nullptr : found->second.intents;
  auto prefix = lower(name_of(type)) + "_intent_";
  std::ranges::transform(prefix, prefix.begin(), [](unsigned char c) {
    return static_cast<char>(std::toupper(c));
  });
  return short_name(intents, what.value, prefix);
}

std::string name_of(record_type kind) {
  return lower(short_name(v1::RecordType_descriptor(), static_cast<int>(kind),
                          "RECORD_TYPE_"));
}

std::string name_of(rejection_type type) {
  if (type == rejection_type::unspecified)
    return {};
  return lower(short_name(v1::RejectionType_descriptor(),
                          static_cast<int>(type), "REJECTION_TYPE_"));
}

std::optional<std::string> value_as_json(const typed_record& source) {
  const auto found
    = messages_by_kind().find({source.value_type, source.intent.value});
  if (found == messages_by_kind().end())
    return std::nullopt;
  const std::unique_ptr<Message> value{found->second->New()};
  if (!source.parse(*value))
    return std::nullopt;
  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  std::string text;
  if (!google::protobuf::util::MessageToJsonString(*value, &text, options).ok())
    return std::nullopt;
  return text;
}

} // namespace gnomon::inspection
