// Seeds with texts and with what clients send.

#include "tests/fuzz/seeds.hpp"

#include "actors/caf_messages.hpp"
#include "gnomon/commands.hpp"
#include "gnomon/v1/durable_send.pb.h"
#include "gnomon/v1/query.pb.h"
#include "gnomon/v1/wire.pb.h"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>

#include <cstdio>

namespace gnomon::fuzz {

namespace {

/// Key of what a partition drew as number `counter`, see the target.
key drawn(std::uint64_t counter) {
  return {counter};
}

void add_messages(const seed_folder& to) {
  create_timer repeated;
  repeated.when = std::string{"R5/PT1S"};
  repeated.target = "mail";
  repeated.name = "timer";
  v1::SubmitRequest timers;
  *timers.add_commands() = to_command(repeated);
  repeated.name = "another";
  repeated.when = std::string{"0 30 2 * * MON-FRI"};
  repeated.zone = "Europe/Berlin";
  *timers.add_commands() = to_command(repeated);
  v1::SubmitRequest changes;
  *changes.add_commands()
    = to_command(reschedule_timer{drawn(1), duration{5000}, {}, {}, false});
  *changes.add_commands() = to_command(gnomon::cancel_timer{{}, "another"});
  v1::SubmitRequest jobs;
  *jobs.add_commands() = to_command(create_job{"mail", "payload", 2, {}, "id"});
  *jobs.add_commands() = to_command(complete_job{drawn(1), 1, "done"});
  *jobs.add_commands()
    = to_command(fail_job{drawn(2), 1, "no", 0, duration{5}});
  *jobs.add_commands() = to_command(throw_error{drawn(3), 1, "code", "text"});
  *jobs.add_commands() = to_command(update_job_retries{drawn(2), 3});
  *jobs.add_commands()
    = to_command(update_job_timeout{drawn(2), 1, duration{7}});
  *jobs.add_commands() = to_command(resolve_incident{drawn(4)});
  *jobs.add_commands() = to_command(cancel_job{drawn(2)});
  v1::SubscribeRequest worker;
  worker.set_type("mail");
  worker.set_capacity(2);
  v1::Query page;
  page.mutable_list_timers()->set_timers_max(2);
  v1::Query room;
  room.mutable_waiting_room();
  v1::Query list;
  list.mutable_list_jobs()->set_type("mail");
  bytes all;
  const auto add = [&](std::uint64_t what, const auto& message) {
    put(all, what, 1);
    put_counted(all, message.SerializeAsString());
  };
  const auto advance = [&](std::uint64_t ms) {
    put(all, 3, 1);
    put(all, ms, 5);
  };
  add(0, timers);
  add(1, page);
  add(0, changes);
  to.add("wire", "timers", all);
  add(2, worker);
  advance(2000);
  add(0, jobs);
  add(1, room);
  add(1, list);
  to.add("wire", "jobs", all);
  advance(100'000'000);
  put(all, 5, 1);
  add(0, jobs);
  to.add("wire", "all", all);
}

void add_sends(const seed_folder& to) {
  caf::actor_system_config config;
  caf::actor_system system{config};
  const auto content
    = caf::make_message(std::string{"text"}, std::int32_t{7},
                        std::vector<caf::atom_value>{}, std::uint64_t{9});
  v1::DurableSend kept;
  kept.set_receiver("receiver");
  kept.set_caf_version(caf_version());
  GNOMON_CHECK(!serialise(system, content, *kept.mutable_content()));
  for (auto& each : type_names(system, content))
    kept.add_types(std::move(each));
  to.add("durable_send", "payload", bytes(1, '\1') + kept.SerializeAsString());
  bytes plain(1, '\0');
  GNOMON_CHECK(!serialise(system, content, plain));
  to.add("durable_send", "message", plain);
}

void add_texts(const seed_folder& to) {
  int number = 0;
  for (const auto* each :
       {"* * * * * *", "0 30 2 * * MON-FRI", "@daily", "@every 5m",
        "0 0 12 L-3 * ?", "0 0 12 LW 2 ?", "0 0 9 ? * FRI#2", "0 0 9 ? * 5L",
        "0 0/7 8-18 1,15W JAN-MAR ?", "0 0 0 29 2 MON"}) {
    bytes head(1, static_cast<char>(number % 10));
    put(head, 1'711'846'800'000, 6);
    to.add("cron", "expression_" + std::to_string(number++), head + each);
  }
  for (const auto* each :
       {"2024-01-31T10:00:00+01:00[Europe/Berlin]", "PT1H",
        "P1Y2M3W4DT5H6M7.8S", "-P1D", "3d4h5m6s7ms",
        "R5/2024-01-31T10:00:00Z/P1M", "R/P1D", "R3/PT1S/2024-01-01T00:00:05Z",
        "0 0 9 1W * *", "+12024-01-01T00:00Z"}) {
    bytes head(1, static_cast<char>(13 << 3));
    put(head, 1'711'846'800'000, 8);
    to.add("recurrence", "expression_" + std::to_string(number++),
           head + "Europe/Berlin" + each);
  }
  to.add("schedule_file", "lines",
         "# comment\n1s | mail | Welcome\n\n"
         "R3/PT1S | sms | again\n0 0 9 * * MON | push |\nbad\n"
         "2024-07-01T09:00:00+02:00[Europe/Berlin]|audit|Quarter | report\n");
  to.add("tool_arguments", "next",
         "next\n0 30 2 * * MON-FRI\n--zone\nEurope/Berlin\n-n\n3\n--from\n"
         "2024-01-31T10:00:00Z");
  to.add("tool_arguments", "timers",
         "timers\n/data\n--partition\n2\n--json\n--limit=5\n--overdue\n--target"
         "\nmail");
  to.add("tool_arguments", "log",
         "log\n/data\n--from\n5\n--type\ntimer\n--key\n9\n--follow");
  to.add("tool_arguments", "restore", "restore\n/data.tar\n/data");
  to.add("tool_arguments", "help", "verify\n--help");
}

} // namespace

} // namespace gnomon::fuzz

int main(int argc, char** argv) {
  using namespace gnomon::fuzz;
  if (argc != 2) {
    std::fputs("Usage: fuzz_seeds FOLDER\n", stderr);
    return 2;
  }
  const seed_folder to{argv[1]};
  std::filesystem::create_directories(to.root());
  add_storage_seeds(to);
  add_archive_seeds(to);
  add_messages(to);
  add_sends(to);
  add_texts(to);
  return 0;
}
