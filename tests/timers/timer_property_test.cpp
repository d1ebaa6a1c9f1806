#include "tests/timers/timer_fixture.hpp"

#include <map>
#include <random>
#include <set>

namespace gnomon::testing {

namespace {

/// What a timer should be, in the simplest terms.
struct model_timer {
  timestamp due;
  duration period{0}; // 0: one-shot
  std::uint64_t number = 1;
  std::string name = {};
};

/// Random commands, each checked against the model.
class timer_story {
public:
  explicit timer_story(std::uint64_t seed)
    : random_(seed), partition_(options()) {
    // nop
  }

  void run(int steps) {
    for (int i = 0; i < steps; ++i) {
      step();
      check();
      if (i % 50 == 0) {
        ASSERT_EQ(partition_.state_.entries, partition_.replayed());
      }
    }
    end();
  }

private:
  static timers::timer_options options() {
    timers::timer_options result;
    result.catch_up.catch_up_max = 1'000'000;
    result.recurrences_cached_max = 3;
    return result;
  }

  std::uint64_t below(std::uint64_t bound) {
    return random_() % bound;
  }

  /// A key that waits, has waited, or never was.
  key some_key() {
    return key::make({1}, 1 + below(keys_ + 1));
  }

  void step() {
    switch (below(8)) {
    case 0:
    case 1:
      return create_one_shot();
    case 2:
      return create_repeating();
    case 3:
      return cancel();
    case 4:
      return reschedule();
    case 5:
      return trigger(some_key());
    default:
      now_ = now_ + duration{static_cast<std::int64_t>(below(20'000))};
      return trigger_all();
    }
  }

  void create(v1::CreateTimer value, model_timer expected) {
    if (below(3) == 0)
      value.set_name("name " + std::to_string(below(4)));
    expected.name = value.name();
    const auto outcome = partition_.create(value, now_);
    if (names_.contains(value.name()))
      return expect_rejection(outcome, rejection_type::already_exists, "");
    ASSERT_EQ(outcome.size(), 1u);
    ++keys_;
    if (!value.name().empty())
      names_.insert(value.name());
    ASSERT_TRUE(model_.emplace(outcome[0].key, expected).second);
  }

  void create_one_shot() {
    v1::CreateTimer value;
    const auto delay = static_cast<std::int64_t>(below(60'000));
    value.mutable_schedule()->set_after_ms(delay);
    create(value, {now_ + duration{delay}});
  }

  void create_repeating() {
    v1::CreateTimer value;
    const auto seconds = static_cast<std::int64_t>(1 + below(30));
    value.mutable_schedule()->set_expression("R/PT" + std::to_string(seconds)
                                             + "S");
    create(value, {now_ + seconds * second, seconds * second});
  }

  void forget(key about) {
    names_.erase(model_.at(about).name);
    model_.erase(about);
  }

  void cancel() {
    const auto about = some_key();
    const auto outcome = partition_.cancel(about, {}, now_);
    if (!model_.contains(about))
      return expect_rejection(outcome, rejection_type::not_found, "");
    ASSERT_EQ(outcome[0].record_type, record_type::event);
    forget(about);
  }

  void reschedule() {
    const auto about = some_key();
    const auto due = now_ + duration{static_cast<std::int64_t>(below(9'000))};
    const auto outcome = partition_.reschedule_due(about, due, now_);
    if (!model_.contains(about))
      return expect_rejection(outcome, rejection_type::not_found, "");
    ASSERT_EQ(outcome[0].record_type, record_type::event);
    model_.at(about).due = due;
    model_.at(about).period = duration{0};
  }

  void trigger(key about) {
    const auto outcome = partition_.trigger(about, now_);
    const auto found = model_.find(about);
    if (found == model_.end())
      return expect_rejection(outcome, rejection_type::not_found, "");
    auto& timer = found->second;
    if (now_ < timer.due)
      return expect_rejection(outcome, rejection_type::invalid_state, "");
    ASSERT_EQ(outcome.size(), 1u);
    const auto triggered = parse<v1::TimerTriggered>(outcome[0]);
    EXPECT_EQ(triggered.occurrence(), timer.number);
    EXPECT_EQ(triggered.due_ms(), timer.due.value);
    ASSERT_TRUE(triggered_.emplace(about, timer.number).second);
    if (timer.period == duration{0})
      return forget(about);
    timer.due = timer.due + timer.period;
    ++timer.number;
  }

  void trigger_all() {
    while (const auto first = due_index::first(partition_.view())) {
      if (first->due > now_)
        return;
      trigger(first->key);
    }
  }

  /// Bodies, due entries and names are exactly those of the model.
  void check() {
    const auto& state = partition_.view();
    ASSERT_EQ(state.count(timers::timer_family), model_.size());
    ASSERT_EQ(due_index::count(state), model_.size());
    ASSERT_EQ(state.count(timers::timer_name_family), names_.size());
    for (const auto& [about, expected] : model_) {
      const auto timer = timers::find_timer(state, about);
      ASSERT_TRUE(timer);
      ASSERT_EQ(timer->pending, (occurrence{expected.number, expected.due}));
      const auto entry = timers::timer_due_entry(about, expected.due);
      ASSERT_TRUE(has_entry(entry));
    }
  }

  bool has_entry(const due_entry& wanted) {
    bool found = false;
    const auto see = [&](const due_entry& entry) {
      found = found || entry == wanted;
      return !found;
    };
    due_index::visit_near(partition_.view(), wanted, see);
    due_index::visit_far(partition_.view(), wanted.due, see);
    return found;
  }

  /// Once all timers have ended, nothing is left.
  void end() {
    const auto rest = model_;
    for (const auto& [about, timer] : rest)
      partition_.cancel(about, {}, now_);
    EXPECT_TRUE(partition_.state_.entries.empty());
    EXPECT_TRUE(partition_.replayed().empty());
  }

  std::mt19937_64 random_;
  timer_partition partition_;
  timestamp now_ = start;
  std::uint64_t keys_ = 0;
  std::map<key, model_timer> model_;
  std::set<std::string> names_;
  std::set<std::pair<key, std::uint64_t>> triggered_;
};

} // namespace

TEST(Timers, BehaveAsTheModelForRandomCommands) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    timer_story{seed}.run(400);
    if (HasFatalFailure())
      return;
  }
}

} // namespace gnomon::testing
