// Archives to restore from. Input: flags, archive.

#include "tests/fuzz/target.hpp"
#include "tests/support/memory_file_system.hpp"

#include "inspection/archive_reader.hpp"
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace gnomon::fuzz {

namespace {

constexpr std::size_t block_bytes = 512;

/// Gives headers where one may stand the checksums of the format tar.
bytes sealed(bytes archive) {
  for (std::size_t at = 0; at + block_bytes <= archive.size();
       at += block_bytes) {
    if (bytes_view{archive}.substr(at + 257, 5) != "ustar")
      continue;
    archive.replace(at + 148, 8, 8, ' ');
    unsigned sum = 0;
    for (std::size_t i = 0; i < block_bytes; ++i)
      sum += static_cast<unsigned char>(archive[at + i]);
    for (std::size_t i = 6; i-- > 0; sum /= 8)
      archive[at + 148 + i] = static_cast<char>('0' + sum % 8);
    archive[at + 154] = '\0';
  }
  return archive;
}

/// The library that reads archives wants a real file.
const std::filesystem::path& archive_name() {
  static const auto name
    = std::filesystem::temp_directory_path()
      / ("gnomon-fuzz-" + std::to_string(::getpid()) + ".tar");
  return name;
}

} // namespace

void run(bytes_view input) {
  reader in{input};
  const bool raw = in.number(1) % 2 == 1;
  const bytes given{in.rest()};
  const auto content = raw ? given : sealed(given);
  std::ofstream{archive_name(), std::ios::binary} << content;
  test::memory_file_system files;
  GNOMON_CHECK(files.create_directories(archive_name().parent_path()));
  GNOMON_CHECK(files.create_directories("/target"));
  files.overwrite(archive_name(), content);
  inspection::silent_progress watcher;
  const auto found
    = inspection::extract(files, archive_name(), "/target", watcher);
  std::filesystem::remove(archive_name());
  // Sizes are of what is there, not of what a header says.
  GNOMON_CHECK(files.used_bytes() <= 2 * content.size());
  if (!found) {
    GNOMON_CHECK(found.error().code == errc::corrupted
                 || found.error().code == errc::format_too_new);
    return;
  }
  for (const auto& each : *found) {
    const auto sum
      = storage::hash_file(files, std::filesystem::path{"/target"} / each.name);
    GNOMON_CHECK(sum && *sum == each.sum);
  }
}

} // namespace gnomon::fuzz
