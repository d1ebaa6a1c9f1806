// The engine's own customer of the interface that everybody implements.

#pragma once

#include "gnomon/record_processor.hpp"

namespace gnomon::engine {

/// Decides IDEMPOTENCY EXPIRE and PARTITION PROMOTE_DUE_DATES; applies their
/// events, ERROR BANNED and PARTITION OPENED.
class engine_processor : public record_processor {
public:
  bool accepts(value_type type, intent what, record_type kind) const override;

  void process(const typed_record& command, result_builder& out) override;

  void replay(const typed_record& event, state_transaction& state) override;

  processing_error on_processing_error(const error& what,
                                       const typed_record& command,
                                       result_builder& out) override;
};

} // namespace gnomon::engine
