// What workers ask a partition actor: to be pushed jobs, or to be given some.

#include "actors/partition_requests.hpp"
#include "gnomon/v1/job.pb.h"
#include "jobs/job_processor.hpp"

#include <algorithm>

namespace gnomon {

namespace {

// Longer waits are many waits: the asker should notice that a partition is
// gone.
constexpr duration wait_max = std::chrono::minutes{1};

} // namespace

// -- subscriptions ------------------------------------------------------------

caf::result<subscribe_reply> partition_actor::on_subscribe(subscribe& request,
                                                           worker& from) {
  auto content = std::make_shared<v1::SubscribeRequest>();
  if (!parse(request, *content))
    return unreadable("subscribe");
  if (content->type().empty())
    return to_caf({errc::invalid_argument, "subscribe: expected a type"});
  auto to = make_response_promise<subscribe_reply>();
  when_open<subscribe_reply>(
    to, [this, content, from](promise<subscribe_reply> to) {
      run_subscribe(*content, from, std::move(to));
    });
  return to;
}

void partition_actor::run_subscribe(const v1::SubscribeRequest& request,
                                    const worker& from,
                                    promise<subscribe_reply> to) {
  partitions::job_dispatcher::subscription what{
    request.type(), request.capacity(), duration{request.timeout_ms()}};
  // One that asks again was not sure of the answer; it is still one worker.
  auto found = std::ranges::find_if(workers_, [&](const subscribed& x) {
    return x.handle == from && x.what.type == what.type;
  });
  if (found == workers_.end()) {
    watch(from);
    auto id = core_->subscribe(what);
    found = workers_.insert(found, {from, std::move(what), std::move(id)});
  } else {
    core_->change(found->id, what);
    found->what = std::move(what);
  }
  v1::SubscribeReply reply;
  reply.set_worker(found->id);
  to.deliver(make_reply<subscribe_reply>(reply));
  proceed_later();
}

void partition_actor::forget_worker(const caf::actor_addr& gone) {
  std::erase_if(workers_, [&](const subscribed& x) {
    if (x.handle.address() != gone)
      return false;
    if (core_)
      core_->unsubscribe(x.id);
    return true;
  });
  std::erase_if(askers_, [&](const asker& x) {
    if (x.who != gone)
      return false;
    for (const auto& id : x.ids)
      give_back(id);
    return true;
  });
  if (core_)
    proceed_later();
}

// -- polls --------------------------------------------------------------------

caf::result<activate_jobs_reply>
partition_actor::on_activate(activate_jobs& request) {
  auto content = std::make_shared<v1::ActivateRequest>();
  if (!parse(request, *content))
    return unreadable("activate jobs");
  const duration wait{content->wait_ms()};
  if (content->type().empty() || content->jobs_max() == 0 || wait < duration{0}
      || wait > wait_max)
    return to_caf(
      {errc::invalid_argument,
       "activate jobs: expected a type, at least one job, and a wait of "
       "at most a minute"});
  const auto who = caf::actor_cast<caf::actor>(current_sender());
  if (!who)
    return to_caf({errc::invalid_argument,
                   "activate jobs: expected somebody to hand jobs to, but the "
                   "request is anonymous"});
  auto to = make_response_promise<activate_jobs_reply>();
  when_open<activate_jobs_reply>(
    to, [this, content, who](promise<activate_jobs_reply> to) {
      run_activate(*content, who, std::move(to));
    });
  return to;
}

void partition_actor::run_activate(const v1::ActivateRequest& request,
                                   const caf::actor& who,
                                   promise<activate_jobs_reply> to) {
  auto& ids = asker_of(who).ids;
  // What it has answered needs no watching any more.
  std::erase_if(ids, [this](const std::string& id) {
    return std::ranges::find(polls_, id, &poll::id) == polls_.end()
           && !core_->has_jobs(id);
  });
  auto id = core_->subscribe(
    {request.type(), request.jobs_max(), duration{request.timeout_ms()}, true});
  ids.push_back(id);
  polls_.push_back({id, std::move(to), {}});
  proceed_later();
  mail_as(this, poll_over{std::move(id)})
    .delay(caf::timespan{duration{request.wait_ms()}})
    .send(partition_impl{this});
}

partition_actor::asker& partition_actor::asker_of(const caf::actor& who) {
  const auto found = std::ranges::find(askers_, who.address(), &asker::who);
  if (found != askers_.end())
    return *found;
  watch(who);
  return askers_.emplace_back(asker{who.address(), {}});
}

void partition_actor::end_poll(const std::string& id) {
  const auto found = std::ranges::find(polls_, id, &poll::id);
  // What is activated already is about to be pushed.
  if (found == polls_.end() || !core_ || core_->has_jobs(id))
    return;
  auto to = std::move(found->to);
  give_back(id);
  to.deliver(activate_jobs_reply{});
}

void partition_actor::give_back(const std::string& id) {
  std::erase_if(polls_, [&](const poll& x) { return x.id == id; });
  if (!core_)
    return;
  core_->unsubscribe(id);
  proceed_later();
}

void partition_actor::answer_polls() {
  std::erase_if(polls_, [this](poll& x) {
    if (x.found.empty())
      return false;
    core_->release(x.id);
    x.to.deliver(activate_jobs_reply{{wire_version, std::move(x.found)}});
    return true;
  });
}

void partition_actor::fail_polls(const error& why) {
  for (auto& each : std::exchange(polls_, {}))
    each.to.deliver(to_caf(why));
  // The next incarnation offers their jobs again.
  for (auto& each : askers_)
    each.ids.clear();
}

// -- pushes -------------------------------------------------------------------

void partition_actor::send_job(const engine::delivery& what) {
  if (what.channel != jobs::job_channel) {
    deliver_to_user(what);
    return;
  }
  v1::JobPush push;
  if (!push.ParseFromString(what.content))
    return;
  const auto found
    = std::ranges::find(workers_, push.worker(), &subscribed::id);
  if (found != workers_.end()) {
    mail_as(this, job_push{{wire_version, std::move(*push.mutable_jobs())}})
      .send(found->handle);
    return;
  }
  const auto asked = std::ranges::find(polls_, push.worker(), &poll::id);
  if (asked != polls_.end())
    asked->found += push.jobs();
  else
    give_back(push.worker()); // It went while the activation was under way.
}

} // namespace gnomon
