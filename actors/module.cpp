#include "gnomon/module.hpp"

#include "actors/private_messages.hpp"
#include "gnomon/durable_send.hpp"

#include <caf/config_option_adder.hpp>
#include <caf/raise_error.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>

namespace gnomon {

namespace {

// Newer versions of CAF reserve ids for modules of third parties. In all others
// the ids are a closed enumeration, in which `network_manager` is free unless
// the application loads `caf::net::middleman`.
template <class Base = module_base>
constexpr auto module_id() {
  if constexpr (requires { Base::extension1; })
    return Base::extension1;
  else
    return Base::network_manager;
}

} // namespace

void module::add_module_options(caf::actor_system_config& cfg) {
  caf::config_option_adder{options_of(cfg), "gnomon"}
    .add<caf::timespan>("yield-budget",
                        "work after which a partition lets others through")
    .add<caf::timespan>("resolution", "wake-ups closer than this are merged")
    .add<caf::timespan>("job-timeout",
                        "jobs not answered are offered again after this");
  const partition_options defaults;
  const auto put = [&](const char* name, duration value) {
    caf::put_missing(cfg.content, std::string{"gnomon."} + name,
                     caf::timespan{value});
  };
  put("yield-budget", defaults.yield_budget);
  put("resolution", defaults.resolution);
  put("job-timeout", defaults.job_timeout);
}

partition_options configured_options(const caf::actor_system_config& cfg) {
  partition_options result;
  const auto take = [&](const char* name, duration& value) {
    const auto found
      = caf::get_or(cfg, std::string{"gnomon."} + name, caf::timespan{value});
    value = std::chrono::ceil<duration>(found);
  };
  take("yield-budget", result.yield_budget);
  take("resolution", result.resolution);
  take("job-timeout", result.job_timeout);
  return result;
}

void module::init_global_meta_objects() {
  init_core_types();
  init_types<caf::id_block::gnomon>();
  init_types<caf::id_block::gnomon_send>();
  init_types<caf::id_block::gnomon_export>();
  init_types<caf::id_block::gnomon_private>();
}

module::module(caf::actor_system& system) :system_(system) {
  // nop
}

module::~module() {
  // CAF silently replaces a module by a later one with the same id.
  if (!initialised_ && std::uncaught_exceptions() == 0) {
    std::fprintf(stderr, "gnomon::module: another module took its slot\n");
    std::abort();
  }
}

void module::abi_mismatch() {
  std::fprintf(stderr, "gnomon::module: built for another version of CAF\n");
  std::abort();
}

module_base* module::make_impl(caf::actor_system& system) {
  if (module_id() == module_base::network_manager
      && system.has_network_manager())
    CAF_RAISE_ERROR("gnomon::module: its slot is taken");
  return new module(system); // CAF owns modules, and deletes them.
}

void module::init(caf::actor_system_config& cfg) {
  initialised_ = true;
  host::register_messages(cfg);
}

void module::start() {
  host_ = std::make_unique<host>(system_);
  host_->start();
}

void module::stop() {
  host_->stop();
  host_ = nullptr;
}

module_base::id_t module::id() const {
  return module_id();
}

void* module::subtype_ptr() {
  return this;
}

} // namespace gnomon
