#include "jobs/incident_queries.hpp"

namespace gnomon::jobs {

incident_page list_incidents(const state_reader& state, key after,
                             const timers::query_limits& limits) {
  incident_page page;
  const auto see = [&](key about, bytes_view body) {
    auto incident = decode_incident(body);
    if (!incident)
      return false;
    page.incidents.push_back({about, std::move(*incident)});
    return true;
  };
  page.next_after
    = timers::visit_page(state, incident_family, after, limits, see);
  return page;
}

v1::IncidentPage to_message(const incident_page& page) {
  v1::IncidentPage result;
  for (const auto& each : page.incidents) {
    auto* entry = result.add_incidents();
    entry->set_key(each.key.value);
    entry->set_created_ms(each.incident.created_at.value);
    entry->set_scope_key(each.incident.scope.value);
    *entry->mutable_created() = each.incident.created;
  }
  if (page.next_after)
    result.set_next_after_key(page.next_after->value);
  return result;
}

} // namespace gnomon::jobs
