#include "jobs/job_state.hpp"

#include "gnomon/check.hpp"
#include "gnomon/state_key.hpp"
#include "gnomon/v1/job.pb.h"

#include <limits>

namespace gnomon::jobs {

namespace {

constexpr std::uint16_t body_layout = 1;

/// Encodes layout, phase, activation, deadline, length of the worker id; then
/// the worker id and the created bytes.
bytes encode_job(const stored_job& job) {
  GNOMON_CHECK(job.worker.size() <= std::numeric_limits<std::uint16_t>::max());
  state_key header;
  header.add(body_layout)
    .add(static_cast<std::uint16_t>(job.phase))
    .add(job.activation)
    .add(job.deadline)
    .add(static_cast<std::uint16_t>(job.worker.size()));
  bytes result{header.view()};
  result.append(job.worker);
  result.append(job.created);
  return result;
}

bool is_phase(std::uint16_t number) {
  return number == static_cast<std::uint16_t>(job_phase::available)
         || number == static_cast<std::uint16_t>(job_phase::activated);
}

state_key indexed(std::string_view text, key about) {
  state_key result;
  result.add(text).add(about);
  return result;
}

due_entry time_out_entry(key about, timestamp deadline) {
  return {deadline, value_type::job, {v1::JOB_INTENT_TIME_OUT}, about};
}

} // namespace

std::optional<stored_job> decode_job(bytes_view source) {
  state_key_reader reader{source};
  const auto layout = reader.read_u16();
  const auto phase = reader.read_u16();
  const auto activation = reader.read_u32();
  const auto deadline = reader.read_i64();
  const auto worker_bytes = reader.read_u16();
  if (layout != body_layout || !phase || !is_phase(*phase) || !activation
      || !deadline || !worker_bytes || reader.rest().size() < *worker_bytes)
    return std::nullopt;
  return stored_job{static_cast<job_phase>(*phase),
                    *activation,
                    {*deadline},
                    reader.rest().substr(0, *worker_bytes),
                    reader.rest().substr(*worker_bytes)};
}

std::optional<stored_job> find_job(const state_reader& state, key about) {
  const auto body = state.get(job_family, state_key{}.add(about).view());
  return body ? decode_job(*body) : std::nullopt;
}

void put_job(state_transaction& state, key about, const stored_job& job) {
  GNOMON_CHECK(about.value != 0);
  GNOMON_CHECK(job.worker.empty() == (job.phase == job_phase::available));
  state.put(job_family, state_key{}.add(about).view(), encode_job(job));
}

void erase_job(state_transaction& state, key about) {
  state.erase(job_family, state_key{}.add(about).view());
}

void add_available(state_transaction& state, std::string_view type, key about) {
  state.put(available_job_family, indexed(type, about).view(), {});
}

void remove_available(state_transaction& state, std::string_view type,
                      key about) {
  state.erase(available_job_family, indexed(type, about).view());
}

void add_activation(state_transaction& state, key about,
                    std::string_view worker, timestamp deadline) {
  state.put(activated_job_family, indexed(worker, about).view(), {});
  due_index::add(state, time_out_entry(about, deadline));
}

void remove_activation(state_transaction& state, key about,
                       std::string_view worker, timestamp deadline) {
  state.erase(activated_job_family, indexed(worker, about).view());
  due_index::remove(state, time_out_entry(about, deadline));
}

std::vector<key> first_keys(const state_reader& state, column_family family,
                            std::string_view text, std::size_t keys_max) {
  std::vector<key> result;
  const auto from = indexed(text, key{});
  const auto prefix = from.view().substr(0, from.view().size() - sizeof(key));
  if (keys_max == 0)
    return result;
  state.visit(family, from.view(), [&](bytes_view found, bytes_view) {
    if (!found.starts_with(prefix))
      return false;
    state_key_reader reader{found.substr(prefix.size())};
    if (const auto number = reader.read_u64())
      result.push_back({*number});
    return result.size() < keys_max;
  });
  return result;
}

} // namespace gnomon::jobs
