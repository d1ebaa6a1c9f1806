#include "benchmarks/timers/application.hpp"
#include "benchmarks/timers/bare_storage.hpp"
#include "benchmarks/timers/figures.hpp"
#include "benchmarks/timers/paired.hpp"

#include <algorithm>
#include <thread>

namespace gnomon::benchmarks {

namespace {

constexpr std::size_t window = 40;
constexpr std::size_t commands_per_message = 100;
constexpr std::uint32_t jobs_per_request = 1000;

std::vector<submit> job_creations(std::size_t count) {
  std::vector<submit> result;
  const std::vector<v1::Command> commands(
    commands_per_message,
    to_command(
      create_job{.type = "work", .payload = bytes(payload_bytes, 'p')}));
  for (std::size_t i = 0; i < count; i += commands_per_message)
    result.push_back(make_submit(commands));
  return result;
}

std::uint64_t jobs_left(application& app) {
  v1::Query question;
  question.mutable_count_jobs()->set_visits_max(1);
  return app.ask(question).count_jobs().jobs();
}

/// Returns jobs per second: created, pushed, completed, all of it durable.
double run_cycle(const plan& what, std::size_t count) {
  const scratch_directory scratch{what.directory / "jobs"};
  application app;
  app.open({.directory = scratch.path()});
  app.wait_until_open();
  spawn_worker(app.system(), app.target(), "work",
               [](const job&) { return bytes{}; },
               {.capacity = 8'000, .detached = true});
  auto messages = job_creations(count);
  const auto start = steady::now();
  app.submit_all(std::move(messages), window);
  while (jobs_left(app) > 0)
    std::this_thread::sleep_for(duration{1});
  const auto rate = static_cast<double>(count) / seconds_since(start);
  app.close();
  return rate;
}

/// Takes all jobs and fails them, so that they come back at `due`.
void fail_until(application& app, timestamp due) {
  caf::scoped_actor self{app.system()};
  for (auto had_some = true; had_some;) {
    std::vector<v1::Command> failures;
    mail_as(self.ptr(),
            make_activate_jobs("work", jobs_per_request, duration{1}))
      .request(app.target(), caf::infinite)
      .receive(
        [&](const activate_jobs_reply& reply) {
          for (const auto& each : jobs_of(reply))
            failures.push_back(
              to_command(fail_job{.key = each.key,
                                  .activation = each.activation,
                                  .back_off = due - system_clock().wall()}));
        },
        [](const caf::error& why) { give_up(to_string(why)); });
    had_some = !failures.empty();
    app.submit_all({make_submit(failures)}, 1);
  }
}

/// Returns the longest wait of a client while `count` jobs come back.
double run_back_off(const plan& what, std::size_t count, duration patience) {
  const scratch_directory scratch{what.directory / "jobs"};
  application app;
  app.open({.directory = scratch.path()});
  app.wait_until_open();
  app.submit_all(job_creations(count), window);
  const auto due = system_clock().wall() + patience;
  fail_until(app, due);
  if (system_clock().wall() >= due)
    give_up("failing the jobs took too long");
  std::this_thread::sleep_for(due - system_clock().wall() - duration{200});
  auto waits = std::make_shared<series>();
  waits->count_max = count;
  const auto client = spawn_one_by_one<submit_reply>(
    app.system(), app.target(),
    [due] { return make_submit(plain_timer(due + spread)); }, waits);
  v1::Query question;
  question.mutable_count_jobs()->set_visits_max(1);
  while (app.ask(question).count_jobs().backing_off() > 0)
    std::this_thread::sleep_for(duration{5});
  waits->is_over = true;
  caf::scoped_actor {
    app.system()
    } -> wait_for(client);
  app.close();
  return percentile(waits->waits_ms, 1);
}

} // namespace

void measure_jobs(figure_table& table, const plan& what) {
  const auto count = what.timers() / 10;
  const auto bare = [&] {
    return run_bare_jobs(what.directory / "bare", count);
  };
  const auto reached = [&] {
    return run_cycle(what, count);
  };
  show_paired(table, "job cycle", 9, bare, reached, 40);
  const duration patience{2'000 + what.timers() / 25};
  table.at_most(what.timers_name()
                  + " jobs back at once: longest wait of a client",
                run_back_off(what, what.timers(), patience), 100, "ms");
}

} // namespace gnomon::benchmarks
