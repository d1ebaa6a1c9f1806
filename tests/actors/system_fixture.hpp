// A directory per test, and requests to partitions in a real actor system.

#pragma once

#include "gnomon/module.hpp"

#include <caf/io/middleman.hpp>
#include <caf/openssl/manager.hpp>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace gnomon::test {

/// Loads the module beside those that CAF brings.
struct configuration : caf::actor_system_config {
  configuration() {
    load<caf::io::middleman>();
    load<caf::openssl::manager>();
    load<gnomon::module>();
  }
};

/// How long to wait for what should take milliseconds, before it is a failure.
inline constexpr auto patience = std::chrono::seconds{60};

/// Submits one command. @returns Whether it was answered.
template <class Command>
bool submit_to(const caf::scoped_actor& self, const partition& to,
               const Command& command) {
  bool answered = false;
  mail_as(self.ptr(), make_submit(command))
    .request(to, patience)
    .receive(
      [&](const submit_reply& reply) {
        v1::SubmitReply content;
        answered = content.ParseFromString(reply.content)
                   && content.answers_size() == 1
                   && content.answers(0).error_code() == 0;
      },
      [](const caf::error& why) { ADD_FAILURE() << to_string(why); });
  return answered;
}

/// Asks a question that must be answered.
inline v1::QueryReply ask(const caf::scoped_actor& self, const partition& to,
                          const v1::Query& question) {
  v1::QueryReply content;
  mail_as(self.ptr(), make_query(question))
    .request(to, patience)
    .receive(
      [&](const query_reply& reply) {
        EXPECT_TRUE(content.ParseFromString(reply.content));
      },
      [](const caf::error& why) { ADD_FAILURE() << to_string(why); });
  return content;
}

/// Waits for what a worker has sent. @returns Nothing if it takes too long.
inline bytes next_payload(const caf::scoped_actor& self) {
  bytes result;
  self->receive([&](const std::string& payload) { result = payload; },
                caf::after(patience) >>
                  [] { ADD_FAILURE() << "no job was pushed"; });
  return result;
}

/// Returns a callback for `spawn_worker` that passes payloads to `to`.
inline std::function<bytes(const job&)> pass_payloads(caf::actor to) {
  return [to = std::move(to)](const job& given) {
    caf::anon_send(to, given.payload);
    return bytes{};
  };
}

class SystemTest : public ::testing::Test {
protected:
  SystemTest() {
    module::init_global_meta_objects();
    auto name
      = (std::filesystem::temp_directory_path() / "system-XXXXXX").string();
    directory = ::mkdtemp(name.data());
  }

  ~SystemTest() override {
    std::filesystem::remove_all(directory);
  }

  partition_options options() const {
    return {.directory = directory, .resolution = duration{1}};
  }

  std::filesystem::path directory;
};

} // namespace gnomon::test
