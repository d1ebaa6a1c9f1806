#include "tools/verify.hpp"

#include "inspection/verification.hpp"
#include <ostream>

namespace gnomon::tools {

namespace {

using inspection::verification;

json to_json(const verification& found) {
  json object;
  object["partition"] = found.id.value;
  object["running"] = found.is_running;
  object["position"] = found.last.value;
  object["may_precede_durability"] = true;
  object["frames"] = found.frames;
  object["records"] = found.records;
  object["snapshots"] = json::array();
  for (const auto at : found.snapshots)
    object["snapshots"].push_back(at.value);
  object["replayed_from"] = found.replayed_from.value;
  object["state_compared_at"]
    = found.compared_at ? json(found.compared_at.value) : json(nullptr);
  object["users_value_types"] = json::array();
  for (const auto type : found.foreign_types)
    object["users_value_types"].push_back(static_cast<std::uint16_t>(type));
  object["notes"] = found.notes;
  object["findings"] = json::array();
  for (const auto& [kind, what] : found.findings)
    object["findings"].push_back({{"kind", inspection::to_string(kind)},
                                  {"exit_status", exit_status(kind)},
                                  {"what", what}});
  return object;
}

void print(const verification& found, std::ostream& out) {
  const auto number = [](std::uint64_t n) {
    return std::to_string(n);
  };
  out << "partition " << found.id.value << " up to position "
      << found.last.value << ", which may precede its durability\n"
      << "  " << found.frames << " frames, " << found.records << " records, "
      << found.snapshots.size() << " good snapshots\n";
  if (found.compared_at)
    out << "  the state at position " << found.compared_at.value
        << " was compared with a replay from "
        << (found.replayed_from
              ? "snapshot " + number(found.replayed_from.value)
              : std::string{"the beginning"})
        << '\n';
  for (const auto& note : found.notes)
    out << "  note: " << printable(note) << '\n';
  for (const auto& [kind, what] : found.findings)
    out << "  DAMAGE " << inspection::to_string(kind) << ": " << printable(what)
        << '\n';
  out << (found.findings.empty() ? "  all is well\n" : "");
}

} // namespace

int run_verify(const partition_selection& request,
               const command_context& context) {
  const auto folders = select(context, request);
  if (!folders)
    return fail(context, folders.error());
  int status = exit_success;
  json all = json::array();
  for (const auto& folder : *folders) {
    const auto found = inspection::verify_partition(
      context.files, folder, request.scratch, context.watcher);
    auto ended = exit_success;
    if (!found) {
      fail(context, found.error());
      ended = exit_failure;
    } else {
      if (!found->findings.empty())
        ended = exit_status(found->findings.front().kind);
      if (request.as_json)
        all.push_back(to_json(*found));
      else
        print(*found, context.out);
    }
    if (status == exit_success)
      status = ended;
  }
  if (request.as_json)
    print_json({{"partitions", all}}, context.out);
  return status;
}

} // namespace gnomon::tools
