// Answers questions about the state of a partition.

#pragma once

#include "gnomon/result.hpp"
#include "gnomon/state.hpp"
#include "gnomon/timestamp.hpp"
#include "gnomon/v1/query.pb.h"

namespace gnomon::partitions {

/// Says whether `question` may look at all of the state, so that it should run
/// beside the partition, not in it.
bool is_long(const v1::Query& question);

/// Answers `question` from what `state` shows.
/// @param now  Time of the partition, for what is overdue.
/// @returns `errc::invalid_argument` if it asks nothing that is known.
result<v1::QueryReply> answer(const v1::Query& question,
                              const state_reader& state, timestamp now);

} // namespace gnomon::partitions
