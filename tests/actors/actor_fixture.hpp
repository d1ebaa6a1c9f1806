// A host and a partition whose messages and time move only when a test says so.

#pragma once

#include "gnomon/module.hpp"
#include "storage/system_file_system.hpp"
#include "tests/support/deterministic.hpp"
#include "tests/support/manual_clock.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gnomon {

/// The actors of a system that ends may still read the clock.
struct clock_of_system {
  testing::manual_clock time;
};

class actor_fixture : public ::testing::Test,
                      public clock_of_system,
                      public test::deterministic {
protected:
  actor_fixture();

  ~actor_fixture() override;

  /// Spawns the partition without letting it do anything yet.
  void spawn();

  /// Spawns the partition and lets it open.
  void open();

  /// Lets time go by on all clocks, and everybody do what is to be done.
  void advance(duration by);

  /// Returns the records that answer `command`; its errors fail the test.
  v1::Answer submit_one(const v1::Command& command);

  v1::Status status();

  v1::QueryReply ask_query(const v1::Query& question);

  result<control_reply> control_with(v1::ControlOperation what);

  /// Asks, lets everybody work, and returns the answer or the error.
  template <class Reply, class Request>
  result<Reply> request(Request message) {
    auto pending
      = mail_as(self_.ptr(), std::move(message)).request(whom, caf::infinite);
    dispatch_messages();
    if (patience > duration{0})
      advance(patience);
    std::optional<result<Reply>> answer;
    std::move(pending).receive(
      [&](Reply& reply) { answer.emplace(std::move(reply)); },
      [&](const caf::error& why) {
        answer.emplace(error{static_cast<errc>(why.code()), to_string(why)});
      });
    return *answer;
  }

  std::filesystem::path directory;
  partition_options options;

  /// Time that goes by before an answer to a request is expected.
  duration patience{0};
  std::unique_ptr<host> running;
  partition whom;
  caf::scoped_actor self_;
};

} // namespace gnomon
