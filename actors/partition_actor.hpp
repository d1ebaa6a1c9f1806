// A partition as an actor: the shell around its stream processor.

#pragma once

#include "actors/host_environment.hpp"
#include "actors/partition_exports.hpp"
#include "actors/pending_requests.hpp"
#include "actors/private_messages.hpp"
#include "timers/next_due_reference.hpp"
#include "timers/yield_budget.hpp"

#include <caf/typed_response_promise.hpp>

#include "partitions/stream_processor.hpp"
#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gnomon {

/// Turns messages into calls of a `stream_processor`, runs its tickets on disk
/// actors, and sends what it releases.
///
/// Phases: *opening* (requests wait) → *processing* ↔ *paused*; *failed* after
/// any error (requests are refused; it opens again with a growing delay);
/// *closing* → ends. A turn of processing lasts for the yield budget; then a
/// `proceed` goes to the end of the mailbox.
///
/// Nothing else calls the processor while a handler runs. Tasks on disk actors
/// that use it hold it alive, and it is not closed before they are done.
class partition_actor : public partition_impl::base {
public:
  partition_actor(caf::actor_config& cfg, host_environment environment,
                  partition_options options);

  ~partition_actor() override;

  behavior_type make_behavior() override;

  const char* name() const override;

  /// Closes the directory cleanly, unless a side task is still reading it.
  void on_exit() override;

private:
  friend class partition_exports;

  template <class Reply>
  using promise = caf::typed_response_promise<Reply>;

  using side_task = std::function<void()>;

  // -- requests ---------------------------------------------------------------

  caf::result<submit_reply> on_submit(submit& request);
  caf::result<query_reply> on_query(query& request);
  caf::result<control_reply> on_control(control& request);
  caf::result<subscribe_reply> on_subscribe(subscribe& request, worker& from);
  caf::result<activate_jobs_reply> on_activate(activate_jobs& request);
  caf::result<attach_reply> on_attach(attach_exporter& request, exporter& from);

  void take_in(v1::SubmitRequest& request, promise<submit_reply> to);
  void run_query(const v1::Query& question, promise<query_reply> to);
  void run_long_query(const v1::Query& question, promise<query_reply> to);
  void run_control(const v1::ControlRequest& request,
                   promise<control_reply> to);
  void run_subscribe(const v1::SubscribeRequest& request, const worker& from,
                     promise<subscribe_reply> to);

  /// Runs `request` once the partition is open, or answers `to` with an error.
  template <class Reply>
  void when_open(promise<Reply> to,
                 std::function<void(promise<Reply>)> request);

  /// Calls `send` with nothing once `after` is durable, or with an error.
  void answer_when_durable(position after,
                           std::function<void(const error*)> send);
  void reply_to_query(promise<query_reply> to, const v1::QueryReply& reply);

  // -- workers ----------------------------------------------------------------

  /// An `activate_jobs` that waits for its jobs. To the processor, it is a
  /// worker of its own.
  struct poll {
    std::string id;
    promise<activate_jobs_reply> to;

    /// Bytes of `v1::Jobs`: one behind the other, they are one.
    bytes found;
  };

  /// Who has sent `activate_jobs`, with the polls whose jobs it may still have.
  struct asker {
    caf::actor_addr who;
    std::vector<std::string> ids;
  };

  void run_activate(const v1::ActivateRequest& request, const caf::actor& who,
                    promise<activate_jobs_reply> to);
  asker& asker_of(const caf::actor& who);
  void end_poll(const std::string& id);
  void answer_polls();
  void fail_polls(const error& why);

  /// Ends a poll, if it is one, and offers the jobs it got to others.
  void give_back(const std::string& id);

  /// Forgets `whom` once it is down.
  template <class Handle>
  void watch(const Handle& whom);

  void forget_worker(const caf::actor_addr& gone);

  v1::Status status() const;
  v1::Metrics metrics();

  // -- life -------------------------------------------------------------------

  void open();

  /// What opening has led to.
  struct opening {
    result<std::unique_ptr<partitions::stream_processor>> core;
    result<exporters::position_files::found> positions;
  };

  static opening open_with_positions(storage::file_system& files,
                                     const gnomon::clock& time,
                                     const partition_options& options);

  void opened(opening outcome);
  void fail(const error& why);
  void fail_requests(const error& why);
  void distrust(std::shared_ptr<partitions::stream_processor> failed);
  void reopen_later();
  void close_when_quiet();
  bool is_stuck() const;
  void close();
  void close_here();

  // -- the loop ---------------------------------------------------------------

  void proceed_later();
  void turn();
  void pump();
  bool may_snapshot() const;
  void start_sync();
  void start_spare();
  void start_roll();
  void start_snapshot();
  void publish_snapshot(storage::snapshot_manifest copied);
  void end_snapshot(result<storage::snapshot_retirement> outcome);
  void release();
  void send_job(const engine::delivery& what);
  void deliver_to_user(const engine::delivery& what);
  void offer_next_due();

  /// Runs `work` on `where`, then `done` here.
  void run_on(const disk_handle& where, side_task work, side_task done);

  /// As `run_on`, for what uses the directory of the processor from another
  /// thread; the processor is not closed before it has ended.
  void run_beside(const disk_handle& where, side_task work, side_task done);

  /// Runs `work` on `where`, then `end` here, with an error if it threw.
  void run(const disk_handle& where, side_task work,
           std::function<void(const error*)> end);

  const disk_handle& log_disk();
  const disk_handle& side_disk();
  const disk_handle& export_disk();
  disk_handle spawn_disk();

  host_environment environment_;
  partition_options options_;
  v1::Phase phase_ = v1::PHASE_OPENING;
  std::shared_ptr<partitions::stream_processor> core_;

  /// One that has failed and whose state could not be distrusted so far.
  std::shared_ptr<partitions::stream_processor> distrusted_;

  std::shared_ptr<timers::next_due_reference> next_due_;
  timers::yield_budget budget_;
  pending_requests requests_;

  /// Requests that came while opening.
  std::vector<std::function<void(const error*)>> stashed_;

  struct deferred_answer {
    position after;
    std::function<void(const error*)> send;
  };

  /// Answers to queries, in the order of what they read.
  std::deque<deferred_answer> deferred_;

  std::vector<promise<control_reply>> snapshot_waiters_;
  std::vector<promise<control_reply>> close_waiters_;

  struct subscribed {
    worker handle;
    partitions::job_dispatcher::subscription what;
    std::string id;
  };

  std::vector<subscribed> workers_;
  std::vector<poll> polls_;
  std::vector<asker> askers_;
  disk_handle log_disk_;
  disk_handle side_disk_;
  disk_handle export_disk_;
  partition_exports exports_{*this};
  std::size_t tasks_beside_ = 0;
  bool is_proceeding_ = false;

  /// The last step has waited for something.
  bool is_held_ = false;

  /// Set by the disk actor, ahead of its answer.
  std::shared_ptr<std::atomic<bool>> sync_has_ended_
    = std::make_shared<std::atomic<bool>>(false);

  bool is_snapshotting_ = false;

  /// After one that failed, by the monotonic clock.
  std::optional<std::chrono::nanoseconds> next_snapshot_;

  bool is_closing_ = false;
  duration reopen_delay_{0};
  std::uint64_t yields_ = 0;
  std::uint64_t failures_ = 0;
  std::uint64_t snapshots_failed_ = 0;
  std::string last_failure_;
};

} // namespace gnomon
