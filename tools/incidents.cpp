#include "tools/incidents.hpp"

#include "jobs/incident_queries.hpp"
#include "tools/paged_list.hpp"

#include <algorithm>
#include <cctype>
#include <ostream>

namespace gnomon::tools {

namespace {

using jobs::incident_view;

std::string name_of(v1::IncidentCause cause) {
  constexpr std::string_view prefix = "INCIDENT_CAUSE_";
  auto name = v1::IncidentCause_Name(cause);
  if (name.empty())
    return std::to_string(static_cast<int>(cause));
  if (name.starts_with(prefix))
    name.erase(0, prefix.size());
  std::ranges::transform(name, name.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  return name;
}

json to_json(const incident_view& view) {
  const auto& created = view.incident.created;
  json object;
  object["key"] = key_as_json(view.key);
  object["created_at"] = to_text(view.incident.created_at);
  object["cause"] = name_of(created.cause());
  object["scope"] = key_as_json(view.incident.scope);
  object["job"] = key_as_json(key{created.job_key()});
  object["job_type"] = created.job_type();
  object["error_code"] = created.error_code();
  object["message"] = created.message();
  object["banned"] = key_as_json(key{created.banned_key()});
  return object;
}

void print(const std::vector<incident_view>& found, timestamp now,
           std::ostream& out) {
  text_table table{{">KEY", "CREATED", "", "CAUSE", ">JOB", "TYPE", "MESSAGE"}};
  for (const auto& [about, incident] : found) {
    const auto& created = incident.created;
    table.add({std::to_string(about.value), to_text(incident.created_at),
               to_words(incident.created_at, now), name_of(created.cause()),
               created.job_key() == 0 ? "-" : std::to_string(created.job_key()),
               printable(created.job_type()), printable(created.message())});
  }
  if (!table.empty())
    table.print(out);
}

} // namespace

int run_incidents(const incidents_request& request,
                  const command_context& context) {
  paged_list list{request.which.as_json, "incidents", context.out};
  const auto status
    = show_states(context, request.which, [&](const shown_state& state) {
        const auto found = collect<incident_view>(
          request.limit, [&](key after, const timers::query_limits& limits) {
            auto page = jobs::list_incidents(*state.view.reader, after, limits);
            return std::pair{std::move(page.incidents), page.next_after};
          });
        list.add(state, found, to_json, print);
        return result<void>{};
      });
  list.end();
  return status;
}

} // namespace gnomon::tools
