#include "tools/log.hpp"

#include "inspection/log_access.hpp"
#include "inspection/record_names.hpp"
#include <algorithm>
#include <chrono>
#include <ostream>
#include <thread>

namespace gnomon::tools {

namespace {

using namespace std::chrono_literals;
using inspection::name_of;
using inspection::partition_folder;

/// Prints the records that were asked for.
class record_printer {
public:
  record_printer(const log_request& request, std::optional<value_type> type,
                 const command_context& context)
    : request_(request), type_(type), out_(context.out) {
    // nop
  }

  /// @param durable  What is known to be durable.
  /// @returns False once the limit is reached.
  bool see(partition_id from, const typed_record& met, position durable) {
    if (met.position.value < request_.from
        || (type_ && met.value_type != *type_)
        || (request_.key != 0 && met.key.value != request_.key))
      return true;
    if (request_.which.as_json)
      print_json(to_json(from, met, durable), out_, true);
    else
      print_line(met);
    return request_.limit == 0 || ++printed_ < request_.limit;
  }

private:
  static json to_json(partition_id from, const typed_record& met,
                      position durable) {
    json object;
    object["partition"] = from.value;
    object["position"] = met.position.value;
    object["may_precede_durability"] = met.position > durable;
    object["timestamp"] = to_text(met.timestamp);
    object["record_type"] = name_of(met.record_type);
    object["value_type"] = name_of(met.value_type);
    object["intent"] = name_of(met.value_type, met.intent);
    object["key"] = key_as_json(met.key);
    object["scope_key"] = key_as_json(met.scope_key);
    object["source_position"] = met.source_position.value;
    if (met.record_type == record_type::command_rejection) {
      object["rejection_type"] = name_of(met.rejection_type);
      object["rejection_reason"] = met.rejection_reason;
    }
    if (!met.idempotency_key.empty())
      object["idempotency_key"] = met.idempotency_key;
    object["value_bytes"] = met.value.size();
    if (const auto value = inspection::value_as_json(met))
      object["value"] = json::parse(*value, nullptr, false);
    return object;
  }

  void print_line(const typed_record& met) {
    const auto cell = [&](const std::string& text, std::size_t width) {
      const auto used = columns_of(text);
      out_ << text << std::string(used < width ? width - used : 0, ' ') << "  ";
    };
    cell(std::to_string(met.position.value), 10);
    cell(to_text(met.timestamp), 24);
    cell(name_of(met.record_type), 17);
    cell(name_of(met.value_type), 9);
    cell(name_of(met.value_type, met.intent), 11);
    cell(met.key ? std::to_string(met.key.value) : "-", 16);
    cell(met.source_position
           ? "from " + std::to_string(met.source_position.value)
           : "-",
         12);
    out_ << detail(met) << '\n';
  }

  static std::string detail(const typed_record& met) {
    if (met.record_type == record_type::command_rejection)
      return name_of(met.rejection_type) + ": "
             + printable(met.rejection_reason);
    if (const auto value = inspection::value_as_json(met))
      return printable(*value);
    return met.value.empty() ? ""
                             : bytes_in_words(met.value.size()) + " of value";
  }

  const log_request& request_;
  std::optional<value_type> type_;
  std::ostream& out_;
  std::uint64_t printed_ = 0;
};

/// A reader that a running partition's compaction has overtaken goes on at the
/// first segment there is. @returns `why` if that is not what happened.
result<std::unique_ptr<storage::log_reader>>
skip_compacted(const command_context& context, const partition_folder& folder,
               storage::log_id id, position last, const error& why) {
  const auto outline = inspection::outline_log(context.files, folder);
  if (!outline)
    return outline.error();
  if (outline->segments.empty() || outline->segments.front() <= last.next())
    return why;
  context.errors << "gnomon: what is behind position " << last.value
                 << " was compacted before it was read\n";
  return inspection::read_log(context.files, folder, id,
                              outline->segments.front());
}

result<void> read_partition(const log_request& request,
                            const command_context& context,
                            const partition_folder& folder,
                            record_printer& printer) {
  const auto identity = inspection::identify(context.files, folder);
  if (!identity)
    return identity.error();
  const auto known
    = inspection::known_durable(context.files, folder, identity->log);
  if (!known && known.error().code != errc::corrupted)
    return known.error();
  const auto proved = known ? *known : position{};
  auto reader = inspection::read_log(context.files, folder, identity->log,
                                     position{request.from});
  if (!reader)
    return reader.error();
  if (!request.which.as_json)
    context.out << "partition " << folder.id.value
                << ": records as written; the last ones may precede their "
                   "durability\n";
  for (;;) {
    const auto frame = (*reader)->next(storage::read_all_written);
    if (!frame) {
      auto behind = skip_compacted(context, folder, identity->log,
                                   (*reader)->last_position(), frame.error());
      if (!behind)
        return behind.error();
      reader = std::move(behind);
      continue;
    }
    if (!*frame) {
      if (!request.follow)
        return {};
      context.out.flush();
      std::this_thread::sleep_for(100ms);
      continue;
    }
    const auto durable = std::max(proved, (*reader)->durable_named());
    const auto go_on = inspection::visit_records(
      **frame, [&](const typed_record& met) -> result<bool> {
        return printer.see(folder.id, met, durable);
      });
    if (!go_on)
      return go_on.error();
    if (!*go_on)
      return {};
  }
}

} // namespace

int run_log(const log_request& request, const command_context& context) {
  std::optional<value_type> type;
  if (!request.type.empty()) {
    type = inspection::parse_value_type(request.type);
    if (!type)
      return fail(context,
                  {errc::invalid_argument,
                   "--type: expected the name of a value type, e.g., timer, or "
                   "its number, but found \""
                     + request.type + "\""});
  }
  const auto folders = select(context, request.which);
  if (!folders)
    return fail(context, folders.error());
  if (request.follow && folders->size() > 1)
    return fail(context, {errc::invalid_argument,
                          "--follow: expected one partition, but found "
                            + std::to_string(folders->size())
                            + "; choose one with --partition"});
  record_printer printer{request, type, context};
  for (const auto& folder : *folders)
    if (const auto done = read_partition(request, context, folder, printer);
        !done)
      return fail(context, done.error());
  return exit_success;
}

} // namespace gnomon::tools
