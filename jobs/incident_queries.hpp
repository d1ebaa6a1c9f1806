// Questions about the incidents of one partition.

#pragma once

#include "gnomon/key.hpp"
#include "gnomon/state.hpp"
#include "gnomon/v1/query.pb.h"
#include "jobs/incident_state.hpp"
#include "timers/paging.hpp"

#include <optional>
#include <vector>

namespace gnomon::jobs {

/// An incident and its key.
struct incident_view {
  gnomon::key key;
  stored_incident incident;
};

/// Some incidents, oldest first.
struct incident_page {
  std::vector<incident_view> incidents;

  /// Pass it as `after` to go on; none if there are no more.
  std::optional<key> next_after;
};

/// Lists incidents with a key behind `after`. One that cannot be read is passed
/// over.
incident_page list_incidents(const state_reader& state, key after,
                             const timers::query_limits& limits);

v1::IncidentPage to_message(const incident_page& page);

} // namespace gnomon::jobs
