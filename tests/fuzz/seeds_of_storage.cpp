// Seeds with what the storage writes.

#include "messages/record_codec.hpp"
#include "messages/record_exchange.hpp"
#include "storage/identity.hpp"
#include "storage/snapshot_manifest.hpp"
#include "storage/stamp.hpp"
#include "storage/system_file_system.hpp"
#include "tests/fuzz/seeds.hpp"
#include "tests/storage/log_fixture.hpp"

#include "inspection/archive_writer.hpp"
#include <iterator>

namespace gnomon::fuzz {

using namespace storage;

namespace {

void add_log_seeds(const seed_folder& to) {
  const auto files = partition_files();
  auto opened = open_log(*files);
  GNOMON_CHECK(opened);
  auto& log = **opened;
  for (std::uint32_t count = 1; count <= 4; ++count)
    GNOMON_CHECK(append_and_sync(log, count));
  const auto first = files->content(segment_path(1));
  bytes one(1, '\0');
  put_counted(one, {});
  to.add("log_directory", "one_segment", one + first);
  GNOMON_CHECK(log.roll());
  GNOMON_CHECK(append_and_sync(log, 2));
  bytes two(1, '\0');
  put_counted(two, first);
  to.add("log_directory", "two_segments",
         two + files->content(segment_path(11)));
  to.add("frame", "segment", first.substr(0, segment_header_bytes));
  to.add("frame", "frame", first.substr(segment_header_bytes, 160));
  to.add("frame", "name", segment_name({11}));
}

void add_record_seeds(const seed_folder& to) {
  record made;
  made.position = {7};
  made.source_position = {6};
  made.key = key::make({3}, 5);
  made.timestamp = {1'704'067'200'000};
  made.value_type = value_type::timer;
  made.record_type = record_type::event;
  made.intent = {2};
  made.idempotency_key = "order 17";
  made.value = "value";
  auto rejection = made;
  rejection.record_type = record_type::command_rejection;
  rejection.rejection_type = rejection_type::not_found;
  rejection.rejection_reason = "expected a timer, but found none";
  bytes stored(1, '\0');
  bytes exchanged(1, '\1');
  for (const auto& each : {made, rejection}) {
    messages::encode_record(typed_record{each}, stored);
    v1::Record content;
    messages::to_exchange(each, content);
    to.add("record_codec",
           each.rejection_reason.empty() ? "exchanged" : "rejected",
           exchanged + content.SerializeAsString());
  }
  to.add("record_codec", "stored", stored);
}

void add_checked_seeds(const seed_folder& to) {
  const auto add = [&](const std::string& name, char kind, bytes_view body) {
    to.add("checked_file", name, bytes{'\0', kind} + bytes{body});
  };
  stamp stamped;
  stamped.log = {17};
  stamped.clean = true;
  stamped.durable = {9};
  add("stamp", 0, encode(stamped));
  add("identity", 1, encode(partition_identity{{3}, 8, {17}}));
  add("format", 2, {});
  snapshot_manifest manifest;
  manifest.log = {17};
  manifest.bookkeeping.last_applied = {9};
  manifest.file_bytes = 4096;
  manifest.counts = {{{10}, 3}, {{11}, 4}};
  add("snapshot", 3, encode(manifest));
  add("backup", 4,
      "00112233445566ff 28 FORMAT\n"
      "0011223344556677 28 partition-00001/IDENTITY\n"
      "0011223344556677 99 partition-00001/log/00000000000000000001.log\n");
}

} // namespace

void add_storage_seeds(const seed_folder& to) {
  add_log_seeds(to);
  add_record_seeds(to);
  add_checked_seeds(to);
}

void add_archive_seeds(const seed_folder& to) {
  const auto name = to.root() / "seed.tar";
  {
    auto writer = inspection::archive_writer::create(system_files(), name);
    GNOMON_CHECK(writer);
    GNOMON_CHECK((*writer)->add("FORMAT", "content"));
    GNOMON_CHECK((*writer)->add("partition-00001/IDENTITY", "identity"));
    GNOMON_CHECK((*writer)->publish());
  }
  std::ifstream in{name, std::ios::binary};
  const bytes content{std::istreambuf_iterator<char>{in}, {}};
  to.add("archive", "backup", bytes(1, '\0') + content.substr(0, 6144));
  std::filesystem::remove(name);
}

} // namespace gnomon::fuzz
