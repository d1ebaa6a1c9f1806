#include "gnomon/exporter.hpp"
#include "tests/actors/actor_fixture.hpp"

#include <caf/typed_response_promise.hpp>

#include <stdexcept>

namespace gnomon {

namespace {

using namespace std::chrono_literals;

using positions = std::vector<std::uint64_t>;

/// Answers a batch when a test sends its number, as the other message.
class slow_exporter : public exporter::base {
public:
  using promises = std::vector<caf::typed_response_promise<export_reply>>;

  slow_exporter(caf::actor_config& cfg, std::shared_ptr<promises> waiting)
    : exporter::base(cfg), waiting_(std::move(waiting)) {
    // nop
  }

  behavior_type make_behavior() override {
    return {
      [this](const export_batch&) -> caf::result<export_reply> {
        waiting_->push_back(make_response_promise<export_reply>());
        return waiting_->back();
      },
      [this](const exporter_detached& x) -> caf::result<void> {
        waiting_->at(std::stoul(x.content)).deliver(export_reply{});
        return caf::unit;
      },
    };
  }

private:
  std::shared_ptr<promises> waiting_;
};

class Exporter : public actor_fixture {
protected:
  Exporter() {
    how.name = "test";
    how.detached = false;
  }

  /// Creates timers in frames of their own.
  void create(int count) {
    for (int i = 0; i < count; ++i)
      submit_one(to_command(create_timer{.when = 1h, .payload = payload}));
  }

  void attach() {
    what = spawn_exporter(
      sys, whom, [this](const v1::ExportBatch& batch) { return take(batch); },
      how);
    dispatch_messages();
  }

  result<void> take(const v1::ExportBatch& batch) {
    if (refuse)
      throw std::runtime_error("no");
    for (const auto& x : batch.records()) {
      seen.push_back(x.position());
      types.push_back(x.value_type());
    }
    return {};
  }

  void detach() {
    self_->send_exit(what, caf::exit_reason::user_shutdown);
    what = nullptr;
    dispatch_messages();
  }

  void close() {
    ASSERT_TRUE(control_with(v1::CONTROL_OPERATION_CLOSE));
    what = nullptr;
    dispatch_messages();
  }

  /// Goes on with a copy of the directory, as if this process had been killed.
  void kill_and_open() {
    const auto copy = directory / "copy";
    std::filesystem::create_directories(copy);
    for (const auto& entry : std::filesystem::directory_iterator(directory))
      if (entry.path() != copy)
        std::filesystem::copy(entry.path(), copy / entry.path().filename(),
                              std::filesystem::copy_options::recursive);
    close();
    options.directory = copy;
    open();
  }

  v1::ExporterStatus exporter_status() {
    const auto now = status();
    EXPECT_EQ(now.exporters_size(), 1);
    return now.exporters_size() == 1 ? now.exporters(0) : v1::ExporterStatus{};
  }

  void snapshot() {
    ASSERT_TRUE(control_with(v1::CONTROL_OPERATION_SNAPSHOT));
  }

  /// Expects all positions from `first` to the last one, each once.
  void expect_all_from(std::uint64_t first) {
    positions wanted;
    for (auto i = first; i <= status().last_position(); ++i)
      wanted.push_back(i);
    EXPECT_EQ(seen, wanted);
  }

  exporter_options how;
  exporter what;
  positions seen;
  std::vector<std::uint32_t> types;
  std::string payload;
  bool refuse = false;
};

/// One with segments of a few commands.
class ExporterOfManySegments : public Exporter {
protected:
  ExporterOfManySegments() {
    options.segment_bytes = 128 << 10;
    options.batch_bytes_max = 64 << 10;
    options.exporter_lag_bytes_max = 1 << 20;
    payload = std::string(30 << 10, 'p');
  }

  /// Makes two snapshots with so many segments in front of each.
  void grow_and_snapshot(int segments) {
    for (int i = 0; i < 2; ++i) {
      create(segments);
      snapshot();
    }
  }

