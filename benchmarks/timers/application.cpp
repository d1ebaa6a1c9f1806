#include "benchmarks/timers/application.hpp"

#include "gnomon/check.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <thread>

namespace gnomon::benchmarks {

namespace {

constexpr std::size_t commands_per_message = 100;

/// Keeps a window of messages under way. Runs on a thread of its own, or CAF
/// would run it and the partition in turns on the same one.
class submitter : public caf::event_based_actor {
public:
  submitter(caf::actor_config& cfg, partition to, std::vector<submit> messages,
            std::size_t window)
    : caf::event_based_actor(cfg), to_(std::move(to)),
      messages_(std::move(messages)), window_(window) {
    // nop
  }

  caf::behavior make_behavior() override {
    for (std::size_t i = 0; i < window_; ++i)
      next();
    return {};
  }

private:
  void next() {
    if (at_ == messages_.size())
      return;
    mail_as(this, std::move(messages_[at_++]))
      .request(to_, caf::infinite)
      .then(
        [this](const submit_reply& reply) {
          must_be_accepted(reply);
          next();
        },
        [](const caf::error& why) { give_up(to_string(why)); });
  }

  partition to_;
  std::vector<submit> messages_;
  std::size_t window_;
  std::size_t at_ = 0;
};

} // namespace

application::config::config() {
  load<module>();
}

application::application() : system_(config_), self_(system_) {
  // nop
}

void application::open(partition_options options) {
  partition_ = spawn_partition(system_, std::move(options));
}

void application::close() {
  mail_as(self_.ptr(), make_control(v1::CONTROL_OPERATION_CLOSE))
    .request(partition_, caf::infinite)
    .receive([](const control_reply&) {},
             [](const caf::error& why) { give_up(to_string(why)); });
  partition_ = nullptr;
}

v1::QueryReply application::ask(const v1::Query& question) {
  v1::QueryReply result;
  mail_as(self_.ptr(), make_query(question))
    .request(partition_, caf::infinite)
    .receive(
      [&](const query_reply& reply) {
        if (!result.ParseFromString(reply.content))
          give_up("a reply cannot be read");
      },
      [](const caf::error& why) { give_up(to_string(why)); });
  return result;
}

v1::Status application::status() {
  v1::Query question;
  question.mutable_status();
  return ask(question).status();
}

void application::wait_until_open() {
  while (status().phase() != v1::PHASE_PROCESSING)
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
}

key application::create(const create_timer& wanted) {
  key result;
  mail_as(self_.ptr(), make_submit(wanted))
    .request(partition_, caf::infinite)
    .receive(
      [&](const submit_reply& reply) {
        must_be_accepted(reply);
        v1::SubmitReply content;
        if (content.ParseFromString(reply.content))
          result = {content.answers(0).outcome().key()};
      },
      [](const caf::error& why) { give_up(to_string(why)); });
  GNOMON_CHECK(result.value != 0);
  return result;
}

void application::submit_all(std::vector<submit> messages, std::size_t window) {
  const auto client = system_.spawn<submitter, caf::detached>(
    partition_, std::move(messages), window);
  self_->wait_for(client);
}

create_timer plain_timer(timestamp due) {
  return {.when = due, .payload = bytes(payload_bytes, 'p')};
}

std::vector<submit> creations(std::size_t count, timestamp from,
                              duration within) {
  std::mt19937_64 random{2};
  const auto range = static_cast<std::uint64_t>(within.count()) + 1;
  std::vector<submit> result;
  std::vector<v1::Command> commands;
  for (std::size_t i = 0; i < count; ++i) {
    const duration later{static_cast<std::int64_t>(random() % range)};
    commands.push_back(to_command(plain_timer(from + later)));
    if (commands.size() < commands_per_message && i + 1 < count)
      continue;
    result.push_back(make_submit(commands));
    commands.clear();
  }
  return result;
}

void give_up(const std::string& why) {
  std::fprintf(stderr, "timers_benchmark: %s\n", why.c_str());
  std::_Exit(2);
}

void must_be_accepted(const submit_reply& reply) {
  v1::SubmitReply content;
  if (!content.ParseFromString(reply.content))
    give_up("a reply cannot be read");
  for (const auto& answer : content.answers())
    if (answer.error_code() != 0
        || answer.outcome().record_type() != v1::RECORD_TYPE_EVENT)
      give_up("a command was refused: " + answer.ShortDebugString());
}

double percentile(std::vector<double> values, double share) {
  GNOMON_CHECK(!values.empty());
  std::ranges::sort(values);
  const auto last = static_cast<double>(values.size() - 1);
  return values[static_cast<std::size_t>(last * share)];
}

} // namespace gnomon::benchmarks
