// Bank accounts as a value type of our own: what a user of the library writes.

#pragma once

#include "gnomon/record_processor.hpp"

#include <cstdint>
#include <optional>

namespace bank {

/// The noun of our records.
inline constexpr auto account_type = gnomon::user_value_type(0);

/// Where balances live: key of the account to cents.
inline constexpr gnomon::column_family balances{1000};

/// Returns the balance of `account`, or nothing if it was never opened.
std::optional<std::int64_t> balance(const gnomon::state_reader& state,
                                    gnomon::key account);

/// Opens accounts, and moves money without ever overdrawing one.
class account_processor : public gnomon::record_processor {
public:
  bool accepts(gnomon::value_type type, gnomon::intent what,
               gnomon::record_type kind) const override;

  void process(const gnomon::typed_record& command,
               gnomon::result_builder& out) override;

  void replay(const gnomon::typed_record& event,
              gnomon::state_transaction& state) override;

  gnomon::processing_error
  on_processing_error(const gnomon::error& what,
                      const gnomon::typed_record& command,
                      gnomon::result_builder& out) override;
};

} // namespace bank
