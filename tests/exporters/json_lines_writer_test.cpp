#include "tests/support/faulty_file_system.hpp"

#include <gtest/gtest.h>

#include "exporters/json_lines_writer.hpp"
#include "exporters/record_json.hpp"
#include <algorithm>

namespace gnomon::exporters {

namespace {

const storage::path directory = "/out";

v1::ExportBatch batch_of(std::uint64_t first, std::uint64_t last) {
  v1::ExportBatch batch;
  for (auto i = first; i <= last; ++i)
    batch.add_records()->set_position(i);
  return batch;
}

std::string line_of(std::uint64_t position) {
  v1::Record record;
  record.set_position(position);
  std::string line;
  append_json(record, line);
  return line + '\n';
}

std::string lines_of(std::uint64_t first, std::uint64_t last) {
  std::string lines;
  for (auto i = first; i <= last; ++i)
    lines += line_of(i);
  return lines;
}

class JsonLinesWriter : public ::testing::Test {
protected:
  void open(storage::file_system& files) {
    auto opened = json_lines_writer::open(files, options);
    ASSERT_TRUE(opened) << to_string(opened.error());
    writer = std::move(*opened);
  }

  std::string content(int number) const {
    return memory.content(
      directory / ("records-000000000" + std::to_string(number) + ".jsonl"));
  }

  test::memory_file_system memory;
  json_lines_options options{.directory = directory};
  std::unique_ptr<json_lines_writer> writer;
};

} // namespace

TEST_F(JsonLinesWriter, WritesALineForEachRecord) {
  open(memory);
  ASSERT_TRUE(writer->write(batch_of(1, 3)));
  ASSERT_TRUE(writer->write(batch_of(4, 4)));
  EXPECT_EQ(content(1), lines_of(1, 4));
  EXPECT_TRUE(memory.violations().empty());
}

TEST_F(JsonLinesWriter, RotatesBeforeALineThatDoesNotFit) {
  options.file_bytes_max = lines_of(1, 2).size();
  open(memory);
  ASSERT_TRUE(writer->write(batch_of(1, 2)));
  EXPECT_EQ(content(2), "");
  ASSERT_TRUE(writer->write(batch_of(3, 5)));
  EXPECT_EQ(content(1), lines_of(1, 2));
  EXPECT_EQ(content(2), lines_of(3, 4));
  EXPECT_EQ(content(3), lines_of(5, 5));
}

TEST_F(JsonLinesWriter, GivesALineThatIsTooLongAFileOfItsOwn) {
  options.file_bytes_max = line_of(1).size() - 1;
  open(memory);
  ASSERT_TRUE(writer->write(batch_of(1, 2)));
  EXPECT_EQ(content(1), line_of(1));
  EXPECT_EQ(content(2), line_of(2));
}

TEST_F(JsonLinesWriter, RemovesTheOldestFiles) {
  options.file_bytes_max = 1;
  options.files_max = 2;
  open(memory);
  ASSERT_TRUE(writer->write(batch_of(1, 4)));
  EXPECT_EQ(*memory.list(directory),
            (std::vector<std::string>{"records-0000000003.jsonl",
                                      "records-0000000004.jsonl"}));
}

TEST_F(JsonLinesWriter, GoesOnInTheNewestFile) {
  open(memory);
  ASSERT_TRUE(writer->write(batch_of(1, 2)));
  open(memory);
  ASSERT_TRUE(writer->write(batch_of(3, 3)));
  EXPECT_EQ(content(1), lines_of(1, 3));
}

TEST_F(JsonLinesWriter, CutsATornLineOff) {
  ASSERT_TRUE(memory.create_directories(directory));
  for (const std::string torn : {"{\"pos", ""}) {
    memory.overwrite(directory / "records-0000000001.jsonl",
                     lines_of(1, 2) + torn);
    open(memory);
    ASSERT_TRUE(writer->write(batch_of(3, 3)));
    EXPECT_EQ(content(1), lines_of(1, 3));
  }
}

TEST_F(JsonLinesWriter, HasWhatItAcknowledgedAfterACrashAnywhere) {
  options.file_bytes_max = lines_of(1, 3).size();
  options.files_max = 0;
  for (const auto& kept : test::all_survivors())
    for (std::uint64_t call = 1;; ++call) {
      test::memory_file_system disk;
      test::faulty_file_system faulty{disk};
      faulty.inject({test::fault::kind::crash, call});
      std::uint64_t acknowledged = 0;
      if (auto opened = json_lines_writer::open(faulty, options)) {
        for (std::uint64_t i = 1; i < 9; i += 2)
          if ((*opened)->write(batch_of(i, i + 1)))
            acknowledged = i + 1;
          else
            break;
      }
      const auto has_struck = faulty.has_struck();
      faulty.restart(kept);
      // What was not acknowledged comes again, behind what is there.
      auto opened = json_lines_writer::open(faulty, options);
      ASSERT_TRUE(opened);
      ASSERT_TRUE((*opened)->write(batch_of(acknowledged + 1, 10)));
      std::string all;
      const auto names = disk.list(directory);
      for (const auto& name : *names)
        all += disk.content(directory / name);
      for (std::uint64_t i = 1; i <= 10; ++i)
        ASSERT_NE(all.find(line_of(i)), std::string::npos) << i << all;
      if (!has_struck)
        break;
    }
}

} // namespace gnomon::exporters
