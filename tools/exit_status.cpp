#include "tools/exit_status.hpp"

namespace gnomon::tools {

int exit_status(inspection::damage kind) {
  constexpr int first = 10;
  static_assert(static_cast<int>(inspection::damage::identity) == 0);
  static_assert(static_cast<int>(inspection::damage::not_recoverable) == 9);
  return first + static_cast<int>(kind);
}

int exit_status(errc code) {
  using inspection::damage;
  switch (code) {
  case errc::invalid_argument:
  case errc::not_found:
  case errc::already_exists:
  case errc::invalid_state:
    return exit_bad_input;
  case errc::in_use:
    return exit_in_use;
  case errc::wrong_identity:
    return exit_status(damage::identity);
  case errc::format_too_new:
    return exit_status(damage::format_too_new);
  case errc::corrupted:
    return exit_status(damage::log_corrupted);
  case errc::missing_segment:
    return exit_status(damage::missing_segment);
  case errc::lost_data:
    return exit_status(damage::lost_data);
  case errc::two_writers:
    return exit_status(damage::two_writers);
  case errc::not_recoverable:
    return exit_status(damage::not_recoverable);
  default:
    return exit_failure;
  }
}

} // namespace gnomon::tools
