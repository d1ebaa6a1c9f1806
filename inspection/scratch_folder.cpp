#include "inspection/scratch_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace gnomon::inspection {

result<scratch_folder> scratch_folder::create(const storage::path& parent) {
  std::error_code problem;
  const auto where
    = parent.empty() ? std::filesystem::temp_directory_path(problem) : parent;
  auto name = (where / "gnomon-XXXXXX").string();
  if (problem || ::mkdtemp(name.data()) == nullptr)
    return {errc::io_error, "create a folder in " + where.string() + ": "
                              + std::generic_category().message(
                                problem ? problem.value() : errno)};
  return scratch_folder{name};
}

scratch_folder::~scratch_folder() {
  std::error_code ignored;
  if (!location_.empty())
    std::filesystem::remove_all(location_, ignored);
}

} // namespace gnomon::inspection
