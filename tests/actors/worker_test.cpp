#include "tests/actors/actor_fixture.hpp"

#include <map>
#include <numeric>
#include <set>
#include <stdexcept>

namespace gnomon {

namespace {

using namespace std::chrono_literals;

/// What a partition that a test plays has been asked.
struct played_partition {
  std::size_t requests = 0;
  std::vector<v1::Command> commands;
  std::vector<v1::SubscribeRequest> subscriptions;

  /// What the next answers say; once they are used up, all is well.
  std::vector<v1::Answer> answers;
  worker whom;
};

class Worker : public actor_fixture {
protected:
  caf::actor spawn_for(const std::string& type, worker_options with = {}) {
    auto made = spawn_worker(
      sys, whom, type,
      [this](const job& given) {
        calls.push_back(given.key);
        return work ? work(given) : bytes{"done"};
      },
      with);
    dispatch_messages();
    return made;
  }

  void create(const std::string& type, std::uint32_t retries = 0) {
    submit_one(to_command(create_job{.type = type, .retries = retries}));
    dispatch_messages();
  }

  v1::JobCounts counts() {
    v1::Query question;
    question.mutable_count_jobs();
    return ask_query(question).count_jobs();
  }

  v1::JobView only_job() {
    v1::Query question;
    question.mutable_list_jobs();
    return ask_query(question).list_jobs().jobs(0);
  }

  /// Puts an actor that the test plays in the place of the partition.
  void play() {
    whom = sys.spawn([this]() -> partition::behavior_type {
      return {
        [this](const submit& x) -> caf::result<submit_reply> {
          return on_submit(x);
        },
        [](const query&) -> caf::result<query_reply> { return query_reply{}; },
        [](const control&) -> caf::result<control_reply> {
          return control_reply{};
        },
        [this](const subscribe& x,
               const worker& from) -> caf::result<subscribe_reply> {
          v1::SubscribeRequest content;
          content.ParseFromString(x.content);
          played.subscriptions.push_back(content);
          played.whom = from;
          return subscribe_reply{};
        },
        [](const activate_jobs&) -> caf::result<activate_jobs_reply> {
          return activate_jobs_reply{};
        },
        [](const attach_exporter&, const exporter&)
          -> caf::result<attach_reply> { return attach_reply{}; },
      };
    });
  }

  submit_reply on_submit(const submit& x) {
    v1::SubmitRequest content;
    content.ParseFromString(x.content);
    ++played.requests;
    v1::SubmitReply reply;
    for (const auto& command : content.commands()) {
      played.commands.push_back(command);
      auto* answer = reply.add_answers();
      if (played.answers.empty())
        continue;
      *answer = played.answers.front();
      played.answers.erase(played.answers.begin());
    }
    return {{wire_version, reply.SerializeAsString()}};
  }

  void push(const std::vector<std::uint64_t>& keys) {
    v1::Jobs content;
    for (const auto about : keys) {
      auto* each = content.add_jobs();
      each->set_key(about);
      each->set_activation(1);
    }
    push_bytes(content.SerializeAsString());
    dispatch_messages();
  }

  void push_bytes(const bytes& content) {
    mail_as(self_.ptr(), job_push{{wire_version, content}}).send(played.whom);
  }

  /// Notes the end of `whom` in `has_ended`.
  void watch(const caf::actor& whom) {
    watcher = sys.spawn([this, whom](caf::event_based_actor* self) {
      on_down(self, whom, [this](const caf::actor_addr&, const caf::error&) {
        has_ended = true;
      });
      return caf::behavior{[](const std::string&) {
        // Waits for the end of the other one.
      }};
    });
    dispatch_messages();
  }

  ~Worker() override {
    if (watcher)
      self_->send_exit(watcher, caf::exit_reason::user_shutdown);
  }

