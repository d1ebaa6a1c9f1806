#include "tests/actors/actor_fixture.hpp"

namespace gnomon {

namespace {

using namespace std::chrono_literals;

class JobPoll : public actor_fixture {
protected:
  using job_list = std::vector<job>;

  void create(const std::string& type) {
    submit_one(to_command(create_job{.type = type, .payload = type}));
  }

  /// Spawns somebody who asks once, and keeps the answer in `answers`.
  caf::actor ask(std::uint32_t jobs_max, duration wait) {
    auto asker = sys.spawn(
      [this, jobs_max, wait, to = whom](caf::event_based_actor* self) {
        mail_as(self, make_activate_jobs("mail", jobs_max, wait, 10min))
          .request(to, caf::infinite)
          .then(
            [this](const activate_jobs_reply& reply) {
              answers.push_back(jobs_of(reply));
            },
            [this](const caf::error& why) {
              refusals.push_back(static_cast<errc>(why.code()));
            });
        return caf::behavior{[](const std::string&) {
          // Stays until it is killed.
        }};
      });
    dispatch_messages();
    // One that nobody knows would end at once.
    askers.push_back(asker);
    return asker;
  }

  void kill(const caf::actor& whom) {
    self_->send_exit(whom, caf::exit_reason::kill);
    dispatch_messages();
  }

  v1::JobCounts counts() {
    v1::Query question;
    question.mutable_count_jobs();
    return ask_query(question).count_jobs();
  }

  ~JobPoll() override {
    for (const auto& asker : askers)
      self_->send_exit(asker, caf::exit_reason::user_shutdown);
  }

  std::vector<caf::actor> askers;
  std::vector<job_list> answers;
  std::vector<errc> refusals;
};

} // namespace

TEST_F(JobPoll, IsAnsweredAtOnceWithTheOldestThatWait) {
  open();
  for (int i = 0; i < 3; ++i)
    create("mail");
  create("call");
  ask(2, 0s);
  ASSERT_EQ(answers.size(), 1u);
  ASSERT_EQ(answers[0].size(), 2u);
  EXPECT_LT(answers[0][0].key, answers[0][1].key);
  EXPECT_EQ(answers[0][0].payload, "mail");
  EXPECT_EQ(answers[0][0].activation, 1u);
  EXPECT_EQ(answers[0][0].retries, 3u);
  EXPECT_EQ(counts().available(), 2u);
  EXPECT_EQ(counts().activated(), 2u);
}

TEST_F(JobPoll, WaitsForTheFirstJob) {
  open();
  ask(9, 1min);
  advance(59s);
  EXPECT_TRUE(answers.empty());
  create("call");
  EXPECT_TRUE(answers.empty());
  create("mail");
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_EQ(answers[0].size(), 1u);
  // It was one question, not a subscription.
  create("mail");
  advance(1min);
  EXPECT_EQ(answers.size(), 1u);
  EXPECT_EQ(counts().available(), 2u);
}

TEST_F(JobPoll, IsAnsweredWithNothingOnceItsWaitIsOver) {
  open();
  ask(1, 30s);
  advance(30s - 1ms);
  EXPECT_TRUE(answers.empty());
  advance(1ms);
  ASSERT_EQ(answers.size(), 1u);
  EXPECT_TRUE(answers[0].empty());
  create("mail");
  EXPECT_EQ(counts().available(), 1u);
  EXPECT_EQ(status().workers(), 0u);
}

TEST_F(JobPoll, LeavesTheJobsToWhoeverGotThem) {
  open();
  create("mail");
  ask(1, 0s);
  const auto got = answers.at(0).at(0);
  advance(9min);
  EXPECT_EQ(counts().activated(), 1u);
  const auto done
    = submit_one(to_command(complete_job{got.key, got.activation, {}}));
  EXPECT_EQ(done.outcome().record_type(), v1::RECORD_TYPE_EVENT);
}

TEST_F(JobPoll, GivesAJobBackAfterItsTime) {
  open();
  create("mail");
  ask(1, 0s);
  advance(10min);
  EXPECT_EQ(counts().available(), 1u);
}

TEST_F(JobPoll, GivesJobsBackAtOnceIfTheAskerDies) {
  open();
  create("mail");
  create("mail");
  const auto asker = ask(1, 0s);
  const auto other = ask(1, 0s);
  ASSERT_EQ(counts().activated(), 2u);
  kill(asker);
  EXPECT_EQ(counts().available(), 1u);
  EXPECT_EQ(counts().activated(), 1u);
  kill(other);
  EXPECT_EQ(counts().available(), 2u);
}

TEST_F(JobPoll, IsForgottenIfTheAskerDiesWhileItWaits) {
  open();
  const auto asker = ask(1, 1min);
  EXPECT_EQ(status().workers(), 1u);
  kill(asker);
  EXPECT_EQ(status().workers(), 0u);
  create("mail");
  EXPECT_EQ(counts().available(), 1u);
  advance(1min);
  EXPECT_EQ(status().phase(), v1::PHASE_PROCESSING);
}

TEST_F(JobPoll, TakesTurnsWithOthers) {
  open();
  ask(1, 1min);
  ask(1, 1min);
  create("mail");
  EXPECT_EQ(answers.size(), 1u);
  create("mail");
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_NE(answers[0].at(0).key, answers[1].at(0).key);
}

TEST_F(JobPoll, ChecksItsLimitsAtBothEnds) {
  open();
  create("mail");
  ask(0, 1s);
  ask(1, -1ms);
  ask(1, 60s + 1ms);
  EXPECT_EQ(refusals, (std::vector<errc>(3, errc::invalid_argument)));
  ask(1, 60s);
  EXPECT_EQ(answers.size(), 1u);
}

TEST_F(JobPoll, IsRefusedOnceThePartitionCloses) {
  open();
  ask(1, 1min);
  EXPECT_TRUE(control_with(v1::CONTROL_OPERATION_CLOSE));
  EXPECT_EQ(refusals, (std::vector<errc>{errc::unavailable}));
}

} // namespace gnomon
