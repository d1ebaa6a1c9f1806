// Plugs the library into a CAF application.

#pragma once

#include "gnomon/clock.hpp"
#include "gnomon/partition.hpp"

#include <memory>

namespace gnomon {

namespace storage {

class file_system;

} // namespace storage

/// Runs what the partitions of one actor system share, and ends with them.
///
/// `module` owns one. An application that has no slot for the module constructs
/// one itself, behind its actor system, and calls `start` and `stop`.
///
/// Threads: all members may be called from any thread but those of actors.
class host {
public:
  /// Registers what CAF 0.17 wants to know before the actor system is made.
  /// With CAF 1.x, `module::init_global_meta_objects` does it all.
  static void register_messages(caf::actor_system_config& cfg);

  explicit host(caf::actor_system& system);

  /// For tests: with another clock, other files, and disk actors that share the
  /// scheduler. Both are borrowed.
  host(caf::actor_system& system, const clock& time,
       storage::file_system& files);

  ~host();

  host(const host&) = delete;
  host& operator=(const host&) = delete;

  void start();

  /// Closes all partitions and waits until their directories are closed.
  void stop();

  /// See the free function of the same name.
  partition spawn_partition(partition_options options);

  /// Returns the running host of `system`, or null.
  static host* of(caf::actor_system& system);

private:
  struct impl;

  std::unique_ptr<impl> impl_;
};

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
