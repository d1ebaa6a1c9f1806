// The wheel against a multimap that cannot be wrong.

#include "gnomon/timing_wheel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <unordered_map>
#include <vector>

namespace gnomon {

namespace {

constexpr auto never = timing_wheel::never;

std::uint64_t plus(std::uint64_t a, std::uint64_t b) {
  return a > never - b ? never : a + b;
}

/// What one run of the fuzzer draws from.
struct scenario {
  std::uint64_t seed = 0;
  std::uint64_t start = 0;
  std::uint64_t resolution = 1;
};

/// Runs random operations on a wheel and on a model of it.
class fuzzer {
public:
  explicit fuzzer(const scenario& plan)
    : random_(plan.seed), resolution_(plan.resolution), now_(plan.start),
      wheel_({.start = plan.start, .resolution = plan.resolution}) {
    limited_ = draw(2) == 0;
    cancels_ = draw(3) != 0;
    delay_bits_ = 1 + draw(63);
    jump_bits_ = 1 + draw(44);
  }

  void run(int steps) {
    for (int step = 0; step < steps && !::testing::Test::HasFailure(); ++step) {
      const auto dice = draw(10);
      if (dice < 5)
        schedule();
      else if (dice < 7)
        cancel();
      else
        advance();
      check_invariants();
    }
    drain();
  }

private:
  struct entry {
    timer_handle handle;
    std::uint64_t asked_due = 0;
    std::uint64_t effective_tick = 0;
    std::uint64_t round = 0;
  };

  std::uint64_t draw(std::uint64_t bound) {
    return random_() % bound;
  }

  /// Draws a number of at most `bits` bits, small and round ones often.
  std::uint64_t draw_bits(std::uint64_t bits) {
    const auto kind = draw(4);
    const auto top = std::uint64_t{1} << draw(bits);
    if (kind == 0)
      return top - 1 + draw(3);
    if (kind == 1)
      return draw(70);
    return draw(top);
  }

  std::uint64_t tick_of(std::uint64_t due) const {
    return due / resolution_ + (due % resolution_ != 0 ? 1 : 0);
  }

  void schedule() {
    auto due = plus(now_, draw_bits(delay_bits_));
    if (draw(20) == 0)
      due = draw(2) == 0 ? draw(now_ / 2 + 1) : never - draw(3);
    const auto handle = wheel_.schedule(due, ++last_payload_);
    ASSERT_TRUE(wheel_.contains(handle));
    const auto tick = std::max(tick_of(due), now_ / resolution_);
    model_[last_payload_] = {handle, due, tick, round_};
    by_tick_.emplace(tick, last_payload_);
    payloads_.push_back(last_payload_);
  }

  void cancel() {
    if (payloads_.empty() || !cancels_)
      return;
    const auto i = draw(payloads_.size());
    const auto payload = payloads_[i];
    payloads_[i] = payloads_.back();
    payloads_.pop_back();
    const auto found = model_.find(payload);
    if (found == model_.end()) {
      ASSERT_FALSE(wheel_.cancel(gone_.at(payload)));
      return;
    }
    const auto handle = found->second.handle;
    ASSERT_TRUE(wheel_.cancel(handle));
    ASSERT_FALSE(wheel_.cancel(handle));
    forget(payload);
    canceled_any_ = true;
  }

  void forget(std::uint64_t payload) {
    const auto found = model_.find(payload);
    auto [first, last] = by_tick_.equal_range(found->second.effective_tick);
    by_tick_.erase(std::find_if(
      first, last, [&](const auto& x) { return x.second == payload; }));
    gone_[payload] = found->second.handle;
    model_.erase(found);
  }

  void advance() {
    auto to = plus(now_, draw_bits(jump_bits_));
    if (draw(8) == 0)
      to = now_ - std::min<std::uint64_t>(now_, draw(1000));
    if (draw(4) == 0 && wheel_.next())
      to = *wheel_.next();
    advance_to(to, limited_ ? draw(40) : never);
  }

  void advance_to(std::uint64_t to, std::uint64_t budget) {
    ++round_;
    now_ = std::max(now_, to);
    last_tick_ = 0;
    last_payload_in_tick_ = 0;
    std::uint64_t count = 0;
    const auto outcome
      = wheel_.advance(to, budget, [&](const expired_timer& timer) {
          ++count;
          expired(timer);
        });
    unfinished_ = outcome.more;
    last_count_ = count;
    ASSERT_EQ(outcome.expired_count, count);
    ASSERT_LE(count, std::max<std::uint64_t>(budget, 1));
    ASSERT_EQ(wheel_.now(), now_);
    if (!outcome.more) {
      // Nothing that was due before the call is left.
      for (const auto& [tick, payload] : by_tick_) {
        if (tick > now_ / resolution_)
          break;
        ASSERT_EQ(model_.at(payload).round, round_);
      }
    }
  }

