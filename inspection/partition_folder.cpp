#include "inspection/partition_folder.hpp"

#include "storage/partition_directory.hpp"

#include <algorithm>
#include <string>
#include <system_error>

namespace gnomon::inspection {

namespace {

using storage::file_system;
using storage::path;

constexpr std::string_view prefix = "partition-";
constexpr std::size_t digits = 5;

error none_in(const path& directory, const std::string& found) {
  return {errc::not_found, "expected " + directory.string()
                             + " to be a folder with partition-00001 or "
                               "others, or a partition's own, but found "
                             + found};
}

/// Resolves what a name like "." hides.
path resolved(const path& directory) {
  std::error_code problem;
  auto found = std::filesystem::canonical(directory, problem);
  return problem ? directory : found;
}

} // namespace

std::optional<partition_id> parse_directory_name(std::string_view name) {
  if (!name.starts_with(prefix) || name.size() != prefix.size() + digits)
    return std::nullopt;
  std::uint32_t number = 0;
  for (const char c : name.substr(prefix.size())) {
    if (c < '0' || c > '9')
      return std::nullopt;
    number = number * 10 + static_cast<std::uint32_t>(c - '0');
  }
  if (number == 0 || number > partition_id::max)
    return std::nullopt;
  return partition_id{static_cast<std::uint16_t>(number)};
}

result<std::vector<partition_folder>>
find_partitions(file_system& files, const path& directory,
                std::optional<partition_id> only) {
  auto names = files.list(directory);
  if (!names)
    return none_in(directory, names.error().context);
  std::vector<partition_folder> found;
  const auto where = resolved(directory);
  const auto own = parse_directory_name(where.filename().string());
  if (own && std::ranges::find(*names, "log") != names->end())
    found.push_back({*own, where});
  for (const auto& name : *names)
    if (const auto id = parse_directory_name(name))
      found.push_back({*id, where / name});
  if (found.empty())
    return none_in(directory, "none of these");
  if (only)
    std::erase_if(found, [&](const auto& each) { return each.id != *only; });
  if (found.empty())
    return none_in(directory, "no partition " + std::to_string(only->value));
  return found;
}

result<storage::partition_identity> identify(file_system& files,
                                             const partition_folder& folder) {
  if (auto format = storage::check_directory_format(files, folder.root());
      !format)
    return format.error();
  auto found = storage::read_identity(files, folder.location / "IDENTITY");
  if (!found)
    return found;
  if (found->partition != folder.id)
    return {errc::wrong_identity,
            folder.location.string() + ": expected partition "
              + std::to_string(folder.id.value) + ", but IDENTITY says "
              + std::to_string(found->partition.value)};
  return found;
}

} // namespace gnomon::inspection
