// How outcomes change the state: the one way for live processing and replay.

#pragma once

#include "gnomon/record.hpp"
#include "gnomon/result.hpp"
#include "gnomon/state.hpp"

namespace gnomon::engine {

class record_processor_map;

/// Applies `outcome`, an event or a rejection, to the state. An event changes
/// it through its applier; a first outcome with an idempotency key is
/// remembered as the answer to `command`.
/// @param command  What `outcome` follows from; read only if `outcome` carries
///                 an idempotency key.
/// @returns `errc::format_too_new` if no processor applies events of this kind,
///          `errc::processing_failed` if an applier threw.
result<void> apply_outcome(const record_processor_map& processors,
                           state_transaction& state,
                           const typed_record& command,
                           const typed_record& outcome);

} // namespace gnomon::engine
