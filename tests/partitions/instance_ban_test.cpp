#include "engine/scope_index.hpp"
#include "jobs/incident_queries.hpp"
#include "jobs/job_queries.hpp"
#include "tests/engine/probe_processor.hpp"
#include "tests/partitions/driven_partition.hpp"
#include "timers/timer_queries.hpp"

#include <chrono>
#include <filesystem>

using namespace gnomon;
using namespace std::chrono_literals;

namespace fs = std::filesystem;
namespace scope_index = gnomon::engine::scope_index;

namespace {

constexpr key poor{50};
constexpr key sound{51};

std::vector<std::unique_ptr<record_processor>> make_probe() {
  auto probe = std::make_unique<test::probe_processor>();
  probe->answer = processing_error::ban_instance;
  std::vector<std::unique_ptr<record_processor>> made;
  made.push_back(std::move(probe));
  return made;
}

/// A partition whose probe asks for a ban whenever a command fails.
class InstanceBan : public test::PartitionTest {
protected:
  InstanceBan() {
    partition.close();
    partition.options.processors = make_probe;
    partition.open();
  }

  /// Submits a command in an instance. @returns The number of its answer.
  template <class Command>
  std::uint64_t submit_in(key scope, const Command& what) {
    auto command = to_command(what);
    command.set_scope_key(scope.value);
    return partition.submit(command);
  }

  std::uint64_t submit_probe(key scope, const std::string& value) {
    v1::Command command;
    command.set_key(7);
    command.set_value_type(static_cast<std::uint32_t>(test::probe_type));
    command.set_intent(test::probe_run.value);
    command.set_scope_key(scope.value);
    command.set_value(value);
    return partition.submit(command);
  }

  /// Lets a follow-up in `scope` fail: a client's own command would not ban.
  void ban(key scope) {
    submit_probe(scope, "follow throw");
    partition.run();
  }

  create_timer timer_after(duration delay) const {
    return {.when = clock.wall() + delay, .target = "greet"};
  }

  /// Makes one job in each phase, in `scope`.
  void create_jobs(key scope) {
    const auto type = "work of " + std::to_string(scope.value);
    for (int i = 0; i < 4; ++i)
      submit_in(scope, create_job{.type = type});
    partition.core().subscribe({type, 3, 1h});
    partition.run();
    const auto pushed = partition.take_jobs();
    ASSERT_EQ(pushed.size(), 3u);
    partition.submit(fail_job{.key = {pushed[1].job.key()},
                              .activation = 1,
                              .back_off = duration{1min}});
    partition.submit(
      throw_error{.key = {pushed[2].job.key()}, .activation = 1, .code = "x"});
    partition.run();
  }

  std::vector<jobs::incident_view> incidents() {
    return jobs::list_incidents(**partition.core().view(), {}, {99, 99})
      .incidents;
  }

  std::size_t timers_waiting() {
    return timers::list_timers(**partition.core().view(), {}, {}, {999, 999})
      .timers.size();
  }

  std::size_t members_of(key scope) {
    return scope_index::members(**partition.core().view(), scope, {}, 999)
      .size();
  }
};

} // namespace

TEST_F(InstanceBan, TellsTheOperatorWhatHappened) {
  ban(poor);
  const auto all = incidents();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(partition.core().current_metrics().incidents(), 1u);
  EXPECT_EQ(all[0].incident.scope, poor);
  EXPECT_EQ(all[0].incident.created.cause(),
            v1::INCIDENT_CAUSE_INSTANCE_BANNED);
  EXPECT_EQ(all[0].incident.created.banned_key(), poor.value);
  EXPECT_NE(all[0].incident.created.message().find("poison"),
            std::string::npos);
  const auto request = partition.submit(resolve_incident{.key = all[0].key});
  partition.run();
  EXPECT_EQ(partition.answer_to(request).record_type, record_type::event);
  EXPECT_TRUE(incidents().empty());
  // The operator has seen it; the instance stays banned.
  const auto refused = submit_probe(poor, "x");
  partition.run();
  EXPECT_EQ(partition.answer_to(refused).rejection_type,
            rejection_type::invalid_state);
}

