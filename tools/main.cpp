#include "gnomon/clock.hpp"
#include "tools/next.hpp"

#include <CLI/CLI.hpp>

#include <iostream>

namespace {

using gnomon::tools::next_request;

constexpr auto next_footer = R"(Expressions:
  2024-01-31T10:00:00+01:00[Europe/Berlin]     a date
  PT1H  P1M  P1DT12H                           an ISO 8601 duration
  3d  1h30m  250ms                             a short duration
  R5/2024-01-31T10:00:00Z/P1M                  a repeating interval
  "0 30 2 * * MON-FRI"  @daily                 cron, seconds first

Exit status: 0, or 2 if the expression is not understood.)";

void add_next(CLI::App& app, next_request& request) {
  auto* next = app.add_subcommand("next", "Print when an expression is due");
  next->add_option("expression", request.expression, "What to look at")
    ->required();
  next
    ->add_option("--zone", request.zone,
                 "Zone of expressions that name none, or an offset")
    ->capture_default_str();
  next->add_option("--from", request.from,
                   "RFC 3339 date to start at (default: now)");
  next->add_flag("--cron5", request.cron_five_fields,
                 "Read cron with five fields, minutes first");
  next->add_option("-n", request.count, "How many due dates to print")
    ->check(CLI::Range(1, 1'000'000))
    ->capture_default_str();
  next->footer(next_footer);
}

} // namespace

int main(int argc, char** argv) {
  CLI::App app{"Looks at durable timers and what they are made of.", "gnomon"};
  app.set_version_flag("--version", std::string{"gnomon "} + GNOMON_VERSION);
  app.require_subcommand(1);
  next_request request;
  add_next(app, request);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& what) {
    return app.exit(what) == 0 ? gnomon::tools::exit_success
                               : gnomon::tools::exit_bad_input;
  }
  return gnomon::tools::run_next(request, gnomon::system_clock().wall(),
                                 std::cout, std::cerr);
}
