#include "tests/house/source_tree.hpp"

#include <algorithm>
#include <fstream>
#include <regex>

namespace gnomon::house {

namespace fs = std::filesystem;

namespace {

const char* const rooms[]
  = {"include", "messages",   "storage",    "engine",    "timers",
     "jobs",    "partitions", "actors",     "examples",  "benchmarks",
     "tests",   "tools",      "inspection", "exporters", "endpoint"};

source read(const fs::path& root, const fs::path& file) {
  source result;
  result.name = fs::relative(file, root).generic_string();
  result.room = result.name.substr(0, result.name.find('/'));
  std::ifstream in{file};
  for (std::string line; std::getline(in, line);)
    result.lines.push_back(line);
  return result;
}

} // namespace

bool source::is_header() const {
  return name.ends_with(".hpp");
}

std::vector<std::string> source::includes() const {
  static const std::regex form{R"(^#\s*include\s*["<]([^">]+)[">].*)"};
  std::vector<std::string> result;
  for (const auto& line : lines)
    if (std::smatch match; std::regex_match(line, match, form))
      result.push_back(match[1]);
  return result;
}

std::vector<source> all_sources() {
  const fs::path root{GNOMON_SOURCE_TREE};
  std::vector<source> result;
  for (const auto* room : rooms)
    for (const auto& entry : fs::recursive_directory_iterator{root / room})
      if (const auto type = entry.path().extension();
          type == ".hpp" || type == ".cpp")
        result.push_back(read(root, entry.path()));
  std::ranges::sort(result, {}, &source::name);
  return result;
}

std::vector<source> sources_of(const std::string& room) {
  auto result = all_sources();
  std::erase_if(result, [&](const source& x) { return x.room != room; });
  return result;
}

} // namespace gnomon::house