TEST_F(InstanceBan, DropsTimersAndJobsOfTheInstanceInEveryPhase) {
  submit_in(poor, timer_after(1h));
  create_jobs(poor);
  ASSERT_EQ(members_of(poor), 5u);
  ban(poor);
  const auto view = partition.core().view();
  EXPECT_EQ(members_of(poor), 0u);
  EXPECT_EQ((*view)->count(scope_index::family), 0u);
  EXPECT_EQ(timers_waiting(), 0u);
  EXPECT_EQ(jobs::count_jobs(**view, 999).jobs, 0u);
  EXPECT_EQ(due_index::count(**view), 0u);
  // That of the ban; the one of the job that threw is resolved.
  EXPECT_EQ(incidents().size(), 1u);
  EXPECT_FALSE(partition.core().next_due());
}

TEST_F(InstanceBan, LeavesOtherInstancesAlone) {
  submit_in(poor, timer_after(1h));
  submit_in(sound, timer_after(1h));
  partition.submit(timer_after(1h));
  partition.run();
  ban(poor);
  EXPECT_EQ(timers_waiting(), 2u);
  const auto request = submit_probe(sound, "x");
  clock.advance(1h);
  partition.run();
  EXPECT_EQ(partition.answer_to(request).record_type, record_type::event);
  EXPECT_EQ(timers_waiting(), 0u);
  const auto view = partition.core().view();
  EXPECT_EQ(jobs::count_jobs(**view, 999).available_by_type.at("greet"), 2u);
}

TEST_F(InstanceBan, DropsMoreThanOneCommandCan) {
  for (int i = 0; i < 250; ++i) {
    submit_in(poor, timer_after(1h));
    submit_in(sound, timer_after(1h));
  }
  partition.run();
  ban(poor);
  EXPECT_EQ(members_of(poor), 0u);
  EXPECT_EQ(members_of(sound), 250u);
  EXPECT_EQ(timers_waiting(), 250u);
  EXPECT_EQ(incidents().size(), 1u);
}

TEST_F(InstanceBan, ReachesTheJobThatATimerOfTheInstanceMade) {
  submit_in(poor, timer_after(1s));
  partition.run();
  clock.advance(1s);
  partition.run();
  ASSERT_EQ(timers_waiting(), 0u);
  ASSERT_EQ(members_of(poor), 1u);
  ban(poor);
  EXPECT_EQ(jobs::count_jobs(**partition.core().view(), 999).jobs, 0u);
}

TEST_F(InstanceBan, IsReplayedWithAllThatFollowed) {
  submit_in(poor, timer_after(1h));
  submit_in(sound, timer_after(1h));
  create_jobs(poor);
  ban(poor);
  const auto state = partition.state_directory();
  partition.kill();
  test::driven_partition copy{clock, options_for("copy")};
  copy.options.processors = make_probe;
  fs::copy(partition.options.directory, copy.options.directory,
           fs::copy_options::recursive);
  fs::remove_all(copy.options.directory
                 / fs::relative(state, partition.options.directory));
  copy.open();
  partition.open();
  EXPECT_EQ(copy.content_hash(), partition.content_hash());
  EXPECT_EQ(members_of(sound), 1u);
  EXPECT_EQ(members_of(poor), 0u);
  EXPECT_EQ(incidents().size(), 1u);
  const auto refused = submit_probe(poor, "x");
  partition.run();
  EXPECT_EQ(partition.answer_to(refused).rejection_type,
            rejection_type::invalid_state);
}

TEST_F(InstanceBan, IsNotForAClientToPretend) {
  submit_in(sound, timer_after(1h));
  v1::Command command;
  command.set_key(sound.value);
  command.set_value_type(static_cast<std::uint32_t>(value_type::error));
  command.set_intent(v1::ERROR_INTENT_CLEAR);
  const auto request = partition.submit(command);
  partition.run();
  EXPECT_EQ(partition.answer_to(request).rejection_type,
            rejection_type::invalid_state);
  EXPECT_EQ(timers_waiting(), 1u);
}
