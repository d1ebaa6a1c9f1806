#include "tools/backup.hpp"

#include <ostream>

namespace gnomon::tools {

int run_backup(const backup_request& request, const command_context& context) {
  const auto folders = select(context, request.which);
  if (!folders)
    return fail(context, folders.error());
  const auto copied = inspection::back_up(context.files, *folders, request.file,
                                          context.watcher);
  if (!copied)
    return fail(context, copied.error());
  print(*copied, request.which.as_json, context.out);
  return exit_success;
}

void print(const std::vector<inspection::partition_backup>& all, bool as_json,
           std::ostream& out) {
  json partitions = json::array();
  for (const auto& each : all) {
    if (as_json)
      partitions.push_back({{"partition", each.id.value},
                            {"snapshot", each.snapshot.value},
                            {"position", each.last.value},
                            {"may_precede_durability", true},
                            {"segments", each.segments}});
    else
      out << "partition " << each.id.value << " up to position "
          << each.last.value << ", which may precede its durability there: "
          << (each.snapshot
                ? "snapshot " + std::to_string(each.snapshot.value) + " and "
                : std::string{"the whole log, "})
          << each.segments
          << (each.segments == 1 ? " segment\n" : " segments\n");
  }
  if (as_json)
    print_json({{"partitions", partitions}}, out);
}

} // namespace gnomon::tools
