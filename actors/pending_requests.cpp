#include "actors/pending_requests.hpp"

#include "gnomon/check.hpp"
#include "messages/record_exchange.hpp"

#include <utility>

namespace gnomon {

std::shared_ptr<pending_requests::request> pending_requests::begin(promise to,
                                                                   int count) {
  auto result = std::make_shared<request>();
  result->to = std::move(to);
  result->missing = count;
  result->reply.mutable_answers()->Reserve(count);
  for (int i = 0; i < count; ++i)
    result->reply.add_answers();
  if (count == 0)
    result->to.deliver(submit_reply{});
  return result;
}

void pending_requests::expect(std::uint64_t number,
                              std::shared_ptr<request> whose, int index) {
  const auto added = expected_.emplace_hint(expected_.end(), number,
                                            place{std::move(whose), index});
  GNOMON_CHECK(added->second.index == index);
}

void pending_requests::refuse(request& whose, int index, const error& why) {
  auto& answer = *whose.reply.mutable_answers(index);
  answer.set_error_code(static_cast<std::uint32_t>(why.code));
  answer.set_error_context(why.context);
  settle(whose);
}

void pending_requests::answer(const engine::reply& what) {
  const auto found = expected_.find(what.request);
  if (found == expected_.end())
    return;
  auto [whose, index] = std::move(found->second);
  expected_.erase(found);
  *whose->reply.mutable_answers(index)->mutable_outcome()
    = messages::to_exchange(typed_record{what.answer});
  settle(*whose);
}

void pending_requests::fail_all(const error& why) {
  for (auto& [number, place] : std::exchange(expected_, {}))
    refuse(*place.whose, place.index, why);
}

void pending_requests::settle(request& whose) {
  GNOMON_CHECK(whose.missing > 0);
  if (--whose.missing > 0)
    return;
  submit_reply reply;
  whose.reply.SerializeToString(&reply.content);
  whose.to.deliver(std::move(reply));
}

} // namespace gnomon
