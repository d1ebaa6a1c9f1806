// A process that is killed again and again, at moments that nobody has chosen.

#include "tests/actors/child_process.hpp"
#include "tests/actors/system_fixture.hpp"

#include <map>
#include <random>
#include <set>

using namespace gnomon;
using namespace std::chrono_literals;

namespace {

class KillLoop : public test::SystemTest {
protected:
  /// Runs the process until it has acknowledged `count` more timers, and kills
  /// it then and there.
  void run(std::size_t count) {
    const std::vector<std::string> command{GNOMON_TIMER_LOOP,
                                           directory.string()};
    test::child_process process{command};
    for (std::size_t i = 0; i < count; ++i)
      note(process.read_line());
    process.kill();
    // What it printed before its end was acknowledged, too.
    for (auto line = process.read_line(); !line.empty();
         line = process.read_line())
      note(line);
  }

  void note(const std::string& line) {
    // The last line may have been cut by the kill.
    if (line.empty() || line.back() != '.')
      return;
    EXPECT_TRUE(acknowledged.insert(std::stoull(line)).second) << line;
  }

  std::set<std::uint64_t> acknowledged;
};

/// Returns for each timer that has left a job how many it has left.
std::map<std::uint64_t, int> jobs_of(const caf::scoped_actor& self,
                                     const partition& from) {
  std::map<std::uint64_t, int> result;
  v1::Query question;
  question.mutable_list_jobs()->set_jobs_max(1'000);
  do {
    const auto answer = test::ask(self, from, question);
    for (const auto& job : answer.list_jobs().jobs())
      ++result[job.timer_key()];
    question.mutable_list_jobs()->set_after_key(
      answer.list_jobs().next_after_key());
  } while (question.list_jobs().after_key() != 0);
  return result;
}

std::uint64_t timers_waiting(const caf::scoped_actor& self,
                             const partition& at) {
  v1::Query question;
  question.mutable_waiting_room();
  return test::ask(self, at, question).waiting_room().timers();
}

} // namespace

TEST_F(KillLoop, LosesNoAcknowledgedTimerAndTriggersEachOnce) {
  std::mt19937 random{20'240'101};
  for (int kills = 0; kills < 30; ++kills)
    run(1 + random() % 40);
  ASSERT_GE(acknowledged.size(), 30u);
  test::configuration cfg;
  caf::actor_system system{cfg};
  const auto partition = spawn_partition(system, options());
  const caf::scoped_actor self{system};
  // Each was due at once; a few requests later none is left.
  for (int i = 0; i < 10'000 && timers_waiting(self, partition) > 0; ++i)
    continue;
  const auto jobs = jobs_of(self, partition);
  for (const auto& [timer, count] : jobs)
    EXPECT_EQ(count, 1) << "timer " << timer;
  for (auto timer : acknowledged)
    EXPECT_TRUE(jobs.contains(timer)) << "timer " << timer;
}
