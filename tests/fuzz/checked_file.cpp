// Small files that are written whole: stamp, identity, format, manifests.
// Input: flags, kind, content or body.

#include "storage/checked_file.hpp"

#include "storage/identity.hpp"
#include "storage/partition_directory.hpp"
#include "storage/snapshot_manifest.hpp"
#include "storage/stamp.hpp"
#include "tests/fuzz/target.hpp"
#include "tests/support/memory_file_system.hpp"

#include "inspection/backup_format.hpp"
#include <array>

namespace gnomon::fuzz {

using namespace storage;

namespace {

constexpr std::array<checked_file_format, 5> formats{{{"GNMSTAMP", 1},
                                                      {"GNMIDENT", 1},
                                                      {"GNMFORMT", 1},
                                                      {"GNMSNAPS", 1},
                                                      {"GNMBACKP", 1}}};

void take_manifest(bytes_view body) {
  if (const auto found = decode_manifest(body)) {
    const auto again = decode_manifest(encode(*found));
    GNOMON_CHECK(again && *again == *found);
  }
}

void take_backup_manifest(bytes_view content) {
  const auto found = inspection::decode_backup_manifest(content);
  if (!found)
    return;
  for (const auto& each : *found)
    GNOMON_CHECK(inspection::is_backup_name(each.name));
  const auto encoded = inspection::encode_manifest(*found);
  GNOMON_CHECK(encoded);
  const auto again = inspection::decode_backup_manifest(*encoded);
  GNOMON_CHECK(again && *again == *found);
}

void take_files(bytes_view content) {
  test::memory_file_system files;
  files.overwrite("/FORMAT", content);
  static_cast<void>(check_directory_format(files, "/"));
  if (const auto found = read_stamp(files, "/FORMAT"); found && *found) {
    const auto told
      = judge(*found, (*found)->log, (*found)->boot, (*found)->state_file);
    GNOMON_CHECK((told == distrust_reason::marked) == (*found)->distrusted);
    GNOMON_CHECK(distrust(files, "/FORMAT"));
    const auto marked = read_stamp(files, "/FORMAT");
    GNOMON_CHECK(marked && *marked && (*marked)->distrusted);
    files.overwrite("/FORMAT", content);
  }
  if (const auto found = read_identity(files, "/FORMAT")) {
    GNOMON_CHECK(write_identity(files, "/who", *found));
    const auto again = read_identity(files, "/who");
    GNOMON_CHECK(again && *again == *found);
  }
}

} // namespace

void run(bytes_view input) {
  reader in{input};
  const auto sealed = in.number(1) % 2 == 0;
  const auto& format = formats.at(in.number(1) % formats.size());
  const auto rest = in.rest();
  const auto content = sealed ? encode_checked(format, rest) : bytes{rest};
  const auto body = decode_checked(format, content);
  GNOMON_CHECK(!sealed || (body && *body == rest));
  take_files(content);
  take_manifest(body ? *body : rest);
  take_backup_manifest(content);
  static_cast<void>(parse_boot_id(rest));
}

} // namespace gnomon::fuzz
