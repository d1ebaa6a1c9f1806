// Where the JSON lines of an exporter go.

#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace gnomon {

/// Where the files are, how large, and how many. Plain value.
struct json_lines_options {
  /// Created if need be; its parent exists. Used by one exporter only.
  std::filesystem::path directory = {};

  /// Files are called `prefix`-0000000001.jsonl and so on.
  std::string prefix = "records";

  /// A file ends with the last line that fits; a longer line has one alone.
  std::uint64_t file_bytes_max = 64 << 20;

  /// The oldest go first; 0: all are kept.
  std::size_t files_max = 16;
};

} // namespace gnomon
