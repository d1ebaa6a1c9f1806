// An actor system whose messages and time move only when a test says so. The
// one place, beside the bridge, that knows both versions of CAF.

#pragma once

#include "gnomon/module.hpp"

#include <chrono>
#include <memory>

#if CAF_MAJOR_VERSION == 0
#  include <caf/scheduler/test_coordinator.hpp>
#else
#  include <caf/test/context.hpp>
#  include <caf/test/fixture/deterministic.hpp>
#  include <caf/test/reporter.hpp>
#endif

namespace gnomon::test {

#if CAF_MAJOR_VERSION == 0

class deterministic {
public:
  explicit deterministic(void (*prepare)(caf::actor_system_config&))
    : sys(configure(cfg, prepare)),
      scheduler_(
        dynamic_cast<caf::scheduler::test_coordinator&>(sys.scheduler())) {
    scheduler_.clock().current_time += std::chrono::hours{1};
  }

  ~deterministic() {
    sys.await_actors_before_shutdown(false);
    dispatch_messages();
  }

  /// Runs one message. @returns False if there is none.
  bool dispatch_message() {
    return scheduler_.try_run_once();
  }

  std::size_t dispatch_messages() {
    return scheduler_.run();
  }

  void advance_time(caf::timespan by) {
    scheduler_.clock().advance_time(by);
  }

  caf::actor_system_config cfg;
  caf::actor_system sys;

private:
  static caf::actor_system_config&
  configure(caf::actor_system_config& cfg,
            void (*prepare)(caf::actor_system_config&)) {
    cfg.set("scheduler.policy", caf::atom("testing"));
    prepare(cfg);
    return cfg;
  }

  caf::scheduler::test_coordinator& scheduler_;
};

#else

/// What must be there before the first actor system.
struct registration {
  registration() : reporter(caf::test::reporter::make_default()) {
    module::init_global_meta_objects();
    caf::test::reporter::instance(reporter.get());
    reporter->begin_test(std::make_shared<caf::test::context>(), "gnomon");
  }

  std::unique_ptr<caf::test::reporter> reporter;
};

class deterministic : private registration,
                      public caf::test::fixture::deterministic {
public:
  explicit deterministic(void (*)(caf::actor_system_config&)) {
    // CAF 1.x registers types and errors globally.
  }
};

#endif

} // namespace gnomon::test
