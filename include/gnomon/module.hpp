// Plugs the library into a CAF application.

#pragma once

#include "gnomon/partition.hpp"

#include <memory>

namespace gnomon {

class host;

/// A CAF module: `cfg.load<gnomon::module>()`, beside io and openssl.
///
/// Adds the options of the section `gnomon`, registers the message types, and
/// runs the actors that partitions share. On shutdown it closes all partitions
/// and waits for them. With CAF 0.17, a configuration class calls
/// `add_module_options(*this)` itself for the options to be known on the
/// command line.
///
/// Takes the slot that CAF has for `caf::net::middleman`; an application that
/// loads that one constructs a `gnomon::host` itself instead.
class module final : public module_base {
public:
  // -- called by CAF ----------------------------------------------------------

  static void add_module_options(caf::actor_system_config& cfg);

  static void init_global_meta_objects();

  template <class AbiToken>
  static void check_abi_compatibility(AbiToken token) {
    if (static_cast<int>(token) != CAF_MAJOR_VERSION)
      abi_mismatch();
  }

  template <class... Unused>
  static module_base* make(caf::actor_system& system, Unused...) {
    return make_impl(system);
  }

  ~module() override;

  void start() override;

  void stop() override;

  void init(caf::actor_system_config& cfg) override;

  id_t id() const override;

  void* subtype_ptr() override;

private:
  explicit module(caf::actor_system& system);

  [[noreturn]] static void abi_mismatch();

  static module_base* make_impl(caf::actor_system& system);

  caf::actor_system& system_;
  std::unique_ptr<host> host_;
  bool initialised_ = false;
};

} // namespace gnomon
