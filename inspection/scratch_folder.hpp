// A folder for what is made on the way and thrown away.

#pragma once

#include "gnomon/result.hpp"
#include "storage/ports/file_system.hpp"

#include <utility>

namespace gnomon::inspection {

/// Owns a folder of its own; removes it with all it contains at the end of its
/// life.
class scratch_folder {
public:
  /// Creates a folder with a name nobody else has.
  /// @param parent  Must exist, on a local file system; empty: the one that the
  ///                system has for temporary files.
  static result<scratch_folder> create(const storage::path& parent);

  scratch_folder(scratch_folder&& other) noexcept
    : location_(std::exchange(other.location_, {})) {
    // nop
  }

  scratch_folder& operator=(scratch_folder&&) = delete;

  ~scratch_folder();

  const storage::path& location() const {
    return location_;
  }

private:
  explicit scratch_folder(storage::path location)
    : location_(std::move(location)) {
    // nop
  }

  storage::path location_;
};

} // namespace gnomon::inspection
