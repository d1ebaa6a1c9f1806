#include "inspection/backup_format.hpp"

#include "storage/checked_file.hpp"
#include "storage/segment.hpp"

#include "inspection/partition_folder.hpp"
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>

namespace gnomon::inspection {

namespace {

constexpr storage::checked_file_format format{"GNMBACKP", 1};

error damaged(const std::string& what) {
  return {errc::corrupted, "read the manifest of the backup: " + what};
}

/// Takes what stands before `end` off `rest`.
std::optional<std::string_view> take(std::string_view& rest, char end) {
  const auto at = rest.find(end);
  if (at == std::string_view::npos)
    return std::nullopt;
  const auto part = rest.substr(0, at);
  rest.remove_prefix(at + 1);
  return part;
}

std::optional<std::uint64_t> number(std::string_view text, int base) {
  std::uint64_t value = 0;
  const auto* end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, value, base);
  if (code != std::errc{} || stop != end)
    return std::nullopt;
  return value;
}

std::string to_line(const backup_entry& entry) {
  char hash[17];
  std::snprintf(hash, sizeof hash, "%016llx",
                static_cast<unsigned long long>(entry.sum.hash));
  return std::string{hash} + ' ' + std::to_string(entry.sum.size) + ' '
         + entry.name + '\n';
}

bool is_snapshot_file(std::string_view name) {
  constexpr std::size_t digits = 20;
  if (name.size() < digits || name.find_first_not_of("0123456789") != digits)
    return false;
  const auto file = name.substr(digits);
  return file == "/data.mdb" || file == "/manifest";
}

} // namespace

bool is_backup_name(std::string_view name) {
  if (name == "FORMAT")
    return true;
  const auto folder = take(name, '/');
  if (!folder || !parse_directory_name(*folder))
    return false;
  if (name == "IDENTITY")
    return true;
  const auto within = take(name, '/');
  if (!within)
    return false;
  if (*within == "log")
    return storage::parse_segment_name(name).has_value();
  return *within == "snapshots" && is_snapshot_file(name);
}

result<bytes> encode_manifest(const std::vector<backup_entry>& entries) {
  bytes body;
  for (const auto& entry : entries)
    body += to_line(entry);
  if (body.size() + 64 > backup_manifest_bytes_max)
    return {errc::resource_exhausted,
            "back up " + std::to_string(entries.size())
              + " files: too many for one archive; choose a partition"};
  return storage::encode_checked(format, body);
}

result<std::vector<backup_entry>> decode_backup_manifest(bytes_view source) {
  const auto body = storage::decode_checked(format, source);
  if (!body)
    return body.error().code == errc::corrupted ? damaged(body.error().context)
                                                : body.error();
  std::vector<backup_entry> entries;
  std::string_view rest{*body};
  while (!rest.empty()) {
    auto line = take(rest, '\n');
    const auto hash = line ? take(*line, ' ') : std::nullopt;
    const auto size = hash ? take(*line, ' ') : std::nullopt;
    const auto hash_value = hash ? number(*hash, 16) : std::nullopt;
    const auto size_value = size ? number(*size, 10) : std::nullopt;
    if (!hash_value || !size_value)
      return damaged("a line that is not of its form");
    if (!is_backup_name(*line))
      return damaged("a name that no backup has");
    entries.push_back({std::string{*line}, {*size_value, *hash_value}});
  }
  return entries;
}

} // namespace gnomon::inspection
