// Bridges CAF 0.17 (Debian) and CAF 1.x. All code that depends on the version
// of CAF lives here; deleting the first branch drops support for 0.17.

#pragma once

#include <caf/actor_cast.hpp>
#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/config.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/logger.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>
#include <caf/typed_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

// CAF_VERSION itself is broken in CAF 1.0 and 1.1.
#if CAF_MAJOR_VERSION == 0 && CAF_MINOR_VERSION != 17
#  error "gnomon needs CAF 0.17 or CAF 1.x"
#endif

namespace gnomon {

/// Names a member of a message type for `inspect_fields`.
template <class T>
struct field {
  const char* name;
  T& value;
};

template <class T>
field(const char*, T&) -> field<T>;

} // namespace gnomon

#if CAF_MAJOR_VERSION == 0

#  define GNOMON_ERROR_CODE_ENUM(type, category)                               \
    CAF_ERROR_CODE_ENUM(type, category)

namespace gnomon {

using module_base = caf::actor_system::module;

using caf::detail::type_list;

/// Implements `inspect` for a message type.
template <class Inspector, class T, class... Ts>
auto inspect_fields(Inspector& f, T&, const char* name, field<Ts>... xs) {
  return f(caf::meta::type_name(name), xs.value...);
}

// -- typed actors: replies_to<In...>::with<Out...> vs. result<Out...>(In...) --

template <class Signature>
struct legacy_signature;

template <class... Out, class... In>
struct legacy_signature<caf::result<Out...>(In...)> {
  using type = typename caf::replies_to<In...>::template with<Out...>;
};

template <class Signatures>
struct legacy_typed_actor;

template <class... Signatures>
struct legacy_typed_actor<type_list<Signatures...>> {
  using type = caf::typed_actor<typename legacy_signature<Signatures>::type...>;
};

/// A handle to an actor with the interface `Trait::signatures`.
template <class Trait>
using typed_actor =
  typename legacy_typed_actor<typename Trait::signatures>::type;

// -- messaging ----------------------------------------------------------------

/// Offers the mail API of CAF 1.x on CAF 0.17.
template <class Self, class... Ts>
class [[nodiscard]] envelope {
public:
  explicit envelope(Self* self, Ts... xs)
    : self_(self), content_(std::move(xs)...) {
    // nop
  }

  envelope&& delay(caf::timespan value) && {
    delay_ = value;
    return std::move(*this);
  }

  template <class Handle>
  void send(const Handle& to) && {
    unpack([&](Ts&&... xs) {
      if (delay_.count() > 0)
        self_->delayed_send(to, delay_, std::move(xs)...);
      else
        self_->send(to, std::move(xs)...);
    });
  }

  template <class Handle, class Timeout>
  auto request(const Handle& to, Timeout timeout) && {
    return unpack([&](Ts&&... xs) {
      return self_->request(to, timeout, std::move(xs)...);
    });
  }

private:
  template <class F>
  auto unpack(F f) {
    return std::apply(f, std::move(content_));
  }

  Self* self_;
  std::tuple<Ts...> content_;
  caf::timespan delay_{0};
};

/// Creates a message from `self` that contains `xs...`.
template <class Self, class... Ts>
auto mail_as(Self* self, Ts... xs) {
  return envelope<Self, Ts...>{self, std::move(xs)...};
}

/// Calls `f(address, reason)` once `whom` terminates. An actor must use the
/// same `f` for all others, because CAF 0.17 has one down handler per actor.
template <class Self, class Handle, class F>
void on_down(Self* self, const Handle& whom, F f) {
  self->set_down_handler([f](caf::down_msg& x) { f(x.source, x.reason); });
  self->monitor(whom);
}

// -- registration -------------------------------------------------------------

inline void init_core_types() {
  // CAF 0.17 registers types with a configuration.
}

template <class IdBlock>
void init_types() {
  // As above.
}

template <class IdBlock>
void add_types(caf::actor_system_config& cfg) {
  cfg.add_message_types<IdBlock>();
}

template <class Enum>
void add_errors(caf::actor_system_config& cfg, const std::string& category) {
  auto render
    = [](std::uint8_t code, caf::atom_value, const caf::message& context) {
        auto text = to_string(static_cast<Enum>(code));
        return context.empty() ? text : text + to_string(context);
      };
  cfg.add_error_category(caf::atom_from_string(category), render);
}

/// Returns the options of `cfg`, to which modules add theirs.
inline caf::config_option_set& options_of(caf::actor_system_config& cfg) {
  struct access : caf::actor_system_config {
    static auto pointer() {
      return &access::custom_options_;
    }
  };
  return cfg.*access::pointer();
}

inline void log_line(unsigned level, const std::string& line) {
  CAF_LOG_IMPL("gnomon", level, line);
}

} // namespace gnomon

#else // CAF 1.x

#  include <caf/actor_system_module.hpp>
#  include <caf/default_enum_inspect.hpp>
#  include <caf/init_global_meta_objects.hpp>
#  include <caf/telemetry/metric_registry.hpp>

#  define GNOMON_ERROR_CODE_ENUM(type, category) CAF_ERROR_CODE_ENUM(type)

namespace gnomon {

using module_base = caf::actor_system_module;
using caf::type_list;
using caf::typed_actor;

template <class Inspector, class T, class... Ts>
bool inspect_fields(Inspector& f, T& x, const char* name, field<Ts>... xs) {
  return f.object(x).pretty_name(name).fields(f.field(xs.name, xs.value)...);
}

/// CAF 0.17 inspects enums by default, CAF 1.x does not.
template <class Inspector, class Enum>
requires std::is_enum_v<Enum>
bool inspect(Inspector& f, Enum& x) {
  return caf::default_enum_inspect(f, x);
}

template <class Self, class... Ts>
auto mail_as(Self* self, Ts&&... xs) {
  return self->mail(std::forward<Ts>(xs)...);
}

template <class Self, class Handle, class F>
void on_down(Self* self, const Handle& whom, F f) {
  self->monitor(whom, [f, address = whom.address()](const caf::error& reason) {
    f(address, reason);
  });
}

/// Registers CAF's own types; more than once does no harm.
inline void init_core_types() {
  caf::core::init_global_meta_objects();
}

template <class IdBlock>
void init_types() {
  caf::init_global_meta_objects<IdBlock>();
}

template <class IdBlock>
void add_types(caf::actor_system_config&) {
  // CAF 1.x registers types globally, see `init_types`.
}

template <class Enum>
void add_errors(caf::actor_system_config&, const std::string&) {
  // CAF 1.x finds `to_string` by itself.
}

inline caf::config_option_set& options_of(caf::actor_system_config& cfg) {
  return cfg.custom_options();
}

inline void log_line(unsigned level, const std::string& line) {
  caf::logger::log(level, "gnomon", "{}", line);
}

} // namespace gnomon

#endif
