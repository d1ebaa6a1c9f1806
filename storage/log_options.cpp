#include "storage/log_options.hpp"

namespace gnomon::storage {

std::string to_string(const opening_report& report) {
  std::string text;
  if (report.torn_bytes > 0) {
    text = "cut " + std::to_string(report.torn_bytes)
           + " bytes that were never acknowledged off "
           + report.torn_segment.string() + " at offset "
           + std::to_string(report.torn_offset);
    text += report.torn_copy.empty()
              ? " (no space for a copy)"
              : ", copied to " + report.torn_copy.string();
  }
  if (report.segments_deleted > 0) {
    if (!text.empty())
      text += "; ";
    text += "deleted " + std::to_string(report.segments_deleted)
            + " segments without a whole header and without frames";
  }
  return text;
}

} // namespace gnomon::storage
