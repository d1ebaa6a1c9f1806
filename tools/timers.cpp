#include "tools/timers.hpp"

#include "timers/timer_queries.hpp"
#include "tools/paged_list.hpp"

#include <ostream>

namespace gnomon::tools {

namespace {

using timers::timer_view;

timers::timer_filter filter_of(const timers_request& request, timestamp now) {
  timers::timer_filter filter;
  filter.target = request.target;
  if (request.overdue)
    filter.due_by = now;
  return filter;
}

json to_json(const timer_view& timer) {
  json object;
  object["key"] = key_as_json(timer.key);
  object["due"] = to_text(timer.due);
  object["occurrence"] = timer.occurrence;
  object["target"] = timer.target;
  object["name"] = timer.name;
  object["expression"] = timer.expression;
  object["zone"] = timer.zone;
  object["payload_bytes"] = timer.payload_bytes;
  object["caught_up"] = timer.caught_up;
  return object;
}

void print(const std::vector<timer_view>& found, timestamp now,
           std::ostream& out) {
  text_table table{
    {">KEY", "DUE", "", ">OCCURRENCE", "TARGET", "NAME", "EXPRESSION", "ZONE"}};
  for (const auto& timer : found)
    table.add({std::to_string(timer.key.value), to_text(timer.due),
               to_words(timer.due, now), std::to_string(timer.occurrence),
               printable(timer.target), printable(timer.name),
               printable(timer.expression), printable(timer.zone)});
  if (!table.empty())
    table.print(out);
}

} // namespace

int run_timers(const timers_request& request, const command_context& context) {
  paged_list list{request.which.as_json, "timers", context.out};
  const auto status
    = show_states(context, request.which, [&](const shown_state& state) {
        const auto filter = filter_of(request, state.now);
        const auto found = collect<timer_view>(
          request.limit, [&](key after, const timers::query_limits& limits) {
            auto page
              = timers::list_timers(*state.view.reader, after, filter, limits);
            return std::pair{std::move(page.timers), page.next_after};
          });
        list.add(state, found, to_json, print);
        return result<void>{};
      });
  list.end();
  return status;
}

} // namespace gnomon::tools
