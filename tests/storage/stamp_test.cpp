#include "storage/checked_file.hpp"
#include "storage/stamp.hpp"
#include "storage/system_file_system.hpp"
#include "tests/storage/state_fixture.hpp"
#include "tests/support/faulty_file_system.hpp"
#include "tests/support/memory_file_system.hpp"

#include <gtest/gtest.h>

namespace gnomon::storage {

namespace {

const path name = "/p/stamp";

stamp example() {
  stamp content;
  content.log = {0x0102030405060708};
  content.boot = *parse_boot_id("00112233-4455-6677-8899-aabbccddeeff");
  content.clean = true;
  content.state_file = {0x21, 0x0A0B};
  content.durable = {300};
  return content;
}

class Stamp : public testing::Test {
protected:
  Stamp() {
    EXPECT_TRUE(memory.create_directories(name.parent_path()));
    EXPECT_TRUE(memory.sync_directory("/"));
  }

  test::memory_file_system memory;
  test::faulty_file_system files{memory};
};

} // namespace

TEST_F(Stamp, IsReadAsItWasWritten) {
  auto content = example();
  ASSERT_TRUE(write_stamp(files, name, content));
  EXPECT_EQ(**read_stamp(files, name), content);
  content.clean = false;
  content.distrusted = true;
  ASSERT_TRUE(write_stamp(files, name, content));
  EXPECT_EQ(**read_stamp(files, name), content);
  EXPECT_TRUE(memory.violations().empty());
}

// The example of docs/formats/state.md.
TEST_F(Stamp, HasTheseBytes) {
  ASSERT_TRUE(write_stamp(files, name, example()));
  EXPECT_EQ(test::hexadecimal(memory.content(name)),
            "47 4e 4d 53 54 41 4d 50 01 00 00 00 34 00 00 00 "
            "08 07 06 05 04 03 02 01 00 11 22 33 44 55 66 77 "
            "88 99 aa bb cc dd ee ff 01 00 00 00 21 00 00 00 "
            "00 00 00 00 0b 0a 00 00 00 00 00 00 2c 01 00 00 "
            "00 00 00 00 2c 9d ff aa 16 44 09 4c");
}

TEST_F(Stamp, IsNothingIfAnyBitIsFlippedOrItIsCut) {
  ASSERT_TRUE(write_stamp(files, name, example()));
  const auto whole = memory.content(name);
  for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
    auto flipped = whole;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ 1 << bit % 8);
    memory.overwrite(name, flipped);
    ASSERT_EQ(*read_stamp(files, name), std::nullopt) << "bit " << bit;
  }
  for (std::size_t size = 0; size < whole.size(); ++size) {
    memory.overwrite(name, whole.substr(0, size));
    ASSERT_EQ(*read_stamp(files, name), std::nullopt) << size << " bytes";
  }
}

TEST_F(Stamp, IsNothingIfItIsMissingOrAnotherKindOfFile) {
  EXPECT_EQ(*read_stamp(files, name), std::nullopt);
  memory.overwrite(name, encode_checked({"GNMIDENT", 1}, encode(example())));
  EXPECT_EQ(*read_stamp(files, name), std::nullopt);
  memory.overwrite(name, encode_checked({"GNMSTAMP", 1}, "short"));
  EXPECT_EQ(*read_stamp(files, name), std::nullopt);
}

TEST_F(Stamp, IsRefusedIfItIsOfALaterVersion) {
  memory.overwrite(name, encode_checked({"GNMSTAMP", 2}, "whatever"));
  EXPECT_EQ(read_stamp(files, name).error().code, errc::format_too_new);
}

// A power cut at every call, whatever the disk kept: old or new, never neither.
TEST_F(Stamp, IsOldOrNewAfterACrash) {
  auto content = example();
  content.durable = {1};
  ASSERT_TRUE(write_stamp(files, name, content));
  for (const auto& kept : test::all_survivors()) {
    bool has_struck = true;
    for (std::uint64_t call = 1; has_struck; ++call) {
      const auto old = **read_stamp(files, name);
      content.durable.value += 1;
      files.inject({test::fault::kind::crash, call});
      const auto written = write_stamp(files, name, content);
      has_struck = files.has_struck();
      EXPECT_EQ(static_cast<bool>(written), !has_struck);
      files.restart(kept);
      const auto found = *read_stamp(files, name);
      ASSERT_TRUE(found.has_value()) << "call " << call;
      EXPECT_TRUE(*found == content || (!written && *found == old));
    }
  }
}

