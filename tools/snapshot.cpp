#include "tools/snapshot.hpp"

#include "inspection/snapshot_taking.hpp"
#include <ostream>

namespace gnomon::tools {

namespace {

error explained(error what) {
  if (what.code == errc::in_use)
    what.context += "; of a running partition, ask itself for a snapshot: send "
                    "it the control message CONTROL_OPERATION_SNAPSHOT";
  return what;
}

} // namespace

int run_snapshot(const partition_selection& request,
                 const command_context& context) {
  const auto folders = select(context, request);
  if (!folders)
    return fail(context, folders.error());
  int status = exit_success;
  json all = json::array();
  for (const auto& folder : *folders) {
    const auto taken = inspection::take_snapshot(context.files, folder);
    if (!taken) {
      const auto ended = fail(context, explained(taken.error()));
      if (status == exit_success)
        status = ended;
      continue;
    }
    if (request.as_json)
      all.push_back({{"partition", folder.id.value},
                     {"position", taken->at.value},
                     {"report", taken->report}});
    else
      context.out << "partition " << folder.id.value
                  << ": snapshot at position " << taken->at.value
                  << (taken->report.empty() ? "" : "\n  ")
                  << printable(taken->report) << '\n';
  }
  if (request.as_json)
    print_json({{"partitions", all}}, context.out);
  return status;
}

} // namespace gnomon::tools
