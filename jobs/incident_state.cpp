#include "jobs/incident_state.hpp"

#include "gnomon/check.hpp"
#include "gnomon/state_key.hpp"

namespace gnomon::jobs {

namespace {

constexpr std::uint16_t body_layout = 1;

} // namespace

std::optional<stored_incident> decode_incident(bytes_view source) {
  state_key_reader reader{source};
  const auto layout = reader.read_u16();
  const auto created_at = reader.read_i64();
  const auto scope = reader.read_u64();
  if (layout != body_layout || !created_at || !scope)
    return std::nullopt;
  stored_incident result{{*created_at}, {*scope}, {}};
  const auto rest = reader.rest();
  if (!result.created.ParseFromArray(rest.data(),
                                     static_cast<int>(rest.size())))
    return std::nullopt;
  return result;
}

std::optional<stored_incident> find_incident(const state_reader& state,
                                             key about) {
  const auto body = state.get(incident_family, state_key{}.add(about).view());
  return body ? decode_incident(*body) : std::nullopt;
}

key incident_of_job(const state_reader& state, key job) {
  const auto found = state.get(failed_job_family, state_key{}.add(job).view());
  if (!found)
    return {};
  return {state_key_reader{*found}.read_u64().value_or(0)};
}

void insert_incident(state_transaction& state, key about, timestamp created_at,
                     key scope, bytes_view created, key job) {
  GNOMON_CHECK(about.value != 0);
  state_key header;
  header.add(body_layout).add(created_at).add(scope);
  bytes body{header.view()};
  body.append(created);
  state.put(incident_family, state_key{}.add(about).view(), body);
  if (job)
    state.put(failed_job_family, state_key{}.add(job).view(),
              state_key{}.add(about).view());
}

void erase_incident(state_transaction& state, key about, key job) {
  state.erase(incident_family, state_key{}.add(about).view());
  if (job)
    state.erase(failed_job_family, state_key{}.add(job).view());
}

} // namespace gnomon::jobs
