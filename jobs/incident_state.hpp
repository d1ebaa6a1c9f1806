// Where the state keeps incidents, and how they look there.

#pragma once

#include "gnomon/key.hpp"
#include "gnomon/state.hpp"
#include "gnomon/timestamp.hpp"
#include "gnomon/v1/incident.pb.h"

#include <optional>

namespace gnomon::jobs {

/// Key -> fixed header, `IncidentCreated` as received.
inline constexpr column_family incident_family{33};

/// Key of a failed job -> key of its incident.
inline constexpr column_family failed_job_family{34};

/// An incident. Owns its bytes.
struct stored_incident {
  timestamp created_at;

  /// The instance it is about, if any.
  gnomon::key scope;

  v1::IncidentCreated created;
};

/// Returns the incident `about`, or nothing. See `state.failure()`.
std::optional<stored_incident> find_incident(const state_reader& state,
                                             key about);

/// Takes what `incident_family` holds apart. @returns Nothing if it is
/// malformed.
std::optional<stored_incident> decode_incident(bytes_view source);

/// Returns the incident that the failed job `job` waits for, or none.
key incident_of_job(const state_reader& state, key job);

/// Puts a new incident in. @param created  Serialised `v1::IncidentCreated`.
/// @param job  The one it is about, if any.
void insert_incident(state_transaction& state, key about, timestamp created_at,
                     key scope, bytes_view created, key job);

/// Removes an incident. @param job  The one it is about, if any.
void erase_incident(state_transaction& state, key about, key job);

} // namespace gnomon::jobs
