#include "tests/tools/tool_fixture.hpp"

#include <archive.h>
#include <archive_entry.h>

using namespace gnomon;
using namespace gnomon::test;

namespace fs = std::filesystem;

namespace {

/// What somebody puts into an archive.
struct planted {
  std::string name;
  std::string content = "content";
  mode_t type = AE_IFREG;
  std::string link = {};
};

void write_archive(const std::string& name, const std::vector<planted>& all,
                   bool compressed = false) {
  auto* to = archive_write_new();
  archive_write_set_format_pax_restricted(to);
  if (compressed)
    archive_write_add_filter_gzip(to);
  ASSERT_EQ(archive_write_open_filename(to, name.c_str()), ARCHIVE_OK);
  for (const auto& each : all) {
    auto* entry = archive_entry_new();
    archive_entry_set_pathname(entry, each.name.c_str());
    archive_entry_set_filetype(entry, each.type);
    archive_entry_set_perm(entry, 0644);
    if (each.type == AE_IFLNK)
      archive_entry_set_symlink(entry, each.link.c_str());
    else if (!each.link.empty())
      archive_entry_set_hardlink(entry, each.link.c_str());
    else
      archive_entry_set_size(entry,
                             static_cast<la_int64_t>(each.content.size()));
    archive_write_header(to, entry);
    if (each.link.empty())
      archive_write_data(to, each.content.data(), each.content.size());
    archive_entry_free(entry);
  }
  archive_write_free(to);
}

class HostileArchive : public ToolTest {
protected:
  /// Expects that restoring is refused for `reason`, and writes nothing.
  void expect_refused(const std::vector<planted>& all,
                      const std::string& reason, bool compressed = false) {
    const auto name = (root / "hostile.tar").string();
    const auto target = root / "deep" / "restored";
    fs::create_directories(root / "deep");
    write_archive(name, all, compressed);
    const auto outcome = run_program({"restore", name, target.string()});
    EXPECT_EQ(outcome.status, 12) << outcome.errors;
    EXPECT_NE(outcome.errors.find(reason), std::string::npos) << outcome.errors;
    EXPECT_FALSE(fs::exists(target));
    EXPECT_TRUE(fs::is_empty(root / "deep"));
    EXPECT_FALSE(fs::exists(root / "escaped"));
  }
};

constexpr auto bad_name = "a name that no backup has";

TEST_F(HostileArchive, CannotWriteElsewhere) {
  for (const std::string name :
       {"../escaped", "../../escaped", "/tmp/escaped", "./FORMAT",
        "partition-00001/../../escaped", "partition-00001/log/../../escaped",
        "partition-00001/log/0000000000000000001.log",
        "partition-00000/IDENTITY", "partition-99999/IDENTITY",
        "partition-00001/stamp", "partition-00001/state/data.mdb",
        "partition-00001/LOCK",
        "partition-00001/snapshots/00000000000000000001/data.mdb/x", ""})
    if (!name.empty())
      expect_refused({{name}}, bad_name);
}

TEST_F(HostileArchive, CannotHaveLinksOrDevices) {
  expect_refused({{"FORMAT", "", AE_IFLNK, "/etc/passwd"}}, "no plain file");
  expect_refused(
    {{"FORMAT"}, {"partition-00001/IDENTITY", "", AE_IFREG, "FORMAT"}},
    "no plain file");
  expect_refused({{"FORMAT", "", AE_IFDIR}}, "no plain file");
  expect_refused({{"FORMAT", "", AE_IFIFO}}, "no plain file");
}

TEST_F(HostileArchive, CannotHaveANameTwice) {
  expect_refused({{"FORMAT"}, {"FORMAT"}}, "twice");
}

TEST_F(HostileArchive, NeedsAManifestThatFits) {
  expect_refused({{"FORMAT"}}, "no manifest");
  expect_refused({{"FORMAT"}, {"MANIFEST", "nonsense"}}, "the manifest");
}

TEST_F(HostileArchive, CannotHaveAnythingBehindTheManifest) {
  expect_refused({{"MANIFEST", "nonsense"}, {"FORMAT"}}, "behind the manifest");
}

TEST_F(HostileArchive, CannotBeCompressed) {
  expect_refused({{"FORMAT", std::string(1 << 20, 'x')}}, "expected a backup",
                 true);
}

TEST_F(HostileArchive, CannotSayItIsLargerThanItIs) {
  const auto name = (root / "hostile.tar").string();
  write_archive(name, {{"FORMAT", std::string(600, 'x')}});
  fs::resize_file(name, 1024);
  const auto target = (root / "restored").string();
  EXPECT_EQ(run_program({"restore", name, target}).status, 12);
  EXPECT_FALSE(fs::exists(target));
}

TEST_F(HostileArchive, IsNoArchiveAtAll) {
  const auto target = (root / "restored").string();
  EXPECT_EQ(
    run_program({"restore", segments().front().string(), target}).status, 12);
  EXPECT_EQ(
    run_program({"restore", (root / "nothing").string(), target}).status, 2);
}

} // namespace
