#include "tests/support/faulty_file_system.hpp"

#include <gtest/gtest.h>

#include "exporters/position_files.hpp"

namespace gnomon::exporters {

namespace {

constexpr storage::log_id log{7};
const storage::path partition = "/p";

class PositionFiles : public ::testing::Test {
protected:
  PositionFiles() {
    EXPECT_TRUE(memory.create_directories(partition));
    EXPECT_TRUE(memory.sync_directory("/"));
  }

  test::memory_file_system memory;
};

} // namespace

TEST_F(PositionFiles, AreNoneAtFirst) {
  const auto found = position_files{memory, partition, log}.read_all();
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->positions.empty());
}

TEST_F(PositionFiles, ReadWhatWasWritten) {
  position_files files{memory, partition, log};
  ASSERT_TRUE(files.write("a", {{5}, false}));
  ASSERT_TRUE(files.write("b", {{6}, true}));
  ASSERT_TRUE(files.write("a", {{9}, false}));
  ASSERT_TRUE(files.write("c", {{9}, false}));
  ASSERT_TRUE(files.remove("c"));
  const auto found = files.read_all();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->positions, (std::map<std::string, kept_position>{
                                {"a", {{9}, false}}, {"b", {{6}, true}}}));
  EXPECT_TRUE(memory.violations().empty());
}

TEST_F(PositionFiles, HaveTheBytesThatAreDocumented) {
  ASSERT_TRUE((position_files{memory, partition, log}.write("a", {{5}, true})));
  const auto content = memory.content(partition / "exporters" / "a");
  const std::string golden{"GNMEXPRT\1\0\0\0\x11\0\0\0"
                           "\7\0\0\0\0\0\0\0\5\0\0\0\0\0\0\0\1",
                           33};
  EXPECT_EQ(content.substr(0, golden.size()), golden);
  EXPECT_EQ(content.size(), golden.size() + 8);
}

TEST_F(PositionFiles, OfAnotherLogCountAsNothingAcknowledged) {
  ASSERT_TRUE((position_files{memory, partition, {8}}.write("a", {{5}})));
  const auto found = position_files{memory, partition, log}.read_all();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->positions.at("a"), kept_position{});
  EXPECT_EQ(found->damaged.size(), 1u);
}

TEST_F(PositionFiles, AreTheOldOrTheNewAfterACrashAnywhere) {
  for (const auto& kept : test::all_survivors())
    for (std::uint64_t call = 1;; ++call) {
      auto copy = memory.clone();
      test::faulty_file_system faulty{*copy};
      position_files files{faulty, partition, log};
      ASSERT_TRUE(files.write("a", {{5}}));
      faulty.inject({test::fault::kind::crash, call});
      const auto done = files.write("a", {{6}});
      const auto has_struck = faulty.has_struck();
      faulty.restart(kept);
      const auto found = files.read_all();
      ASSERT_TRUE(found);
      ASSERT_TRUE(found->damaged.empty());
      const auto is = found->positions.at("a").acknowledged;
      EXPECT_TRUE(is == position{6} || (!done && is == position{5}));
      if (!has_struck)
        break;
    }
}

TEST(ExporterName, IsOneThatAFileCanHave) {
  EXPECT_TRUE(is_exporter_name("audit_log-2"));
  EXPECT_TRUE(is_exporter_name(std::string(64, 'a')));
  EXPECT_FALSE(is_exporter_name(std::string(65, 'a')));
  EXPECT_FALSE(is_exporter_name(""));
  EXPECT_FALSE(is_exporter_name("../a"));
  EXPECT_FALSE(is_exporter_name("a.tmp"));
}

} // namespace gnomon::exporters
