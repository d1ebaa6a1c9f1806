#include "storage/segment.hpp"

#include "storage/frame_bytes.hpp"

#include <xxhash.h>

#include <algorithm>
#include <charconv>

namespace gnomon::storage {

namespace {

constexpr std::uint32_t magic = 0x4D47534E; // "NSGM"
constexpr std::size_t at_magic = 0;
constexpr std::size_t at_version = 4;
constexpr std::size_t at_log_id = 8;
constexpr std::size_t at_epoch = 16;
constexpr std::size_t at_first = 24;
constexpr std::size_t at_previous = 32;
constexpr std::size_t at_durable = 40;
constexpr std::size_t at_next_key = 48;
constexpr std::size_t at_checksum = 56;

static_assert(at_checksum + 8 == segment_header_bytes);

constexpr std::string_view suffix = ".log";
constexpr std::size_t digits = 20;

/// Syncs after each piece: so much to be written at once would hold up the
/// syncs of others.
result<void> write_zeros(file& target, std::uint64_t from, std::uint64_t to) {
  const bytes zeros(1 << 20, '\0');
  while (from < to) {
    const auto piece = std::min<std::uint64_t>(zeros.size(), to - from);
    const auto outcome = target.write(from, bytes_view{zeros}.substr(0, piece));
    if (!outcome)
      return outcome;
    if (const auto synced = target.sync(); !synced)
      return synced;
    from += piece;
  }
  return {};
}

result<void> fill(file& target, std::size_t segment_bytes,
                  preallocation space) {
  if (auto outcome = target.allocate(segment_bytes); !outcome)
    return outcome;
  if (space == preallocation::zeros)
    return write_zeros(target, 0, segment_bytes);
  return {};
}

result<void> write_header(file& target, const segment_header& header) {
  if (auto outcome = target.write(0, encode_segment_header(header)); !outcome)
    return outcome;
  return target.sync();
}

/// Removes what an attempt before this one has left, if anything.
result<void> remove_leftover(file_system& files, const path& name) {
  const auto found = files.exists(name);
  if (!found)
    return found.error();
  return *found ? files.remove(name) : result<void>{};
}

result<std::unique_ptr<file>> make_space(file_system& files, const path& name,
                                         std::size_t segment_bytes,
                                         preallocation space) {
  if (const auto outcome = remove_leftover(files, name); !outcome)
    return outcome.error();
  auto created = files.open(name, open_mode::create_new);
  if (!created)
    return created;
  if (const auto outcome = fill(**created, segment_bytes, space); !outcome)
    return outcome.error();
  return created;
}

result<std::unique_ptr<file>> make_unfinished(file_system& files,
                                              const path& name,
                                              const segment_header& header,
                                              std::size_t segment_bytes,
                                              preallocation space) {
  auto created = make_space(files, name, segment_bytes, space);
  if (!created)
    return created;
  if (const auto outcome = write_header(**created, header); !outcome)
    return outcome.error();
  return created;
}

/// Makes a spare segment the one that `header` says.
result<std::unique_ptr<file>> use_spare(std::unique_ptr<file> spare,
                                        const segment_header& header) {
  if (const auto outcome = write_header(*spare, header); !outcome)
    return outcome.error();
  return spare;
}

} // namespace

bytes encode_segment_header(const segment_header& header) {
  bytes target(segment_header_bytes, '\0');
  put_integer(target, at_magic, magic);
  put_integer(target, at_version, header.version);
  put_integer(target, at_log_id, header.id.value);
  put_integer(target, at_epoch, header.epoch);
  put_integer(target, at_first, header.first.value);
  put_integer(target, at_previous, header.previous.value);
  put_integer(target, at_durable, header.durable.value);
  put_integer(target, at_next_key, header.next_key);
  put_integer(target, at_checksum, XXH3_64bits(target.data(), at_checksum));
  return target;
}

std::optional<segment_header> decode_segment_header(bytes_view source) {
  if (source.size() < segment_header_bytes
      || get_integer<std::uint32_t>(source, at_magic) != magic
      || get_integer<std::uint64_t>(source, at_checksum)
           != XXH3_64bits(source.data(), at_checksum))
    return std::nullopt;
  segment_header header;
  header.version = get_integer<std::uint16_t>(source, at_version);
  header.id.value = get_integer<std::uint64_t>(source, at_log_id);
  header.epoch = get_integer<std::uint64_t>(source, at_epoch);
  header.first.value = get_integer<std::uint64_t>(source, at_first);
  header.previous.value = get_integer<std::uint64_t>(source, at_previous);
  header.durable.value = get_integer<std::uint64_t>(source, at_durable);
  header.next_key = get_integer<std::uint64_t>(source, at_next_key);
  return header;
}

std::string segment_name(position first) {
  auto number = std::to_string(first.value);
  GNOMON_CHECK(number.size() <= digits);
  return std::string(digits - number.size(), '0') + number
         + std::string{suffix};
}

std::optional<position> parse_segment_name(std::string_view name) {
  if (name.size() != digits + suffix.size() || !name.ends_with(suffix))
    return std::nullopt;
  position first;
  const auto* end = name.data() + digits;
  const auto parsed = std::from_chars(name.data(), end, first.value);
  if (parsed.ec != std::errc{} || parsed.ptr != end || !first)
    return std::nullopt;
  return first;
}

result<std::vector<position>> list_segments(file_system& files,
                                            const path& directory) {
  const auto names = files.list(directory);
  if (!names)
    return names.error();
  std::vector<position> segments;
  for (const auto& name : *names)
    if (const auto first = parse_segment_name(name))
      segments.push_back(*first);
  std::sort(segments.begin(), segments.end());
  return segments;
}

result<std::unique_ptr<file>> create_spare_segment(file_system& files,
                                                   const path& directory,
                                                   std::size_t segment_bytes,
                                                   preallocation space) {
  const auto name = directory / spare_segment_name;
  auto created = make_space(files, name, segment_bytes, space);
  auto synced = created ? (*created)->sync() : result<void>{};
  if (created && synced)
    return created;
  // On a full device its space is needed; if this fails, the next attempt
  // removes it.
  static_cast<void>(files.remove(name));
  return created ? synced.error() : created.error();
}

result<std::unique_ptr<file>>
create_segment(file_system& files, const path& directory,
               const segment_header& header, std::size_t segment_bytes,
               preallocation space, bool* named, std::unique_ptr<file> spare) {
  const auto name = directory / segment_name(header.first);
  const auto unfinished
    = spare ? directory / spare_segment_name : path{name}.concat(".tmp");
  auto created
    = spare ? use_spare(std::move(spare), header)
            : make_unfinished(files, unfinished, header, segment_bytes, space);
  if (!created) {
    // On a full device its space is needed; if this fails, the next attempt
    // removes it.
    static_cast<void>(files.remove(unfinished));
    return created;
  }
  if (named != nullptr)
    *named = true;
  if (const auto outcome = files.rename(unfinished, name); !outcome)
    return outcome.error();
  if (const auto outcome = files.sync_directory(directory); !outcome)
    return outcome.error();
  return created;
}

} // namespace gnomon::storage
