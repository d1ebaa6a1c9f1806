// Writes the seeds that the corpora began with.

#pragma once

#include "gnomon/bytes.hpp"
#include "gnomon/check.hpp"

#include <filesystem>
#include <fstream>
#include <string>

namespace gnomon::fuzz {

/// Folder with one folder for each target.
class seed_folder {
public:
  explicit seed_folder(std::filesystem::path root) : root_(std::move(root)) {
    // nop
  }

  void add(const std::string& target, const std::string& name,
           bytes_view content) const {
    std::filesystem::create_directories(root_ / target);
    std::ofstream out{root_ / target / name, std::ios::binary};
    out << content;
    GNOMON_CHECK(out.good());
  }

  const std::filesystem::path& root() const {
    return root_;
  }

private:
  std::filesystem::path root_;
};

/// Appends the lowest `count` bytes of `value`.
inline void put(bytes& to, std::uint64_t value, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    to += static_cast<char>(value >> (8 * i));
}

/// Appends `content` with its size, two bytes, in front.
inline void put_counted(bytes& to, bytes_view content) {
  put(to, content.size(), 2);
  to += content;
}

void add_storage_seeds(const seed_folder& to);

void add_archive_seeds(const seed_folder& to);

} // namespace gnomon::fuzz
