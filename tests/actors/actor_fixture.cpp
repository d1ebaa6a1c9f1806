#include "tests/actors/actor_fixture.hpp"

#include <cstdlib>

namespace gnomon {

actor_fixture::actor_fixture()
  : deterministic(&host::register_messages), self_(sys) {
  auto name
    = (std::filesystem::temp_directory_path() / "actors-XXXXXX").string();
  directory = ::mkdtemp(name.data());
  options.directory = directory;
  options.segment_bytes = 4 << 20;
  options.batch_bytes_max = 1 << 20;
  running = std::make_unique<host>(sys, time, storage::system_files());
  running->start();
}

actor_fixture::~actor_fixture() {
  if (whom)
    self_->send_exit(whom, caf::exit_reason::user_shutdown);
  whom = nullptr;
  dispatch_messages();
  std::filesystem::remove_all(directory);
}

void actor_fixture::spawn() {
  whom = running->spawn_partition(options);
}

void actor_fixture::open() {
  spawn();
  dispatch_messages();
}

void actor_fixture::advance(duration by) {
  time.advance(by);
  advance_time(caf::timespan{by});
  dispatch_messages();
}

v1::Answer actor_fixture::submit_one(const v1::Command& command) {
  const auto reply
    = request<submit_reply>(make_submit(std::vector<v1::Command>{command}));
  EXPECT_TRUE(reply) << to_string(reply.error());
  v1::SubmitReply answers;
  EXPECT_TRUE(reply && answers.ParseFromString(reply->content));
  return answers.answers_size() == 1 ? answers.answers(0) : v1::Answer{};
}

v1::QueryReply actor_fixture::ask_query(const v1::Query& question) {
  const auto reply = request<query_reply>(make_query(question));
  EXPECT_TRUE(reply);
  v1::QueryReply answer;
  EXPECT_TRUE(reply && answer.ParseFromString(reply->content));
  return answer;
}

v1::Status actor_fixture::status() {
  v1::Query question;
  question.mutable_status();
  return ask_query(question).status();
}

result<control_reply> actor_fixture::control_with(v1::ControlOperation what) {
  return request<control_reply>(make_control(what));
}

} // namespace gnomon
