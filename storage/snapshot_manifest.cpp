#include "storage/snapshot_manifest.hpp"

#include "storage/ports/little_endian.hpp"

namespace gnomon::storage {

bytes encode(const snapshot_manifest& source) {
  bytes body;
  append_little_endian(body, source.log.value);
  body += bookkeeping::encode(source.bookkeeping);
  append_little_endian(body, source.file_bytes);
  append_little_endian(body, source.file_hash);
  append_little_endian(body, static_cast<std::uint32_t>(source.counts.size()));
  for (const auto& [family, count] : source.counts) {
    append_little_endian(body, family.id);
    append_little_endian(body, count);
  }
  return body;
}

result<snapshot_manifest> decode_manifest(bytes_view source) {
  little_endian_reader from{source};
  snapshot_manifest found;
  found.log.value = from.read<std::uint64_t>();
  const auto standing
    = bookkeeping::decode(from.read_bytes(bookkeeping::entry_bytes));
  found.file_bytes = from.read<std::uint64_t>();
  found.file_hash = from.read<std::uint64_t>();
  const auto count = from.read<std::uint32_t>();
  // The number is not believed: reading stops where the bytes end.
  for (std::uint32_t i = 0; i < count && !from.failed(); ++i) {
    const column_family family{from.read<std::uint16_t>()};
    found.counts.push_back({family, from.read<std::uint64_t>()});
  }
  if (!standing || !from.complete())
    return {errc::corrupted, "not a manifest"};
  found.bookkeeping = *standing;
  return found;
}

} // namespace gnomon::storage
