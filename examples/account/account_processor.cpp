#include "account_processor.hpp"

#include "gnomon/state_key.hpp"

#include "account.pb.h"
#include <limits>
#include <string>

namespace bank {

using namespace gnomon;

namespace {

constexpr auto cents_max = std::numeric_limits<std::int64_t>::max();

template <class Message>
void append_event(result_builder& out, key account, AccountIntent what,
                  const Message& value) {
  out.append_event(account, account_type, {static_cast<std::uint16_t>(what)},
                   value.SerializeAsString());
}

std::string name(key account) {
  return "account " + std::to_string(account.value);
}

Amount amount_of(std::int64_t cents) {
  Amount result;
  result.set_cents(cents);
  return result;
}

// Rejects and returns false unless `cents` may leave `account`.
bool check_withdrawal(key account, std::int64_t cents, result_builder& out) {
  const auto found = balance(out.state(), account);
  if (!found)
    out.reject(rejection_type::not_found,
               "expected " + name(account) + ", but it was never opened");
  else if (cents <= 0)
    out.reject(rejection_type::invalid_argument,
               "expected an amount above 0, but got " + std::to_string(cents));
  else if (*found < cents)
    out.reject(rejection_type::invalid_state,
               "expected " + std::to_string(cents) + " cents in "
                 + name(account) + ", but it has " + std::to_string(*found));
  else
    return true;
  return false;
}

void deposit(key account, std::int64_t cents, result_builder& out) {
  const auto found = balance(out.state(), account);
  if (!found)
    out.reject(rejection_type::not_found,
               "expected " + name(account) + ", but it was never opened");
  else if (cents <= 0 || cents > cents_max - *found)
    out.reject(rejection_type::invalid_argument,
               "expected an amount above 0 that " + name(account)
                 + " can hold, but got " + std::to_string(cents));
  else
    append_event(out, account, ACCOUNT_INTENT_DEPOSITED, amount_of(cents));
}

void withdraw(key account, std::int64_t cents, result_builder& out) {
  if (check_withdrawal(account, cents, out))
    append_event(out, account, ACCOUNT_INTENT_WITHDRAWN, amount_of(cents));
}

// The money leaves here; a follow-up command brings it to the other account.
void transfer(key from, const Transfer& order, result_builder& out) {
  if (!check_withdrawal(from, order.cents(), out))
    return;
  const auto taken = balance(out.state(), {order.to()});
  if (!taken || order.to() == from.value || order.cents() > cents_max - *taken)
    return out.reject(rejection_type::invalid_argument,
                      "expected another account that can hold the amount, but "
                        + name({order.to()}) + " cannot");
  const auto amount = amount_of(order.cents());
  append_event(out, from, ACCOUNT_INTENT_WITHDRAWN, amount);
  out.append_command({order.to()}, account_type, {ACCOUNT_INTENT_DEPOSIT},
                     amount.SerializeAsString());
}

} // namespace

std::optional<std::int64_t> balance(const state_reader& state, key account) {
  const auto entry = state.get(balances, state_key{}.add(account).view());
  return entry ? state_key_reader{*entry}.read_i64() : std::nullopt;
}

bool account_processor::accepts(value_type type, intent what,
                                record_type kind) const {
  if (type != account_type)
    return false;
  switch (what.value) {
  case ACCOUNT_INTENT_OPEN:
  case ACCOUNT_INTENT_DEPOSIT:
  case ACCOUNT_INTENT_WITHDRAW:
  case ACCOUNT_INTENT_TRANSFER:
    return kind == record_type::command;
  case ACCOUNT_INTENT_OPENED:
  case ACCOUNT_INTENT_DEPOSITED:
  case ACCOUNT_INTENT_WITHDRAWN:
    return kind == record_type::event;
  default:
    return false;
  }
}

void account_processor::process(const typed_record& command,
                                result_builder& out) {
  Amount amount;
  Transfer order;
  if (command.intent.value == ACCOUNT_INTENT_OPEN)
    append_event(out, out.next_key(), ACCOUNT_INTENT_OPENED, Amount{});
  else if (command.intent.value == ACCOUNT_INTENT_TRANSFER
             ? !command.parse(order)
             : !command.parse(amount))
    out.reject(rejection_type::invalid_argument,
               "expected an amount, but the value cannot be read");
  else if (command.intent.value == ACCOUNT_INTENT_DEPOSIT)
    deposit(command.key, amount.cents(), out);
  else if (command.intent.value == ACCOUNT_INTENT_WITHDRAW)
    withdraw(command.key, amount.cents(), out);
  else
    transfer(command.key, order, out);
}

void account_processor::replay(const typed_record& event,
                               state_transaction& state) {
  Amount amount;
  if (!event.parse(amount))
    return;
  auto cents = balance(state, event.key).value_or(0);
  if (event.intent.value == ACCOUNT_INTENT_DEPOSITED)
    cents += amount.cents();
  else if (event.intent.value == ACCOUNT_INTENT_WITHDRAWN)
    cents -= amount.cents();
  state.put(balances, state_key{}.add(event.key).view(),
            state_key{}.add(cents).view());
}

processing_error account_processor::on_processing_error(const error&,
                                                        const typed_record&,
                                                        result_builder&) {
  return processing_error::reject;
}

} // namespace bank
