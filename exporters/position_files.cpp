#include "exporters/position_files.hpp"

#include "gnomon/check.hpp"
#include "storage/checked_file.hpp"
#include "storage/ports/little_endian.hpp"

#include <algorithm>

namespace gnomon::exporters {

namespace {

constexpr storage::checked_file_format format{"GNMEXPRT", 1};
constexpr std::size_t name_length_max = 64;

} // namespace

bool is_exporter_name(std::string_view name) {
  return !name.empty() && name.size() <= name_length_max
         && std::ranges::all_of(name, [](char c) {
              return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')
                     || c == '-' || c == '_';
            });
}

position_files::position_files(storage::file_system& files,
                               const storage::path& partition,
                               storage::log_id log)
  : files_(files), partition_(partition), directory_(partition / "exporters"),
    log_(log) {
  // nop
}

result<void> position_files::write(const std::string& name,
                                   const kept_position& what) {
  GNOMON_CHECK(is_exporter_name(name));
  if (auto done = files_.create_directories(directory_); !done)
    return done;
  if (auto done = files_.sync_directory(partition_); !done)
    return done;
  bytes body;
  storage::append_little_endian(body, log_.value);
  storage::append_little_endian(body, what.acknowledged.value);
  storage::append_little_endian(
    body, static_cast<std::uint8_t>(what.is_detached ? 1 : 0));
  return storage::write_checked(files_, directory_ / name, format, body);
}

result<void> position_files::remove(const std::string& name) {
  auto there = files_.exists(directory_ / name);
  if (!there)
    return there.error();
  if (!*there)
    return {};
  if (auto done = files_.remove(directory_ / name); !done)
    return done;
  return files_.sync_directory(directory_);
}

result<position_files::found> position_files::read_all() {
  auto there = files_.exists(directory_);
  if (!there)
    return there.error();
  if (!*there)
    return found{};
  auto names = files_.list(directory_);
  if (!names)
    return names.error();
  found all;
  for (const auto& name : *names) {
    if (!is_exporter_name(name))
      continue;
    auto kept = read(name);
    if (!kept)
      all.damaged.push_back(kept.error());
    all.positions[name] = kept ? *kept : kept_position{};
  }
  return all;
}

result<kept_position> position_files::read(const std::string& name) {
  auto body = storage::read_checked(files_, directory_ / name, format);
  if (!body)
    return body.error();
  storage::little_endian_reader from{*body};
  const storage::log_id log{from.read<std::uint64_t>()};
  kept_position kept;
  kept.acknowledged = {from.read<std::uint64_t>()};
  kept.is_detached = from.read<std::uint8_t>() != 0;
  if (!from.complete() || log != log_)
    return {errc::corrupted, "read " + (directory_ / name).string()
                               + ": not a position in this log"};
  return kept;
}

} // namespace gnomon::exporters
