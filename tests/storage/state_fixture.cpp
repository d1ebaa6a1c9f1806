#include "tests/storage/state_fixture.hpp"

#include "gnomon/check.hpp"
#include "storage/ports/bookkeeping.hpp"
#include "storage/state_content.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace gnomon::test {

namespace {

class failing_file final : public storage::file {
public:
  failing_file(failing_files& owner, std::unique_ptr<storage::file> impl)
    : owner_(owner), impl_(std::move(impl)) {
    // nop
  }

  result<bytes> read(std::uint64_t offset, std::size_t bytes_max) override {
    if (auto done = owner_.count(); !done)
      return done.error();
    return impl_->read(offset, bytes_max);
  }

  result<void> write(std::uint64_t offset, bytes_view content,
                     std::size_t* written) override {
    if (auto done = owner_.count(); !done)
      return done;
    return impl_->write(offset, content, written);
  }

  result<void> sync() override {
    if (auto done = owner_.count(); !done)
      return done;
    return impl_->sync();
  }

  result<void> allocate(std::uint64_t size) override {
    if (auto done = owner_.count(); !done)
      return done;
    return impl_->allocate(size);
  }

  result<void> truncate(std::uint64_t size) override {
    if (auto done = owner_.count(); !done)
      return done;
    return impl_->truncate(size);
  }

  result<std::uint64_t> size() override {
    if (auto done = owner_.count(); !done)
      return done.error();
    return impl_->size();
  }

  result<void> drop_cache(std::uint64_t offset) override {
    if (auto done = owner_.count(); !done)
      return done;
    return impl_->drop_cache(offset);
  }

private:
  failing_files& owner_;
  std::unique_ptr<storage::file> impl_;
};

} // namespace

temp_directory::temp_directory() {
  auto name
    = (std::filesystem::temp_directory_path() / "gnomon-XXXXXX").string();
  GNOMON_CHECK(::mkdtemp(name.data()) != nullptr);
  path_ = name;
}

temp_directory::~temp_directory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

bytes read_file(const storage::path& name) {
  std::ifstream from{name, std::ios::binary};
  return {std::istreambuf_iterator<char>{from}, {}};
}

void write_file(const storage::path& name, bytes_view content) {
  std::ofstream to{name, std::ios::binary | std::ios::trunc};
  to << content;
}

void flip_bit(const storage::path& name, std::size_t index) {
  // In place: some file systems flush a file that was cut to nothing.
  std::fstream both{name, std::ios::binary | std::ios::in | std::ios::out};
  char byte = 0;
  both.seekg(static_cast<std::streamoff>(index / 8)).get(byte);
  byte = static_cast<char>(byte ^ 1 << index % 8);
  both.seekp(static_cast<std::streamoff>(index / 8)).put(byte);
  GNOMON_CHECK(both.good());
}

std::string hexadecimal(bytes_view content) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (auto c : content) {
    if (!text.empty())
      text += ' ';
    text += digits[static_cast<unsigned char>(c) >> 4];
    text += digits[static_cast<unsigned char>(c) & 0xF];
  }
  return text;
}

result<void> commit(storage::state_store_port& state,
                    const std::vector<put>& entries) {
  auto txn = state.begin();
  if (!txn)
    return txn.error();
  for (const auto& [family, key, value] : entries)
    (*txn)->put(family, key, value);
  return (*txn)->commit();
}

result<void> commit_at(storage::state_store_port& state, std::uint64_t at,
                       const std::vector<put>& entries) {
  auto all = entries;
  const storage::state_bookkeeping standing{
    {at}, {at * 1000}, {at - 1}, at + 7, {static_cast<std::int64_t>(at) * 10}};
  all.push_back({storage::bookkeeping_family,
                 bytes{storage::bookkeeping::entry_key},
                 storage::bookkeeping::encode(standing)});
  return commit(state, all);
}

std::string text_of(storage::state_store& state) {
  auto view = state.reader();
  GNOMON_CHECK(static_cast<bool>(view));
  auto text = storage::content_text(**view);
  GNOMON_CHECK(static_cast<bool>(text));
  return *text;
}

void failing_files::fail_at(std::uint64_t call, kind what) {
  calls_ = 0;
  at_ = call;
  kind_ = what;
}

result<void> failing_files::count() {
  ++calls_;
  if (calls_ == at_ || (calls_ > at_ && kind_ == kind::crash))
    return {errc::io_error, "injected failure"};
  return {};
}

result<std::unique_ptr<storage::file>>
failing_files::open(const storage::path& name, storage::open_mode mode) {
  if (auto done = count(); !done)
    return done.error();
  auto opened = files_.open(name, mode);
  if (!opened)
    return opened;
  return std::unique_ptr<storage::file>{
    std::make_unique<failing_file>(*this, *std::move(opened))};
}

result<std::unique_ptr<storage::file_lock>>
failing_files::lock(const storage::path& name) {
  if (auto done = count(); !done)
    return done.error();
  return files_.lock(name);
}

result<void> failing_files::rename(const storage::path& from,
                                   const storage::path& to) {
  if (auto done = count(); !done)
    return done;
  return files_.rename(from, to);
}

result<void> failing_files::remove(const storage::path& name) {
  if (auto done = count(); !done)
    return done;
  return files_.remove(name);
}

result<void> failing_files::sync_directory(const storage::path& directory) {
  if (auto done = count(); !done)
    return done;
  return files_.sync_directory(directory);
}

result<void> failing_files::create_directories(const storage::path& directory) {
  if (auto done = count(); !done)
    return done;
  return files_.create_directories(directory);
}

result<void> failing_files::remove_all(const storage::path& directory) {
  if (auto done = count(); !done)
    return done;
  return files_.remove_all(directory);
}

result<std::vector<std::string>>
failing_files::list(const storage::path& directory) {
  if (auto done = count(); !done)
    return done.error();
  return files_.list(directory);
}

result<bool> failing_files::exists(const storage::path& name) {
  if (auto done = count(); !done)
    return done.error();
  return files_.exists(name);
}

result<storage::file_identity>
failing_files::identity(const storage::path& name) {
  if (auto done = count(); !done)
    return done.error();
  return files_.identity(name);
}

} // namespace gnomon::test
