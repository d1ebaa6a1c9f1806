#include "actors/pending_requests.hpp"

#include "gnomon/check.hpp"
#include "messages/record_exchange.hpp"

#include "partitions/partition_metrics.hpp"
#include <algorithm>
#include <utility>

namespace gnomon {

std::shared_ptr<pending_requests::request> pending_requests::begin(promise to,
                                                                   int count) {
  auto result = std::make_shared<request>();
  result->to = std::move(to);
  result->missing = count;
  if (time_)
    result->begin = time_->monotonic();
  result->reply.mutable_answers()->Reserve(count);
  for (int i = 0; i < count; ++i)
    result->reply.add_answers();
  if (count == 0)
    result->to.deliver(submit_reply{});
  return result;
}

void pending_requests::expect(std::uint64_t number,
                              std::shared_ptr<request> whose, int index) {
  GNOMON_CHECK(whose != nullptr);
  GNOMON_CHECK(expected_.empty() || expected_.back().number < number);
  expected_.push_back({number, std::move(whose), index});
}

void pending_requests::refuse(request& whose, int index, const error& why) {
  auto& answer = *whose.reply.mutable_answers(index);
  answer.set_error_code(static_cast<std::uint32_t>(why.code));
  answer.set_error_context(why.context);
  settle(whose);
}

void pending_requests::answer(engine::reply what) {
  const auto found
    = std::ranges::lower_bound(expected_, what.request, {}, &place::number);
  if (found == expected_.end() || found->number != what.request
      || !found->whose)
    return;
  const auto whose = std::exchange(found->whose, nullptr);
  const auto index = found->index;
  while (!expected_.empty() && !expected_.front().whose)
    expected_.pop_front();
  messages::to_exchange(
    std::move(what.answer),
    *whose->reply.mutable_answers(index)->mutable_outcome());
  settle(*whose);
}

void pending_requests::fail_all(const error& why) {
  for (auto& place : std::exchange(expected_, {}))
    if (place.whose)
      refuse(*place.whose, place.index, why);
}

void pending_requests::settle(request& whose) {
  GNOMON_CHECK(whose.missing > 0);
  if (--whose.missing > 0)
    return;
  if (time_)
    acknowledgement_us_.observe(
      partitions::microseconds_since(*time_, whose.begin));
  submit_reply reply;
  whose.reply.SerializeToString(&reply.content);
  whose.to.deliver(std::move(reply));
}

} // namespace gnomon
