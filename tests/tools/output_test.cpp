#include "tools/exit_status.hpp"
#include "tools/output.hpp"
#include "tools/terminal_progress.hpp"

#include <gtest/gtest.h>

#include <sstream>

using namespace gnomon;
using namespace gnomon::tools;

namespace {

TEST(TextTable, AlignsColumnsOfAnyAlphabet) {
  text_table table{{"NAME", ">COUNT"}};
  table.add({"ä", "1"});
  table.add({"long name", "1000"});
  std::ostringstream out;
  table.print(out);
  EXPECT_EQ(out.str(), "NAME       COUNT\n"
                       "ä              1\n"
                       "long name   1000\n");
}

TEST(Words, NameTheTwoLargestUnits) {
  EXPECT_EQ(to_words(duration{0}), "0s");
  EXPECT_EQ(to_words(duration{250}), "250ms");
  EXPECT_EQ(to_words(duration{1'000}), "1s");
  EXPECT_EQ(to_words(duration{61'000}), "1m 1s");
  EXPECT_EQ(to_words(duration{3'600'000}), "1h");
  EXPECT_EQ(to_words(duration{86'400'000 + 2 * 3'600'000}), "1d 2h");
  EXPECT_EQ(to_words(duration{-61'000}), "-1m 1s");
  EXPECT_EQ(to_words(duration{std::numeric_limits<std::int64_t>::min()}),
            "-106751991167d 7h");
}

TEST(Words, SayWhetherItIsBehindOrAhead) {
  EXPECT_EQ(to_words(timestamp{2'000}, timestamp{1'000}), "in 1s");
  EXPECT_EQ(to_words(timestamp{1'000}, timestamp{2'000}), "1s ago");
}

TEST(Words, CountBytes) {
  EXPECT_EQ(bytes_in_words(0), "0 B");
  EXPECT_EQ(bytes_in_words(1023), "1023 B");
  EXPECT_EQ(bytes_in_words(1024), "1.0 KiB");
  EXPECT_EQ(bytes_in_words(64 << 20), "64.0 MiB");
}

TEST(Printable, ReplacesWhatATerminalObeys) {
  EXPECT_EQ(printable("a\x1b[2Jb\nc"), "a?[2Jb?c");
  EXPECT_EQ(printable("\xC2\x9B"
                      "2J"),
            "?2J");
  EXPECT_EQ(printable("grüß"), "grüß");
}

TEST(ProgressBar, GrowsFromNothingToAll) {
  EXPECT_EQ(draw_bar("replay", 0, 10).find('#'), std::string::npos);
  EXPECT_NE(draw_bar("replay", 5, 10).find(" 50 %"), std::string::npos);
  EXPECT_EQ(draw_bar("replay", 10, 10).find('-'), std::string::npos);
  EXPECT_NE(draw_bar("replay", 11, 10).find("100 %"), std::string::npos);
  EXPECT_NE(draw_bar("replay", 0, 0).find("  0 %"), std::string::npos);
}

TEST(ExitStatus, IsAnotherForEachKindOfDamage) {
  EXPECT_EQ(exit_status(inspection::damage::identity), 10);
  EXPECT_EQ(exit_status(inspection::damage::not_recoverable), 19);
  EXPECT_EQ(exit_status(errc::in_use), exit_in_use);
  EXPECT_EQ(exit_status(errc::io_error), exit_failure);
}

TEST(Json, ReplacesBytesThatAreNoText) {
  std::ostringstream out;
  print_json({{"name", "\xff"}}, out, true);
  EXPECT_TRUE(json::accept(out.str()));
}

} // namespace
