#include "tests/engine/probe_processor.hpp"

#include "gnomon/state_key.hpp"

#include <stdexcept>

namespace gnomon::test {

bool probe_processor::accepts(value_type type, intent what,
                              record_type kind) const {
  if (type != probe_type)
    return false;
  if (kind == record_type::command)
    return what == probe_run;
  return what == probe_ran || what == probe_failed || what == probe_broken;
}

void probe_processor::process(const typed_record& command,
                              result_builder& out) {
  ++process_count;
  const auto space = command.value.find(' ');
  const auto word = command.value.substr(0, space);
  const auto rest = space == bytes_view::npos ? bytes_view{}
                                              : command.value.substr(space + 1);
  const auto run = [&](bytes_view value) {
    out.append_event(command.key, probe_type, probe_ran, value,
                     command.scope_key);
  };
  if (word == "follow") {
    run("");
    out.append_command(command.key, probe_type, probe_run, rest,
                       command.scope_key);
  } else if (word == "bytes") {
    run(bytes(std::stoul(std::string{rest}), 'x'));
  } else if (word == "deliver") {
    run("");
    out.deliver("sink", command.key, bytes{rest});
  } else if (word == "key") {
    out.append_event(out.next_key(), probe_type, probe_ran, "");
  } else if (word == "reject") {
    out.reject(rejection_type::invalid_state, "expected better, but no");
  } else if (word == "flaky") {
    if (flaws > 0 && flaws-- > 0)
      throw std::runtime_error("flaw");
    run("");
  } else {
    misbehave(word, command, out);
  }
}

void probe_processor::misbehave(std::string_view word,
                                const typed_record& command,
                                result_builder& out) {
  const auto append = [&](intent what, bytes_view value = {}) {
    out.append_event(command.key, probe_type, what, value, command.scope_key);
  };
  if (word == "throw")
    throw std::runtime_error("poison");
  if (word == "throw_int")
    throw 7;
  if (word == "silent")
    return;
  if (word == "reject_oddly")
    return out.reject(rejection_type::unspecified, "");
  if (word == "follow_only" || word == "unknown_command")
    return out.append_command(command.key, probe_type,
                              word == "follow_only" ? probe_run : nobody_knows,
                              "");
  if (word == "unknown_event")
    return append(nobody_knows);
  if (word == "broken")
    return append(probe_broken, "throw");
  if (word == "bad_put")
    return append(probe_broken, "put");
  append(probe_ran, command.value);
  if (word != "throw_late")
    return;
  out.append_event(out.next_key(), probe_type, probe_ran, "");
  append(probe_failed);
  out.append_command(command.key, probe_type, probe_run, "");
  out.deliver("sink", command.key, "never");
  throw std::runtime_error("late poison");
}

void probe_processor::replay(const typed_record& event,
                             state_transaction& state) {
  if (event.intent == probe_broken) {
    if (event.value == "throw")
      throw std::runtime_error("broken applier");
    return state.put(probe_counts, "", "");
  }
  const auto at = state_key{}.add(event.key).add(event.intent.value);
  const auto found = state.get(probe_counts, at.view());
  const auto count
    = found ? state_key_reader{*found}.read_u64().value_or(0) : 0;
  state.put(probe_counts, at.view(), state_key{}.add(count + 1).view());
}

processing_error
probe_processor::on_processing_error(const error&, const typed_record& command,
                                     result_builder& out) {
  if (throws_about_failures)
    throw std::runtime_error("about a failure");
  if (reports_failures)
    out.append_event(command.key, probe_type, probe_failed, "",
                     command.scope_key);
  if (rejects_failures)
    out.reject(rejection_type::not_found, "in its own words");
  return answer;
}

} // namespace gnomon::test
