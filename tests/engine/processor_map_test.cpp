#include "engine/record_processor_map.hpp"
#include "gnomon/v1/partition.pb.h"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <tuple>

using namespace gnomon;
using engine::record_processor_map;

namespace {

using kind = std::tuple<value_type, int, record_type>;

class listed_processor : public record_processor {
public:
  explicit listed_processor(std::set<kind> kinds) : kinds_(std::move(kinds)) {
    // nop
  }

  bool accepts(value_type type, intent what, record_type of) const override {
    return kinds_.contains({type, what.value, of});
  }

  void process(const typed_record&, result_builder&) override {
    // nop
  }

  void replay(const typed_record&, state_transaction&) override {
    // nop
  }

  processing_error on_processing_error(const error&, const typed_record&,
                                       result_builder&) override {
    return processing_error::reject;
  }

private:
  std::set<kind> kinds_;
};

constexpr auto command = record_type::command;
constexpr auto event = record_type::event;
constexpr auto type = user_value_type(0);

template <class... Processors>
result<record_processor_map> make(Processors&... each) {
  std::array<record_processor*, sizeof...(each)> all{&each...};
  return record_processor_map::make(all);
}

} // namespace

TEST(ProcessorMap, FindsWhoIsResponsible) {
  listed_processor a{{{type, 1, command}, {type, 2, event}}};
  listed_processor b{{{value_type::timer, 63, command},
                      {value_type::timer, 1, event},
                      {user_value_type(999), 5, event}}};
  const auto map = make(a, b);
  ASSERT_TRUE(map);
  EXPECT_EQ(map->find(type, {1}, command), &a);
  EXPECT_EQ(map->find(type, {2}, event), &a);
  EXPECT_EQ(map->find(value_type::timer, {63}, command), &b);
  EXPECT_EQ(map->find(user_value_type(999), {5}, event), &b);
}

TEST(ProcessorMap, AsksTheLibrarysOwnAboutTheLibrarysTypesOnly) {
  listed_processor own{{{value_type::timer, 1, command},
                        {value_type::timer, 2, event},
                        {type, 1, command}}};
  listed_processor of_user{{{type, 2, event}}};
  std::array<record_processor*, 2> both{&own, &of_user};
  const auto map = record_processor_map::make(both, 1);
  ASSERT_TRUE(map);
  EXPECT_EQ(map->find(value_type::timer, {1}, command), &own);
  EXPECT_EQ(map->find(type, {1}, command), nullptr);
  EXPECT_EQ(map->find(type, {2}, event), &of_user);
}

TEST(ProcessorMap, FindsNobodyForAllElse) {
  listed_processor a{{{type, 1, command}, {type, 2, event}}};
  const auto map = make(a);
  ASSERT_TRUE(map);
  EXPECT_EQ(map->find(type, {2}, command), nullptr);
  EXPECT_EQ(map->find(type, {1}, event), nullptr);
  EXPECT_EQ(map->find(type, {1}, record_type::command_rejection), nullptr);
  EXPECT_EQ(map->find(type, {0}, command), nullptr);
  EXPECT_EQ(map->find(type, {64}, command), nullptr);
  EXPECT_EQ(map->find(type, {65'535}, command), nullptr);
  EXPECT_EQ(map->find(user_value_type(1'000), {1}, command), nullptr);
  EXPECT_EQ(map->find(static_cast<value_type>(65'535), {1}, command), nullptr);
  EXPECT_EQ(map->find(value_type::unspecified, {1}, command), nullptr);
}

TEST(ProcessorMap, RefusesTwoProcessorsForOneKind) {
  listed_processor a{{{type, 1, command}, {type, 2, event}}};
  listed_processor b{{{type, 2, event}}};
  const auto map = make(a, b);
  ASSERT_FALSE(map);
  EXPECT_EQ(map.error().code, errc::invalid_argument);
}

TEST(ProcessorMap, RefusesAProcessorForTheEnginesOwnKinds) {
  listed_processor a{
    {{value_type::idempotency, v1::IDEMPOTENCY_INTENT_EXPIRE, command}}};
  EXPECT_FALSE(make(a));
}

TEST(ProcessorMap, RefusesCommandsWhoseEventsNobodyApplies) {
  listed_processor decides{{{type, 1, command}}};
  EXPECT_FALSE(make(decides));
  listed_processor applies{{{type, 2, event}}};
  EXPECT_TRUE(make(decides, applies));
}
