#include "storage/identity.hpp"

#include "gnomon/check.hpp"
#include "storage/checked_file.hpp"
#include "storage/ports/little_endian.hpp"

#include <cerrno>
#include <cstring>
#include <sys/random.h>

namespace gnomon::storage {

namespace {

constexpr checked_file_format format{"GNMIDENT", 1};

} // namespace

bytes encode(const partition_identity& source) {
  bytes body;
  append_little_endian(body, source.partition.value);
  append_little_endian(body, source.partition_count);
  append_little_endian(body, source.log.value);
  return body;
}

result<void> write_identity(file_system& files, const path& name,
                            const partition_identity& content) {
  GNOMON_CHECK(content.partition.valid());
  GNOMON_CHECK(static_cast<bool>(content.log));
  return write_checked(files, name, format, encode(content));
}

result<partition_identity> read_identity(file_system& files, const path& name) {
  auto body = read_checked(files, name, format);
  if (!body)
    return body.error();
  little_endian_reader from{*body};
  partition_identity found;
  found.partition.value = from.read<std::uint16_t>();
  found.partition_count = from.read<std::uint16_t>();
  found.log.value = from.read<std::uint64_t>();
  if (!from.complete() || !found.partition.valid() || !found.log)
    return {errc::corrupted, "read " + name.string() + ": not an identity"};
  return found;
}

result<log_id> draw_log_id() {
  log_id drawn;
  // Zero means "none"; drawing it is as likely as a damaged machine.
  while (!drawn) {
    const auto count = getrandom(&drawn.value, sizeof(drawn.value), 0);
    if (count != static_cast<ssize_t>(sizeof(drawn.value)) && errno != EINTR)
      return {errc::io_error,
              std::string{"draw a log id: "} + std::strerror(errno)};
  }
  return drawn;
}

} // namespace gnomon::storage
