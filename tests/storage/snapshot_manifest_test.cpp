#include "storage/snapshot_manifest.hpp"
#include "tests/storage/state_fixture.hpp"

#include <gtest/gtest.h>

namespace gnomon::storage {

namespace {

snapshot_manifest example() {
  snapshot_manifest content;
  content.log = {0x0102030405060708};
  content.bookkeeping = {{300}, {0xC0FFEE}, {298}, 17, {-1}};
  content.file_bytes = 8192;
  content.file_hash = 0x1122334455667788;
  content.counts = {{{1}, 1}, {{20}, 5}};
  return content;
}

} // namespace

// The example of docs/formats/state.md.
TEST(SnapshotManifest, HasTheseBytes) {
  const auto body = encode(example());
  EXPECT_EQ(test::hexadecimal(body),
            "08 07 06 05 04 03 02 01 2c 01 00 00 00 00 00 00 "
            "ee ff c0 00 00 00 00 00 2a 01 00 00 00 00 00 00 "
            "11 00 00 00 00 00 00 00 ff ff ff ff ff ff ff ff "
            "00 20 00 00 00 00 00 00 88 77 66 55 44 33 22 11 "
            "02 00 00 00 01 00 01 00 00 00 00 00 00 00 14 00 "
            "05 00 00 00 00 00 00 00");
  EXPECT_EQ(*decode_manifest(body), example());
}

TEST(SnapshotManifest, IsCorruptedIfCutOrLonger) {
  const auto body = encode(example());
  for (std::size_t size = 0; size < body.size(); ++size)
    EXPECT_EQ(decode_manifest(body.substr(0, size)).error().code,
              errc::corrupted);
  EXPECT_EQ(decode_manifest(body + '\0').error().code, errc::corrupted);
}

// A length from outside must not be believed.
TEST(SnapshotManifest, IsCorruptedIfItsCountIsHuge) {
  auto body = encode(example());
  body.replace(64, 4, "\xFF\xFF\xFF\xFF");
  EXPECT_EQ(decode_manifest(body).error().code, errc::corrupted);
}

} // namespace gnomon::storage
