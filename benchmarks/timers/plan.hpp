// What is measured, how large, and where: shared by all figures.

#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>

namespace gnomon::benchmarks {

using steady = std::chrono::steady_clock;

/// Returns the seconds since `start`.
inline double seconds_since(steady::time_point start) {
  return std::chrono::duration<double>{steady::now() - start}.count();
}

/// Sizes of a run. Plain value.
struct plan {
  bool quick = false;

  /// Folder for all files; should be on the disk that is to be measured.
  std::filesystem::path directory = "timers-benchmark";

  /// Timers of the large figures.
  std::size_t timers() const {
    return quick ? 100'000 : 1'000'000;
  }

  std::string timers_name() const {
    return quick ? "100k" : "1M";
  }
};

// Sizes of what a timer of these benchmarks leaves on disk: no target, no name,
// a payload of 64 bytes. The bare storage writes as much.
inline constexpr std::size_t payload_bytes = 64;
inline constexpr std::size_t body_bytes = 103;
inline constexpr std::size_t create_bytes = 131;
inline constexpr std::size_t created_bytes = 131;
inline constexpr std::size_t trigger_bytes = 56;
inline constexpr std::size_t triggered_bytes = 67;

// Of a job with such a payload that is created by a client.
inline constexpr std::size_t job_activated_bytes = 56 + 15;
inline constexpr std::size_t job_complete_bytes = 56 + 2;
inline constexpr std::size_t job_completed_bytes = 56 + 2;

/// Over which time the due dates are spread.
inline constexpr std::chrono::milliseconds spread = std::chrono::hours{30 * 24};

/// An empty folder, removed with this object.
class scratch_directory {
public:
  explicit scratch_directory(std::filesystem::path where)
    : path_(std::move(where)) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }

  ~scratch_directory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  scratch_directory(const scratch_directory&) = delete;
  scratch_directory& operator=(const scratch_directory&) = delete;

  const std::filesystem::path& path() const {
    return path_;
  }

private:
  std::filesystem::path path_;
};

} // namespace gnomon::benchmarks