  caf::actor watcher;
  bool has_ended = false;
  std::vector<key> calls;
  std::function<bytes(const job&)> work;
  played_partition played;
};

v1::Answer refusal(errc code) {
  v1::Answer result;
  result.set_error_code(static_cast<std::uint32_t>(code));
  result.set_error_context("the test says so");
  return result;
}

} // namespace

TEST_F(Worker, FailsAJobWithTheMessageOfItsException) {
  open();
  work = [](const job&) -> bytes {
    throw std::runtime_error("no answer");
  };
  spawn_for("mail", {.back_off = back_off{.initial = 1min}});
  create("mail", 2);
  EXPECT_EQ(calls.size(), 1u);
  EXPECT_EQ(only_job().phase(), v1::JOB_PHASE_BACKING_OFF);
  EXPECT_EQ(only_job().retries(), 1u);
  advance(1min - 1ms);
  EXPECT_EQ(calls.size(), 1u);
  advance(1ms);
  EXPECT_EQ(calls.size(), 2u);
  v1::Query question;
  question.mutable_list_incidents();
  const auto incidents = ask_query(question).list_incidents();
  ASSERT_EQ(incidents.incidents_size(), 1);
  EXPECT_EQ(incidents.incidents(0).created().message(), "no answer");
}

TEST_F(Worker, WorksAgainOnceItsIncidentIsResolved) {
  open();
  work = [this](const job&) -> bytes {
    if (calls.size() == 1)
      throw 1;
    return {};
  };
  spawn_for("mail");
  create("mail", 1);
  const auto failed = only_job();
  submit_one(to_command(update_job_retries{{failed.key()}, 1}));
  submit_one(to_command(resolve_incident{{failed.incident_key()}}));
  EXPECT_EQ(calls.size(), 2u);
  EXPECT_EQ(counts().jobs(), 0u);
}

TEST_F(Worker, LetsRunnersWorkOnSeveralJobs) {
  open();
  spawn_for("mail", {.capacity = 10, .concurrency = 4});
  for (int i = 0; i < 25; ++i)
    create("mail");
  EXPECT_EQ(calls.size(), 25u);
  EXPECT_EQ(std::set<key>(calls.begin(), calls.end()).size(), 25u);
  EXPECT_EQ(counts().jobs(), 0u);
}

TEST_F(Worker, AnswersSeveralJobsInOneRequest) {
  for (const std::uint32_t concurrency : {1u, 2u}) {
    played = {};
    play();
    spawn_for("mail", {.concurrency = concurrency});
    push({1, 2});
    EXPECT_EQ(played.commands.size(), 2u);
    EXPECT_EQ(played.requests, 1u);
  }
}

TEST_F(Worker, KeepsAnAnswerForNoMoreThanAMillisecond) {
  play();
  work = [&](const job&) {
    advance_time(500us);
    return bytes{};
  };
  spawn_for("mail");
  push({1, 2, 3, 4, 5});
  EXPECT_EQ(played.commands.size(), 5u);
  EXPECT_EQ(played.requests, 3u);
}

TEST_F(Worker, RepeatsOnlyTheAnswersThatWereRefused) {
  play();
  played.answers = {{}, refusal(errc::unavailable), {}};
  spawn_for("mail");
  push({1, 2, 3});
  ASSERT_EQ(played.commands.size(), 3u);
  advance(500ms);
  ASSERT_EQ(played.commands.size(), 4u);
  EXPECT_EQ(played.commands[3].key(), 2u);
  advance(1h);
  EXPECT_EQ(played.commands.size(), 4u);
}

TEST_F(Worker, SubmitsNoMoreThanAThousandAnswersAtOnce) {
  play();
  spawn_for("mail", {.concurrency = 2});
  std::vector<std::uint64_t> keys(1'001);
  std::iota(keys.begin(), keys.end(), 1);
  played.answers.assign(keys.size(), refusal(errc::unavailable));
  push(keys);
  EXPECT_EQ(played.commands.size(), keys.size());
  played.requests = 0;
  advance(500ms);
  EXPECT_EQ(played.commands.size(), 2 * keys.size());
  EXPECT_EQ(played.requests, 2u);
}

TEST_F(Worker, IgnoresAPushThatIsNoMessage) {
  play();
  spawn_for("mail");
  push_bytes("\xFF");
  dispatch_messages();
  push({7});
  EXPECT_EQ(calls, (std::vector<key>{{7}}));
}

TEST_F(Worker, MayAskForMoreTime) {
  work = [](const job& given) -> bytes {
    given.extend_timeout(1h);
    return {};
  };
  for (const std::uint32_t concurrency : {1u, 2u}) {
    played.commands.clear();
    play();
    spawn_for("mail", {.concurrency = concurrency});
    push({7});
    ASSERT_EQ(played.commands.size(), 2u);
    EXPECT_EQ(played.commands[0].intent(), v1::JOB_INTENT_UPDATE_TIMEOUT);
    EXPECT_EQ(played.commands[0].key(), 7u);
    EXPECT_EQ(played.commands[1].intent(), v1::JOB_INTENT_COMPLETE);
  }
}

TEST_F(Worker, RepeatsAnAnswerUntilThePartitionTakesIt) {
  play();
  played.answers
    = {refusal(errc::resource_exhausted), refusal(errc::unavailable)};
  spawn_for("mail");
  push({7});
  EXPECT_EQ(played.commands.size(), 1u);
  advance(500ms);
  EXPECT_EQ(played.commands.size(), 2u);
  advance(500ms);
  EXPECT_EQ(played.commands.size(), 3u);
  advance(1h);
  EXPECT_EQ(played.commands.size(), 3u);
  EXPECT_EQ(calls.size(), 1u);
}

TEST_F(Worker, FailsAJobWhoseResultIsRefused) {
  play();
  played.answers = {refusal(errc::exceeded_batch_size)};
  spawn_for("mail");
  push({7});
  ASSERT_EQ(played.commands.size(), 2u);
  EXPECT_EQ(played.commands[1].intent(), v1::JOB_INTENT_FAIL);
  v1::FailJob failure;
  ASSERT_TRUE(failure.ParseFromString(played.commands[1].value()));
  EXPECT_EQ(failure.activation(), 1u);
  EXPECT_NE(failure.message().find("the test says so"), std::string::npos);
}

TEST_F(Worker, ThatIsDrainedFinishesWhatItHasAndEnds) {
  play();
  played.answers = {refusal(errc::unavailable)};
  const auto drained = spawn_for("mail");
  watch(drained);
  push({7});
  drain_worker(sys, drained);
  dispatch_messages();
  ASSERT_EQ(played.subscriptions.size(), 2u);
  EXPECT_EQ(played.subscriptions[1].capacity(), 0u);
  // What comes late is left to others.
  push({8});
  EXPECT_EQ(calls, (std::vector<key>{{7}}));
  EXPECT_FALSE(has_ended);
  advance(500ms);
  EXPECT_EQ(played.commands.size(), 2u);
  EXPECT_TRUE(has_ended);
}

TEST_F(Worker, ThatIsDrainedLeavesTheRestToOthers) {
  open();
  const auto drained = spawn_for("mail");
  create("mail");
  drain_worker(sys, drained);
  dispatch_messages();
  EXPECT_EQ(status().workers(), 0u);
  create("mail");
  EXPECT_EQ(calls.size(), 1u);
  EXPECT_EQ(counts().available(), 1u);
  spawn_for("mail");
  EXPECT_EQ(calls.size(), 2u);
}

TEST_F(Worker, SharesWithOthersOfItsTypeAndOfOtherTypes) {
  open();
  std::map<int, int> served;
  EXPECT_TRUE(control_with(v1::CONTROL_OPERATION_PAUSE));
  for (int i = 0; i < 3; ++i) {
    spawn_worker(sys, whom, i < 2 ? "mail" : "call",
                 [&served, i](const job&) {
                   ++served[i];
                   return bytes{};
                 },
                 {.capacity = 1});
    dispatch_messages();
  }
  std::vector<v1::Command> wishes;
  for (int i = 0; i < 30; ++i)
    wishes.push_back(to_command(create_job{.type = i < 20 ? "mail" : "call"}));
  auto asked
    = mail_as(self_.ptr(), make_submit(wishes)).request(whom, caf::infinite);
  dispatch_messages();
  EXPECT_TRUE(control_with(v1::CONTROL_OPERATION_RESUME));
  std::move(asked).receive([](const submit_reply&) {},
                           [](const caf::error&) { ADD_FAILURE(); });
  EXPECT_EQ(served, (std::map<int, int>{{0, 10}, {1, 10}, {2, 10}}));
}

} // namespace gnomon