  void expired(const expired_timer& timer) {
    const auto found = model_.find(timer.payload);
    ASSERT_NE(found, model_.end()) << "expired twice or after cancel";
    const auto what = found->second;
    ASSERT_EQ(what.handle, timer.handle);
    ASSERT_LE(what.asked_due, now_) << "early";
    ASSERT_LE(what.effective_tick, now_ / resolution_) << "early by the tick";
    ASSERT_LT(what.round, round_) << "in the call that scheduled it";
    check_order(what, timer.payload);
    ASSERT_FALSE(wheel_.contains(timer.handle));
    forget(timer.payload);
    ASSERT_EQ(wheel_.size(), model_.size());
    reenter(timer);
  }

  void check_order(const entry& what, std::uint64_t payload) {
    ASSERT_GE(what.effective_tick, last_tick_) << "order of ticks";
    if (what.effective_tick == last_tick_ && !limited_) {
      ASSERT_GT(payload, last_payload_in_tick_) << "order within a tick";
    }
    last_tick_ = what.effective_tick;
    last_payload_in_tick_ = payload;
  }

  void reenter(const expired_timer& timer) {
    ASSERT_FALSE(wheel_.cancel(timer.handle));
    const auto dice = draw(6);
    if (dice == 0)
      schedule();
    if (dice == 1)
      cancel();
    if (dice == 2) {
      const auto nested = wheel_.advance(now_, 5, [](const expired_timer&) {
        ADD_FAILURE() << "nested advance";
      });
      ASSERT_EQ(nested.expired_count, 0u);
    }
  }

  void check_invariants() {
    ASSERT_EQ(wheel_.size(), model_.size());
    const auto next = wheel_.next();
    ASSERT_EQ(next.has_value(), !model_.empty());
    if (!next)
      return;
    const auto tick = by_tick_.begin()->first;
    const auto time = tick > never / resolution_ ? never : tick * resolution_;
    const auto exact = std::max(time, now_);
    ASSERT_LE(*next, exact);
    if (!canceled_any_) {
      ASSERT_EQ(*next, exact);
    }
  }

  /// Lets all but the unreachable ones expire, one wake-up at a time.
  void drain() {
    int empty_in_a_row = 0;
    while (!::testing::Test::HasFailure()) {
      const auto next = wheel_.next();
      if (!next || *next == never || model_.size() < 3)
        return;
      const auto was_unfinished = unfinished_;
      advance_to(*next, limited_ ? 1 + draw(40) : never);
      const auto is_idle = last_count_ == 0;
      empty_in_a_row
        = is_idle && !unfinished_ && !was_unfinished ? empty_in_a_row + 1 : 0;
      ASSERT_LE(empty_in_a_row, 11) << "wakes up in vain";
      if (!canceled_any_ && !limited_) {
        ASSERT_FALSE(is_idle) << "empty wake-up without cancels";
      }
    }
  }

  std::mt19937_64 random_;
  std::uint64_t resolution_;
  std::uint64_t now_;
  timing_wheel wheel_;
  bool limited_ = false;
  bool cancels_ = false;
  bool unfinished_ = false;
  bool canceled_any_ = false;
  std::uint64_t delay_bits_ = 1;
  std::uint64_t jump_bits_ = 1;
  std::uint64_t round_ = 0;
  std::uint64_t last_count_ = 0;
  std::uint64_t last_payload_ = 0;
  std::uint64_t last_tick_ = 0;
  std::uint64_t last_payload_in_tick_ = 0;
  std::map<std::uint64_t, entry> model_;
  std::multimap<std::uint64_t, std::uint64_t> by_tick_;
  std::unordered_map<std::uint64_t, timer_handle> gone_;
  std::vector<std::uint64_t> payloads_;
};

void run_all(std::uint64_t start, std::uint64_t resolution, int seeds) {
  for (int seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed << " start " << start
                                      << " resolution " << resolution);
    const auto mixed = static_cast<std::uint64_t>(seed) * 7919 + start;
    fuzzer{{mixed, start, resolution}}.run(600);
    if (::testing::Test::HasFailure())
      return;
  }
}

} // namespace

TEST(TimingWheelFuzz, AgreesWithTheModelFromZero) {
  run_all(0, 1, 300);
}

TEST(TimingWheelFuzz, AgreesWithTheModelAtEveryCarry) {
  for (unsigned bits = 1; bits <= 63; ++bits)
    run_all((std::uint64_t{1} << bits) - 1, 1, 5);
}

TEST(TimingWheelFuzz, AgreesWithTheModelNearTheEndOfTime) {
  for (std::uint64_t distance : {1u, 2u, 63u, 64u, 65u, 4096u, 100'000u})
    run_all(never - distance, 1, 10);
}

TEST(TimingWheelFuzz, AgreesWithTheModelForEveryResolution) {
  for (std::uint64_t resolution : {2u, 7u, 64u, 100u, 1000u}) {
    run_all(0, resolution, 30);
    run_all(1'704'067'200'123, resolution, 30);
    run_all(never - 12'345, resolution, 10);
  }
}

TEST(TimingWheelFuzz, AgreesWithTheModelForManySeeds) {
  std::mt19937_64 random{20240229};
  for (int i = 0; i < 60; ++i)
    run_all(random() >> (random() % 64), 1 + random() % 50, 5);
}

} // namespace gnomon
