#include "gnomon/errc.hpp"

#include <array>
#include <utility>

namespace gnomon {

namespace {

constexpr std::pair<errc, std::string_view> names[] = {
  {errc::none, "none"},
  {errc::invalid_argument, "invalid_argument"},
  {errc::not_found, "not_found"},
  {errc::already_exists, "already_exists"},
  {errc::invalid_state, "invalid_state"},
  {errc::exceeded_batch_size, "exceeded_batch_size"},
  {errc::resource_exhausted, "resource_exhausted"},
  {errc::unavailable, "unavailable"},
  {errc::timed_out, "timed_out"},
  {errc::out_of_space, "out_of_space"},
  {errc::in_use, "in_use"},
  {errc::clock_suspect, "clock_suspect"},
  {errc::io_error, "io_error"},
  {errc::corrupted, "corrupted"},
  {errc::lost_data, "lost_data"},
  {errc::missing_segment, "missing_segment"},
  {errc::two_writers, "two_writers"},
  {errc::format_too_new, "format_too_new"},
  {errc::wrong_identity, "wrong_identity"},
  {errc::not_recoverable, "not_recoverable"},
  {errc::processing_failed, "processing_failed"},
};

} // namespace

std::string to_string(errc code) {
  for (const auto& [known, name] : names)
    if (known == code)
      return std::string{name};
  return "errc(" + std::to_string(static_cast<unsigned>(code)) + ")";
}

bool from_string(std::string_view text, errc& code) {
  for (const auto& [known, name] : names) {
    if (name == text) {
      code = known;
      return true;
    }
  }
  return false;
}

bool from_integer(std::uint8_t number, errc& code) {
  for (const auto& [known, name] : names) {
    if (static_cast<std::uint8_t>(known) == number) {
      code = known;
      return true;
    }
  }
  return false;
}

} // namespace gnomon
