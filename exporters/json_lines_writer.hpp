// Records as lines of JSON in files that rotate.

#pragma once

#include "gnomon/json_lines_options.hpp"
#include "gnomon/result.hpp"
#include "gnomon/v1/export.pb.h"
#include "storage/ports/file_system.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gnomon::exporters {

/// Writes one line for each record, in order. What was written when a crash
/// came, but not acknowledged, is written again: positions tell.
///
/// After an error open a new one. Threads: one owner.
class json_lines_writer {
public:
  /// Goes on in the newest file; a line that a crash has torn is cut off.
  /// @param files  Borrowed; must outlive the writer.
  static result<std::unique_ptr<json_lines_writer>>
  open(storage::file_system& files, json_lines_options options);

  /// Writes the records of `batch`; all of it is durable on success.
  result<void> write(const v1::ExportBatch& batch);

private:
  json_lines_writer(storage::file_system& files, json_lines_options options);

  result<void> resume();

  result<void> cut_torn_line();

  result<void> begin_file();

  result<void> rotate();

  result<void> flush();

  result<void> drop_oldest();

  storage::path name_of(std::uint64_t number) const;

  storage::file_system& files_;
  json_lines_options options_;
  std::vector<std::uint64_t> numbers_;
  std::unique_ptr<storage::file> file_;
  std::uint64_t size_ = 0;
  std::string lines_;
};

} // namespace gnomon::exporters
