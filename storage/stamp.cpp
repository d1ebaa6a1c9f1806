#include "storage/stamp.hpp"

#include "gnomon/check.hpp"
#include "storage/checked_file.hpp"
#include "storage/ports/little_endian.hpp"

namespace gnomon::storage {

namespace {

constexpr checked_file_format format{"GNMSTAMP", 1};

constexpr std::uint32_t clean_bit = 1;
constexpr std::uint32_t distrusted_bit = 2;

int digit_value(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return -1;
}

std::optional<stamp> decode(bytes_view body) {
  little_endian_reader from{body};
  stamp found;
  found.log.value = from.read<std::uint64_t>();
  const auto boot = from.read_bytes(found.boot.value.size());
  std::copy(boot.begin(), boot.end(), found.boot.value.begin());
  const auto flags = from.read<std::uint32_t>();
  found.clean = (flags & clean_bit) != 0;
  found.distrusted = (flags & distrusted_bit) != 0;
  found.state_file.device = from.read<std::uint64_t>();
  found.state_file.inode = from.read<std::uint64_t>();
  found.durable.value = from.read<std::uint64_t>();
  if (!from.complete())
    return std::nullopt;
  return found;
}

} // namespace

std::optional<boot_id> parse_boot_id(std::string_view text) {
  boot_id parsed;
  std::size_t digits = 0;
  for (auto c : text) {
    if (c == '-')
      continue;
    const auto value = digit_value(c);
    if (value < 0 || digits == 2 * parsed.value.size())
      return std::nullopt;
    auto& byte = parsed.value[digits++ / 2];
    byte = static_cast<std::uint8_t>(byte << 4 | value);
  }
  if (digits != 2 * parsed.value.size())
    return std::nullopt;
  return parsed;
}

result<boot_id> current_boot_id(file_system& files) {
  constexpr std::size_t text_bytes_max = 64;
  auto opened = files.open(boot_id_file, open_mode::read_only);
  if (!opened)
    return opened.error();
  auto text = (*opened)->read(0, text_bytes_max);
  if (!text)
    return text.error();
  auto parsed = parse_boot_id(text->substr(0, text->find('\n')));
  if (!parsed)
    return {errc::io_error, std::string{"read "} + boot_id_file
                              + ": expected 32 hexadecimal digits"};
  return *parsed;
}

bytes encode(const stamp& source) {
  bytes body;
  append_little_endian(body, source.log.value);
  body.append(source.boot.value.begin(), source.boot.value.end());
  append_little_endian(body, (source.clean ? clean_bit : 0)
                               | (source.distrusted ? distrusted_bit : 0));
  append_little_endian(body, source.state_file.device);
  append_little_endian(body, source.state_file.inode);
  append_little_endian(body, source.durable.value);
  return body;
}

result<void> write_stamp(file_system& files, const path& name,
                         const stamp& content) {
  GNOMON_CHECK(!(content.clean && content.distrusted));
  return write_checked(files, name, format, encode(content));
}

result<std::optional<stamp>> read_stamp(file_system& files, const path& name) {
  auto body = read_checked(files, name, format);
  if (body)
    return decode(*body);
  const auto code = body.error().code;
  if (code == errc::not_found || code == errc::corrupted)
    return std::optional<stamp>{};
  return body.error();
}

result<void> distrust(file_system& files, const path& name) {
  auto found = read_stamp(files, name);
  if (found && !*found)
    return {};
  if (found) {
    auto marked = **found;
    marked.clean = false;
    marked.distrusted = true;
    if (write_stamp(files, name, marked))
      return {};
  }
  if (auto removed = files.remove(name); !removed)
    return removed;
  return files.sync_directory(name.parent_path());
}

std::string to_string(distrust_reason reason) {
  switch (reason) {
  case distrust_reason::none:
    return "none";
  case distrust_reason::no_stamp:
    return "no_stamp";
  case distrust_reason::other_log:
    return "other_log";
  case distrust_reason::other_file:
    return "other_file";
  case distrust_reason::marked:
    return "marked";
  case distrust_reason::other_boot:
    return "other_boot";
  }
  return "unknown";
}

distrust_reason judge(const std::optional<stamp>& found, log_id log,
                      const boot_id& boot,
                      const std::optional<file_identity>& state_file) {
  if (!found)
    return distrust_reason::no_stamp;
  if (found->log != log)
    return distrust_reason::other_log;
  if (!state_file || found->state_file != *state_file)
    return distrust_reason::other_file;
  if (found->distrusted)
    return distrust_reason::marked;
  if (!found->clean && found->boot != boot)
    return distrust_reason::other_boot;
  return distrust_reason::none;
}

} // namespace gnomon::storage
