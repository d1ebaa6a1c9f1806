#include "storage/checked_file.hpp"
#include "storage/identity.hpp"
#include "tests/storage/state_fixture.hpp"
#include "tests/support/memory_file_system.hpp"

#include <gtest/gtest.h>

namespace gnomon::storage {

namespace {

const path name = "/p/IDENTITY";

// A body as `encode` writes it, with any numbers.
bytes body(std::uint16_t partition, std::uint64_t log) {
  return encode(partition_identity{{partition}, 8, {log}});
}

class Identity : public testing::Test {
protected:
  Identity() {
    EXPECT_TRUE(files.create_directories(name.parent_path()));
  }

  errc verdict(bytes_view content) {
    files.overwrite(name, encode_checked({"GNMIDENT", 1}, content));
    const auto found = read_identity(files, name);
    return found ? errc::none : found.error().code;
  }

  test::memory_file_system files;
};

} // namespace

// The example of docs/formats/state.md.
TEST_F(Identity, HasTheseBytes) {
  const partition_identity content{{3}, 8, {0x0102030405060708}};
  ASSERT_TRUE(write_identity(files, name, content));
  EXPECT_EQ(test::hexadecimal(files.content(name)),
            "47 4e 4d 49 44 45 4e 54 01 00 00 00 0c 00 00 00 "
            "03 00 08 00 08 07 06 05 04 03 02 01 9d fb c1 7a 8d 27 59 69");
  EXPECT_EQ(*read_identity(files, name), content);
}

TEST_F(Identity, IsCorruptedIfItsNumbersCannotBe) {
  EXPECT_EQ(verdict(body(3, 1)), errc::none);
  EXPECT_EQ(verdict(body(8191, 1)), errc::none);
  EXPECT_EQ(verdict(body(8192, 1)), errc::corrupted);
  EXPECT_EQ(verdict(body(0, 1)), errc::corrupted);
  EXPECT_EQ(verdict(body(3, 0)), errc::corrupted);
  EXPECT_EQ(verdict(body(3, 1) + "x"), errc::corrupted);
  EXPECT_EQ(verdict(body(3, 1).substr(1)), errc::corrupted);
}

TEST_F(Identity, IsNotFoundIfThereIsNone) {
  EXPECT_EQ(read_identity(files, name).error().code, errc::not_found);
}

TEST(DrawLogId, DrawsAnotherEachTime) {
  const auto one = *draw_log_id();
  EXPECT_NE(one, log_id{});
  EXPECT_NE(one, *draw_log_id());
}

} // namespace gnomon::storage
