#include "actors/host_environment.hpp"
#include "actors/partition_actor.hpp"
#include "actors/timer_actor.hpp"
#include "gnomon/check.hpp"
#include "gnomon/durable_send.hpp"
#include "gnomon/module.hpp"
#include "storage/system_file_system.hpp"

#include <map>
#include <mutex>
#include <vector>

namespace gnomon {

namespace {

// CAF cannot look up modules of third parties, so we keep track of them.
std::mutex hosts_mutex;
std::map<caf::actor_system*, host*> hosts;

constexpr caf::timespan close_timeout = std::chrono::seconds{30};

} // namespace

struct host::impl {
  caf::actor_system& system;
  host_environment environment;
  std::mutex mutex;
  std::vector<partition> partitions;
};

host::host(caf::actor_system& system) : impl_(new impl{system, {}, {}, {}}) {
  impl_->environment.time = &system_clock();
  impl_->environment.files = &storage::system_files();
}

host::host(caf::actor_system& system, const clock& time,
           storage::file_system& files)
  : impl_(new impl{system, {}, {}, {}}) {
  impl_->environment.time = &time;
  impl_->environment.files = &files;
  impl_->environment.detach_disk_actors = false;
}

host::~host() = default;

void host::register_messages(caf::actor_system_config& cfg) {
  add_types<caf::id_block::gnomon>(cfg);
  add_types<caf::id_block::gnomon_send>(cfg);
  add_types<caf::id_block::gnomon_export>(cfg);
  add_types<caf::id_block::gnomon_private>(cfg);
  add_errors<errc>(cfg, "gnomon");
}

void host::start() {
  impl_->environment.timer = impl_->system.spawn<timer_actor, caf::hidden>(
    std::cref(*impl_->environment.time));
  std::lock_guard guard{hosts_mutex};
  hosts[&impl_->system] = this;
}

void host::stop() {
  {
    std::lock_guard guard{hosts_mutex};
    hosts.erase(&impl_->system);
  }
  // CAF does not wait for hidden actors, but a directory must be closed when
  // this returns. The scheduler is still running.
  caf::scoped_actor self{impl_->system, true};
  std::vector<partition> open;
  {
    std::lock_guard guard{impl_->mutex};
    open.swap(impl_->partitions);
  }
  for (auto& handle : open)
    mail_as(self.ptr(), make_control(v1::CONTROL_OPERATION_CLOSE))
      .request(handle, close_timeout)
      .receive([](const control_reply&) {}, [](const caf::error&) {});
  for (auto& handle : open) {
    self->send_exit(handle, caf::exit_reason::user_shutdown);
    self->wait_for(handle);
  }
  self->send_exit(impl_->environment.timer, caf::exit_reason::user_shutdown);
  self->wait_for(impl_->environment.timer);
  impl_->environment.timer = nullptr;
}

partition host::spawn_partition(partition_options options) {
  GNOMON_CHECK(impl_->environment.timer);
  partition handle = impl_->system.spawn<partition_actor, caf::hidden>(
    impl_->environment, std::move(options));
  std::lock_guard guard{impl_->mutex};
  impl_->partitions.push_back(handle);
  return handle;
}

host* host::of(caf::actor_system& system) {
  std::lock_guard guard{hosts_mutex};
  const auto found = hosts.find(&system);
  return found == hosts.end() ? nullptr : found->second;
}

} // namespace gnomon
