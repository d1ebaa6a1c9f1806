// Receivers with names, a sender, and a client that notes its answers.

#pragma once

#include "gnomon/durable_send.hpp"
#include "tests/actors/actor_fixture.hpp"

#include <map>

namespace gnomon {

class durable_send_fixture : public actor_fixture {
protected:
  using outcome = result<scheduled_send>;
  using texts = std::vector<std::string>;

  ~durable_send_fixture() override {
    for (const auto& [name, whom] : known) {
      EXPECT_TRUE(register_receiver(sys, name, nullptr));
      caf::anon_send_exit(whom, caf::exit_reason::user_shutdown);
    }
    known.clear();
    dispatch_messages();
  }

  void know(const std::string& name, caf::actor whom) {
    ASSERT_TRUE(register_receiver(sys, name, whom));
    known[name] = std::move(whom);
    dispatch_messages();
  }

  /// Makes a receiver known that notes texts and answers with what it got.
  void know_noting(const std::string& name) {
    know(name, sys.spawn([this]() -> caf::behavior {
      return {
        [this](const std::string& text) {
          received.push_back(text);
          return text;
        },
        [this](const durable_delivery& which, const std::string& text) {
          deliveries.push_back(which);
          received.push_back(text);
        },
      };
    }));
  }

  /// Makes a receiver known that fails `times` times before it notes texts.
  void know_failing(const std::string& name, std::size_t times) {
    know(name, sys.spawn([this, times]() -> caf::behavior {
      return {
        [this, times](const std::string& text) -> caf::result<void> {
          if (++attempts <= times)
            return caf::make_error(caf::sec::runtime_error, "not today");
          received.push_back(text);
          return caf::unit;
        },
      };
    }));
  }

  /// Runs `call(self, done)` in a client.
  template <class Call>
  outcome ask(Call call) {
    std::optional<outcome> answer;
    sys.spawn([&](caf::event_based_actor* self) {
      call(self, [&](outcome found) { answer.emplace(std::move(found)); });
    });
    dispatch_messages();
    if (!answer)
      return {errc::timed_out, "no answer"};
    return *answer;
  }

  outcome send(due_when when, const std::string& name, const std::string& text,
               const durable_send_options& how = {}) {
    return ask([&](caf::event_based_actor* self, auto done) {
      send_later(self, whom, when, name, caf::make_message(text), how, done);
    });
  }

  /// Opens the partition and spawns its sender.
  void open_with_sender(sender_options how = {}) {
    open();
    spawn_sender(sys, whom, std::move(how));
    dispatch_messages();
  }

  v1::JobPage jobs() {
    v1::Query question;
    question.mutable_list_jobs();
    return ask_query(question).list_jobs();
  }

  v1::IncidentPage incidents() {
    v1::Query question;
    question.mutable_list_incidents();
    return ask_query(question).list_incidents();
  }

  std::map<std::string, caf::actor> known;
  texts received;
  std::vector<durable_delivery> deliveries;
  std::size_t attempts = 0;
};

} // namespace gnomon
