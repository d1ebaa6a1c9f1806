#include "exporters/json_lines_writer.hpp"

#include "gnomon/check.hpp"

#include "exporters/record_json.hpp"
#include <algorithm>
#include <charconv>
#include <optional>

namespace gnomon::exporters {

namespace {

constexpr std::string_view suffix = ".jsonl";
constexpr std::size_t number_digits = 10;
constexpr std::size_t look_back_bytes = 64 << 10;

std::optional<std::uint64_t> number_of(std::string_view name,
                                       const std::string& prefix) {
  if (!name.starts_with(prefix + "-") || !name.ends_with(suffix))
    return std::nullopt;
  const auto digits = name.substr(prefix.size() + 1, name.size() - prefix.size()
                                                       - 1 - suffix.size());
  std::uint64_t number = 0;
  const auto end = digits.data() + digits.size();
  const auto [at, code] = std::from_chars(digits.data(), end, number);
  if (digits.size() < number_digits || code != std::errc{} || at != end)
    return std::nullopt;
  return number;
}

} // namespace

json_lines_writer::json_lines_writer(storage::file_system& files,
                                     json_lines_options options)
  : files_(files), options_(std::move(options)) {
  // nop
}

result<std::unique_ptr<json_lines_writer>>
json_lines_writer::open(storage::file_system& files,
                        json_lines_options options) {
  if (options.prefix.empty() || options.file_bytes_max == 0)
    return {errc::invalid_argument,
            "open JSON lines: expected a prefix and a size of files above 0"};
  std::unique_ptr<json_lines_writer> opened{
    new json_lines_writer{files, std::move(options)}};
  if (auto done = opened->resume(); !done)
    return done.error();
  return opened;
}

result<void> json_lines_writer::resume() {
  const auto& where = options_.directory;
  if (auto done = files_.create_directories(where); !done)
    return done;
  if (auto done = files_.sync_directory(where.parent_path()); !done)
    return done;
  auto names = files_.list(where);
  if (!names)
    return names.error();
  for (const auto& name : *names)
    if (const auto number = number_of(name, options_.prefix))
      numbers_.push_back(*number);
  std::ranges::sort(numbers_);
  if (numbers_.empty())
    return begin_file();
  auto opened
    = files_.open(name_of(numbers_.back()), storage::open_mode::existing);
  if (!opened)
    return opened.error();
  file_ = std::move(*opened);
  return cut_torn_line();
}

result<void> json_lines_writer::cut_torn_line() {
  auto size = file_->size();
  if (!size)
    return size.error();
  for (size_ = *size; size_ > 0;) {
    const auto from = size_ - std::min<std::uint64_t>(size_, look_back_bytes);
    auto part = file_->read(from, static_cast<std::size_t>(size_ - from));
    if (!part)
      return part.error();
    const auto end = part->rfind('\n');
    size_ = end == bytes::npos ? from : from + end + 1;
    if (end != bytes::npos)
      break;
  }
  if (size_ == *size)
    return {};
  if (auto done = file_->truncate(size_); !done)
    return done;
  return file_->sync();
}

result<void> json_lines_writer::write(const v1::ExportBatch& batch) {
  GNOMON_CHECK(file_ != nullptr);
  lines_.clear();
  std::string line;
  for (const auto& record : batch.records()) {
    line.clear();
    append_json(record, line);
    line += '\n';
    const auto before = size_ + lines_.size();
    if (before > 0 && before + line.size() > options_.file_bytes_max)
      if (auto done = rotate(); !done)
        return done;
    lines_ += line;
  }
  return flush();
}

result<void> json_lines_writer::flush() {
  if (lines_.empty())
    return {};
  if (auto done = file_->write(size_, lines_); !done)
    return done;
  size_ += lines_.size();
  lines_.clear();
  return file_->sync();
}

result<void> json_lines_writer::rotate() {
  if (auto done = flush(); !done)
    return done;
  if (auto done = begin_file(); !done)
    return done;
  return drop_oldest();
}

result<void> json_lines_writer::begin_file() {
  const auto number = numbers_.empty() ? 1 : numbers_.back() + 1;
  auto created = files_.open(name_of(number), storage::open_mode::create_new);
  if (!created)
    return created.error();
  file_ = std::move(*created);
  size_ = 0;
  numbers_.push_back(number);
  return files_.sync_directory(options_.directory);
}

result<void> json_lines_writer::drop_oldest() {
  if (options_.files_max == 0)
    return {};
  while (numbers_.size() > options_.files_max) {
    if (auto done = files_.remove(name_of(numbers_.front())); !done)
      return done;
    numbers_.erase(numbers_.begin());
  }
  return files_.sync_directory(options_.directory);
}

storage::path json_lines_writer::name_of(std::uint64_t number) const {
  auto digits = std::to_string(number);
  if (digits.size() < number_digits)
    digits.insert(0, number_digits - digits.size(), '0');
  return options_.directory
         / (options_.prefix + '-' + digits + std::string{suffix});
}

} // namespace gnomon::exporters
