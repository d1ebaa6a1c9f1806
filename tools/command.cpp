#include "tools/command.hpp"

#include <algorithm>
#include <ostream>

namespace gnomon::tools {

using inspection::partition_folder;
using inspection::state_source;

int fail(const command_context& context, const error& what) {
  context.watcher.end();
  context.errors << "gnomon: " << printable(to_string(what)) << '\n';
  return exit_status(what.code);
}

result<std::vector<partition_folder>>
select(const command_context& context, const partition_selection& wanted) {
  std::optional<partition_id> only;
  if (wanted.partition != 0)
    only = partition_id{wanted.partition};
  return inspection::find_partitions(context.files, wanted.directory, only);
}

namespace {

result<void> show_state(const command_context& context,
                        const partition_folder& folder,
                        const partition_selection& wanted,
                        const state_visitor_function& visitor) {
  const auto identity = inspection::identify(context.files, folder);
  if (!identity)
    return identity.error();
  auto source = state_source::open(context.files, folder, identity->log,
                                   wanted.scratch, context.watcher);
  context.watcher.end();
  if (!source)
    return source.error();
  const auto view = source->view();
  if (!view)
    return view.error();
  auto done = visitor({folder, *identity, *view,
                       std::max(view->book.partition_time, context.time.wall()),
                       source->rebuilt_because(), source->lacking()});
  if (done && view->reader->failure())
    return *view->reader->failure();
  return done;
}

} // namespace

int show_states(const command_context& context,
                const partition_selection& wanted,
                const state_visitor_function& visitor) {
  const auto folders = select(context, wanted);
  if (!folders)
    return fail(context, folders.error());
  int status = exit_success;
  for (const auto& folder : *folders) {
    const auto shown = show_state(context, folder, wanted, visitor);
    if (shown)
      continue;
    // What a folder holds is no bad input.
    auto ended = fail(context, shown.error());
    if (ended == exit_bad_input)
      ended = exit_failure;
    if (status == exit_success)
      status = ended;
  }
  return status;
}

std::string heading(const shown_state& state) {
  auto text = "partition " + std::to_string(state.identity.partition.value)
              + " as of position "
              + std::to_string(state.view.book.last_applied.value)
              + ", which may precede its durability";
  if (!state.rebuilt_because.empty())
    text += "\n  the state was made anew from snapshot and log, since "
            + state.rebuilt_because;
  if (!state.lacking.empty())
    text += "\n  without " + state.lacking;
  return text + "\n";
}

json heading_as_json(const shown_state& state) {
  json object;
  object["partition"] = state.identity.partition.value;
  object["position"] = state.view.book.last_applied.value;
  object["may_precede_durability"] = true;
  if (!state.rebuilt_because.empty())
    object["rebuilt_because"] = state.rebuilt_because;
  if (!state.lacking.empty())
    object["lacking"] = state.lacking;
  return object;
}

} // namespace gnomon::tools