  std::uint64_t first_segment() {
    std::uint64_t first = ~std::uint64_t{0};
    for (const auto& entry : std::filesystem::directory_iterator(
           directory / "partition-00001" / "log"))
      if (entry.path().extension() != ".spare")
        first = std::min<std::uint64_t>(
          first, std::strtoull(entry.path().stem().c_str(), nullptr, 10));
    return first;
  }
};

} // namespace

TEST_F(Exporter, GetsAllRecordsInOrder) {
  open();
  create(2);
  attach();
  create(3);
  expect_all_from(1);
  EXPECT_EQ(exporter_status().acknowledged_position(),
            status().durable_position());
}

TEST_F(Exporter, GetsOnlyTheValueTypesItAsksFor) {
  open();
  how.value_types = {value_type::timer};
  create(2);
  attach();
  ASSERT_FALSE(seen.empty());
  for (const auto type : types)
    EXPECT_EQ(type, static_cast<std::uint32_t>(value_type::timer));
  EXPECT_EQ(exporter_status().acknowledged_position(),
            status().last_position());
}

TEST_F(Exporter, IsAcknowledgedForWhatItDoesNotAskFor) {
  open();
  how.value_types = {user_value_type(0)};
  create(2);
  attach();
  EXPECT_TRUE(seen.empty());
  EXPECT_EQ(exporter_status().acknowledged_position(),
            status().last_position());
}

TEST_F(Exporter, GoesOnWithoutAGapAfterItWasAway) {
  open();
  attach();
  create(2);
  detach();
  EXPECT_FALSE(exporter_status().attached());
  create(2);
  attach();
  expect_all_from(1);
}

TEST_F(Exporter, GoesOnWithoutAGapOrARepeatAfterAClose) {
  open();
  attach();
  create(2);
  close();
  open();
  attach();
  create(1);
  expect_all_from(1);
}

TEST_F(Exporter, GetsAgainWhatWasNotKeptWhenTheProcessWasKilled) {
  open();
  attach();
  create(2);
  kill_and_open();
  seen.clear();
  attach();
  expect_all_from(1);
}

TEST_F(Exporter, GetsNothingAgainThatWasKept) {
  options.exporter_repeat_bytes_max = 1;
  open();
  attach();
  create(2);
  const auto last = exporter_status().acknowledged_position();
  kill_and_open();
  seen.clear();
  attach();
  expect_all_from(last + 1);
}

TEST_F(Exporter, ThatThrowsGetsTheBatchAgain) {
  open();
  refuse = true;
  attach();
  create(2);
  EXPECT_TRUE(seen.empty());
  EXPECT_EQ(exporter_status().acknowledged_position(), 0u);
  EXPECT_EQ(exporter_status().failures(), 1u);
  refuse = false;
  advance(options.exporter_retry_delay - 1ms);
  EXPECT_TRUE(seen.empty());
  advance(1ms);
  expect_all_from(1);
}

TEST_F(Exporter, IsNotSentMoreThanItHasRoomFor) {
  payload = std::string(1'000, 'p');
  open();
  auto waiting = std::make_shared<slow_exporter::promises>();
  what = sys.spawn<slow_exporter>(waiting);
  v1::AttachExporter request;
  request.set_name("slow");
  request.set_batch_bytes_max(2'000);
  request.set_batches_max(2);
  auto pending
    = mail_as(self_.ptr(),
              attach_exporter{{wire_version, request.SerializeAsString()}},
              what)
        .request(whom, caf::infinite);
  dispatch_messages();
  std::move(pending).receive(
    [](const attach_reply&) {},
    [](const caf::error& why) { FAIL() << to_string(why); });
  create(5);
  ASSERT_EQ(waiting->size(), 2u);
  EXPECT_EQ(exporter_status().unacknowledged_batches(), 2u);
  mail_as(self_.ptr(), exporter_detached{{wire_version, "1"}}).send(what);
  dispatch_messages();
  EXPECT_EQ(waiting->size(), 2u);
  mail_as(self_.ptr(), exporter_detached{{wire_version, "0"}}).send(what);
  dispatch_messages();
  EXPECT_EQ(waiting->size(), 4u);
  detach();
}

TEST_F(Exporter, IsRefusedWithABadName) {
  open();
  how.name = "../bad";
  attach();
  create(1);
  EXPECT_TRUE(seen.empty());
  EXPECT_EQ(status().exporters_size(), 0);
}

TEST_F(Exporter, IsForgottenOnRequest) {
  open();
  attach();
  create(1);
  v1::ControlRequest request;
  request.set_operation(v1::CONTROL_OPERATION_FORGET_EXPORTER);
  request.set_exporter("test");
  const control message{{wire_version, request.SerializeAsString()}};
  EXPECT_TRUE(this->request<control_reply>(message));
  EXPECT_EQ(status().exporters_size(), 0);
  EXPECT_EQ(this->request<control_reply>(message).error().code,
            errc::not_found);
  close();
  open();
  EXPECT_EQ(status().exporters_size(), 0);
}

TEST_F(Exporter, WritesJsonLines) {
  open();
  create(2);
  what = spawn_json_exporter(sys, whom, {.directory = directory / "json"}, how);
  dispatch_messages();
  EXPECT_EQ(exporter_status().acknowledged_position(),
            status().last_position());
  EXPECT_GT(
    std::filesystem::file_size(directory / "json" / "records-0000000001.jsonl"),
    0u);
}

TEST_F(ExporterOfManySegments, KeepsTheLogThatItStillNeeds) {
  open();
  attach();
  detach();
  grow_and_snapshot(4);
  EXPECT_EQ(first_segment(), 1u);
  attach();
  expect_all_from(1);
  grow_and_snapshot(1);
  EXPECT_GT(first_segment(), 1u);
}

TEST_F(ExporterOfManySegments, IsDetachedWhenItLagsTooMuch) {
  options.exporter_lag_bytes_max = 256 << 10;
  open();
  attach();
  detach();
  grow_and_snapshot(8);
  EXPECT_FALSE(exporter_status().detached_reason().empty());
  EXPECT_GT(first_segment(), 1u);
  seen.clear();
  attach();
  EXPECT_TRUE(seen.empty());
  how.accept_gap = true;
  attach();
  ASSERT_FALSE(seen.empty());
  expect_all_from(seen.front());
  EXPECT_TRUE(exporter_status().detached_reason().empty());
}

TEST_F(ExporterOfManySegments, DetachesOnlyTheSlowest) {
  options.exporter_lag_bytes_max = 256 << 10;
  open();
  attach();
  detach();
  how.name = "other";
  attach();
  grow_and_snapshot(8);
  const auto now = status();
  ASSERT_EQ(now.exporters_size(), 2);
  EXPECT_TRUE(now.exporters(0).detached_reason().empty());
  EXPECT_FALSE(now.exporters(1).detached_reason().empty());
  EXPECT_GT(first_segment(), 1u);
}

} // namespace gnomon
