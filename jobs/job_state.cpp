#include "jobs/job_state.hpp"

#include "gnomon/check.hpp"
#include "gnomon/state_key.hpp"
#include "gnomon/v1/job.pb.h"

#include <limits>

namespace gnomon::jobs {

namespace {

constexpr std::uint16_t body_layout = 1;

std::uint16_t size_of(std::string_view text) {
  GNOMON_CHECK(text.size() <= std::numeric_limits<std::uint16_t>::max());
  return static_cast<std::uint16_t>(text.size());
}

bytes encode_job(const stored_job& job) {
  GNOMON_CHECK(job.worker.empty() == (job.phase != job_phase::activated));
  state_key header;
  header.add(body_layout)
    .add(static_cast<std::uint16_t>(job.phase))
    .add(job.activation)
    .add(job.retries)
    .add(job.failures)
    .add(job.scope)
    .add(job.due)
    .add(size_of(job.type))
    .add(size_of(job.worker));
  bytes result;
  result.reserve(header.view().size() + job.type.size() + job.worker.size()
                 + job.created.size());
  result.append(header.view());
  result.append(job.type);
  result.append(job.worker);
  result.append(job.created);
  return result;
}

bool is_phase(std::uint16_t number) {
  return number >= static_cast<std::uint16_t>(job_phase::available)
         && number <= static_cast<std::uint16_t>(job_phase::failed);
}

state_key indexed(std::string_view text, key about) {
  state_key result;
  result.add(text).add(about);
  return result;
}

/// Entry of a job in an index by text and key.
struct listing {
  column_family family;
  state_key at;
};

/// The entries that go with a body. Owns its bytes.
struct index_entries {
  std::optional<listing> listed;
  std::optional<due_entry> due;
};

index_entries entries_of(key about, const stored_job& job) {
  switch (job.phase) {
  case job_phase::available:
    return {listing{available_job_family, indexed(job.type, about)}, {}};
  case job_phase::activated:
    return {
      listing{activated_job_family, indexed(job.worker, about)},
      due_entry{job.due, value_type::job, {v1::JOB_INTENT_TIME_OUT}, about}};
  case job_phase::backing_off:
    return {
      {},
      due_entry{
        job.due, value_type::job, {v1::JOB_INTENT_RECUR_AFTER_BACKOFF}, about}};
  default:
    return {};
  }
}

void add(state_transaction& state, const index_entries& entries) {
  if (entries.listed)
    state.put(entries.listed->family, entries.listed->at.view(), {});
  if (entries.due)
    due_index::add(state, *entries.due);
}

void remove(state_transaction& state, const index_entries& entries) {
  if (entries.listed)
    state.erase(entries.listed->family, entries.listed->at.view());
  if (entries.due)
    due_index::remove(state, *entries.due);
}

} // namespace

std::optional<stored_job> decode_job(bytes_view source) {
  state_key_reader reader{source};
  const auto layout = reader.read_u16();
  const auto phase = reader.read_u16();
  const auto activation = reader.read_u32();
  const auto retries = reader.read_u32();
  const auto failures = reader.read_u32();
  const auto scope = reader.read_u64();
  const auto due = reader.read_i64();
  const auto type_bytes = reader.read_u16();
  const auto worker_bytes = reader.read_u16();
  if (layout != body_layout || !phase || !is_phase(*phase) || !activation
      || !retries || !failures || !scope || !due || !type_bytes
      || !worker_bytes)
    return std::nullopt;
  auto rest = reader.rest();
  if (rest.size() < std::size_t{*type_bytes} + *worker_bytes)
    return std::nullopt;
  const auto type = rest.substr(0, *type_bytes);
  rest.remove_prefix(*type_bytes);
  return stored_job{static_cast<job_phase>(*phase),
                    *activation,
                    *retries,
                    *failures,
                    {*scope},
                    {*due},
                    type,
                    rest.substr(0, *worker_bytes),
                    rest.substr(*worker_bytes)};
}

std::optional<stored_job> find_job(const state_reader& state, key about) {
  const auto body = state.get(job_family, state_key{}.add(about).view());
  return body ? decode_job(*body) : std::nullopt;
}

void insert_job(state_transaction& state, key about, const stored_job& job) {
  GNOMON_CHECK(about.value != 0);
  const auto entries = entries_of(about, job);
  state.put(job_family, state_key{}.add(about).view(), encode_job(job));
  add(state, entries);
}

void replace_job(state_transaction& state, key about, const stored_job& before,
                 const stored_job& after) {
  // Writing ends what both borrow, so all that is needed is made beforehand.
  const auto old_entries = entries_of(about, before);
  const auto new_entries = entries_of(about, after);
  state.put(job_family, state_key{}.add(about).view(), encode_job(after));
  remove(state, old_entries);
  add(state, new_entries);
}

void erase_job(state_transaction& state, key about, const stored_job& job) {
  const auto entries = entries_of(about, job);
  state.erase(job_family, state_key{}.add(about).view());
  remove(state, entries);
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
