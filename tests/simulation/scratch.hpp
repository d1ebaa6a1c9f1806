// Where simulated disks keep the files that LMDB needs.

#pragma once

#include <filesystem>
#include <string>
#include <unistd.h>

namespace gnomon::simulation {

/// A directory of this process, gone with this object. In memory, if the
/// machine has such a place.
class scratch_directory {
public:
  explicit scratch_directory(const std::string& name)
    : location_(base() / ("gnomon-" + std::to_string(::getpid()) + name)) {
    std::filesystem::create_directories(location_);
  }

  scratch_directory(const scratch_directory&) = delete;

  scratch_directory& operator=(const scratch_directory&) = delete;

  ~scratch_directory() {
    std::error_code ignored;
    std::filesystem::remove_all(location_, ignored);
  }

  const std::filesystem::path& location() const {
    return location_;
  }

private:
  static std::filesystem::path base() {
    const std::filesystem::path shared{"/dev/shm"};
    return std::filesystem::is_directory(shared)
             ? shared
             : std::filesystem::temp_directory_path();
  }

  std::filesystem::path location_;
};

} // namespace gnomon::simulation
