#include "storage/checked_file.hpp"

#include "gnomon/check.hpp"
#include "storage/ports/little_endian.hpp"

#include <xxhash.h>

namespace gnomon::storage {

namespace {

constexpr std::size_t magic_bytes = 8;
constexpr std::size_t checksum_bytes = 8;
constexpr std::size_t overhead_bytes = magic_bytes + 4 + 4 + checksum_bytes;

std::uint64_t checksum(bytes_view content) {
  return XXH3_64bits(content.data(), content.size());
}

path with_suffix(path name, const char* suffix) {
  name += suffix;
  return name;
}

error corrupted(std::string context) {
  return {errc::corrupted, std::move(context)};
}

// Creates `tmp` anew with `content`, synced.
result<void> write_new(file_system& files, const path& tmp,
                       bytes_view content) {
  auto left_over = files.exists(tmp);
  if (!left_over)
    return left_over.error();
  if (*left_over)
    if (auto removed = files.remove(tmp); !removed)
      return removed;
  auto opened = files.open(tmp, open_mode::create_new);
  if (!opened)
    return opened.error();
  if (auto written = (*opened)->write(0, content); !written)
    return written;
  return (*opened)->sync();
}

result<bytes> read_whole(file_system& files, const path& name) {
  auto there = files.exists(name);
  if (!there)
    return there.error();
  if (!*there)
    return {errc::not_found, "no such file"};
  auto opened = files.open(name, open_mode::read_only);
  if (!opened)
    return opened.error();
  return (*opened)->read(0, overhead_bytes + checked_file_body_bytes_max + 1);
}

} // namespace

bytes encode_checked(const checked_file_format& format, bytes_view body) {
  GNOMON_CHECK(format.magic.size() == magic_bytes);
  GNOMON_CHECK(body.size() <= checked_file_body_bytes_max);
  bytes content{format.magic};
  append_little_endian(content, format.version);
  append_little_endian(content, static_cast<std::uint32_t>(body.size()));
  content += body;
  append_little_endian(content, checksum(content));
  return content;
}

result<bytes> decode_checked(const checked_file_format& format,
                             bytes_view content) {
  GNOMON_CHECK(format.magic.size() == magic_bytes);
  if (content.size() < overhead_bytes)
    return corrupted("expected at least " + std::to_string(overhead_bytes)
                     + " bytes, but found " + std::to_string(content.size()));
  const auto summed = content.substr(0, content.size() - checksum_bytes);
  little_endian_reader tail{content.substr(summed.size())};
  if (tail.read<std::uint64_t>() != checksum(summed))
    return corrupted("checksum does not match");
  little_endian_reader from{summed};
  if (from.read_bytes(magic_bytes) != format.magic)
    return corrupted("expected a file of kind " + std::string{format.magic});
  const auto version = from.read<std::uint32_t>();
  if (version > format.version)
    return {errc::format_too_new,
            "expected version " + std::to_string(format.version)
              + " or earlier, but found " + std::to_string(version)};
  if (version == 0)
    return corrupted("version is 0");
  if (from.read<std::uint32_t>() != from.rest().size())
    return corrupted("length does not match");
  return bytes{from.rest()};
}

result<void> write_checked(file_system& files, const path& name,
                           const path& tmp, const checked_file_format& format,
                           bytes_view body) {
  if (auto done = write_new(files, tmp, encode_checked(format, body)); !done)
    return done;
  if (auto done = files.rename(tmp, name); !done)
    return done;
  return files.sync_directory(name.parent_path());
}

result<void> write_checked(file_system& files, const path& name,
                           const checked_file_format& format, bytes_view body) {
  return write_checked(files, name, with_suffix(name, ".tmp"), format, body);
}

result<bytes> read_checked(file_system& files, const path& name,
                           const checked_file_format& format) {
  auto content = read_whole(files, name);
  if (content)
    content = decode_checked(format, *content);
  if (content)
    return content;
  return {content.error().code,
          "read " + name.string() + ": " + content.error().context};
}

} // namespace gnomon::storage
