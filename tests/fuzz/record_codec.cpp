// Records as the log stores them, and in their exchange form.

#include "messages/record_codec.hpp"

#include "messages/record_exchange.hpp"
#include "tests/fuzz/target.hpp"

namespace gnomon::fuzz {

using namespace messages;

namespace {

record copy_of(const typed_record& source) {
  record copy;
  static_cast<record_header&>(copy) = source;
  copy.rejection_reason = source.rejection_reason;
  copy.idempotency_key = source.idempotency_key;
  copy.value = source.value;
  return copy;
}

/// Takes a record through its exchange form and back.
result<record> exchanged_twice(const record& source) {
  v1::Record exchanged;
  to_exchange(source, exchanged);
  return from_exchange(exchanged);
}

void take_stored(bytes_view input) {
  auto rest = input;
  for (position at{1}; !rest.empty(); at = at.next()) {
    const auto before = rest;
    const auto found = decode_record(rest, at);
    if (!found) {
      GNOMON_CHECK(rest == before);
      return;
    }
    GNOMON_CHECK(found->position == at);
    const auto taken = before.substr(0, before.size() - rest.size());
    bytes again;
    encode_record(*found, again);
    GNOMON_CHECK(again.size() == encoded_size(*found));
    auto second = bytes_view{again};
    const auto same = decode_record(second, at);
    GNOMON_CHECK(same && second.empty());
    GNOMON_CHECK(copy_of(*same) == copy_of(*found));
    GNOMON_CHECK(again.size() == taken.size());
    auto expected = copy_of(*found);
    const auto exchanged = exchanged_twice(expected);
    // The exchange form has no tenant, and means the first version by none.
    expected.tenant = 0;
    expected.value_version = std::max(expected.value_version, std::uint8_t{1});
    GNOMON_CHECK(!exchanged || *exchanged == expected);
  }
}

void take_exchanged(bytes_view input) {
  v1::Record content;
  if (!content.ParseFromArray(input.data(), static_cast<int>(input.size())))
    return;
  if (const auto found = from_exchange(content)) {
    const auto again = exchanged_twice(*found);
    GNOMON_CHECK(again);
    GNOMON_CHECK(*again == *found);
  }
}

} // namespace

void run(bytes_view input) {
  reader in{input};
  const auto exchanged = in.number(1) % 2 == 1;
  if (exchanged)
    take_exchanged(in.rest());
  else
    take_stored(in.rest());
}

} // namespace gnomon::fuzz