TEST_F(Stamp, DistrustsOrTellsThatItCouldNot) {
  for (auto what : {test::fault::kind::once, test::fault::kind::sticky}) {
    bool has_struck = true;
    for (std::uint64_t call = 1; has_struck; ++call) {
      ASSERT_TRUE(write_stamp(files, name, example()));
      files.inject({what, call});
      const auto done = distrust(files, name);
      has_struck = files.has_struck();
      files.restart({test::survivors::unsynced::none});
      const auto found = *read_stamp(files, name);
      EXPECT_TRUE(!done || !found || found->distrusted) << "call " << call;
      EXPECT_TRUE(done || what == test::fault::kind::sticky) << call;
    }
  }
}

TEST_F(Stamp, HasNothingToDistrustIfThereIsNone) {
  EXPECT_TRUE(distrust(files, name));
  EXPECT_FALSE(*memory.exists(name));
}

TEST(StampJudge, TrustsTheSameFileOfTheSameLogIfCleanOrOfThisBoot) {
  const auto clean = example();
  auto unclean = clean;
  unclean.clean = false;
  const auto other = boot_id{};
  auto verdict = [](const stamp& found, const boot_id& boot) {
    return judge(found, found.log, boot, found.state_file);
  };
  EXPECT_EQ(verdict(clean, clean.boot), distrust_reason::none);
  EXPECT_EQ(verdict(clean, other), distrust_reason::none);
  EXPECT_EQ(verdict(unclean, clean.boot), distrust_reason::none);
  EXPECT_EQ(verdict(unclean, other), distrust_reason::other_boot);
}

TEST(StampJudge, DistrustsEachSingleDifference) {
  const auto good = example();
  const auto file = good.state_file;
  auto marked = good;
  marked.clean = false;
  marked.distrusted = true;
  EXPECT_EQ(judge(std::nullopt, good.log, good.boot, file),
            distrust_reason::no_stamp);
  EXPECT_EQ(judge(good, log_id{1}, good.boot, file),
            distrust_reason::other_log);
  EXPECT_EQ(judge(good, good.log, good.boot, std::nullopt),
            distrust_reason::other_file);
  EXPECT_EQ(judge(good, good.log, good.boot,
                  file_identity{file.device, file.inode + 1}),
            distrust_reason::other_file);
  EXPECT_EQ(judge(good, good.log, good.boot,
                  file_identity{file.device + 1, file.inode}),
            distrust_reason::other_file);
  EXPECT_EQ(judge(marked, good.log, good.boot, file), distrust_reason::marked);
}

TEST(BootId, IsThirtyTwoHexadecimalDigits) {
  const bytes digits = "00112233445566778899aabbccddeeff";
  EXPECT_TRUE(parse_boot_id(digits));
  EXPECT_EQ(parse_boot_id("00112233-4455-6677-8899-AABBCCDDEEFF"),
            parse_boot_id(digits));
  EXPECT_FALSE(parse_boot_id(digits.substr(1)));
  EXPECT_FALSE(parse_boot_id(digits + "0"));
  EXPECT_FALSE(parse_boot_id("g" + digits.substr(1)));
  EXPECT_FALSE(parse_boot_id(""));
}

TEST(BootId, IsTheSameWithinOneBoot) {
  const auto id = current_boot_id(system_files());
  ASSERT_TRUE(id);
  EXPECT_NE(*id, boot_id{});
  EXPECT_EQ(*id, *current_boot_id(system_files()));
}

TEST(BootId, IsReadThroughTheFileSystem) {
  test::memory_file_system files;
  EXPECT_EQ(current_boot_id(files).error().code, errc::not_found);
  ASSERT_TRUE(files.create_directories("/proc/sys/kernel/random"));
  files.overwrite(boot_id_file, "00112233-4455-6677-8899-aabbccddeeff\n");
  EXPECT_EQ(*current_boot_id(files),
            *parse_boot_id("00112233445566778899aabbccddeeff"));
  files.overwrite(boot_id_file, "00112233\n");
  EXPECT_EQ(current_boot_id(files).error().code, errc::io_error);
}

} // namespace gnomon::storage
