#include "tests/support/memory_log.hpp"

#include "gnomon/check.hpp"
#include "messages/record_codec.hpp"

namespace gnomon::test {

namespace {

// FNV-1a over the frame before and the bytes of this one.
storage::chain_value chain_behind(storage::chain_value before,
                                  bytes_view records) {
  auto mixed = before.value ^ 0xCBF29CE484222325u;
  for (unsigned char each : records)
    mixed = (mixed ^ each) * 0x100000001B3u;
  return {mixed};
}

} // namespace

position memory_log::last_position() const {
  return frames_.empty() ? position{} : frames_.back().last();
}

result<storage::chain_value> memory_log::seal(const storage::frame_body& body) {
  GNOMON_CHECK(body.first == last_position().next());
  GNOMON_CHECK(body.record_count > 0);
  const auto before
    = frames_.empty() ? storage::chain_value{} : frames_.back().chain;
  const auto chain = chain_behind(before, body.records);
  sealed_ = frame{body.first, body.record_count, body.next_key,
                  bytes{body.records}, chain};
  return chain;
}

result<void> memory_log::write() {
  GNOMON_CHECK(sealed_.has_value());
  if (!write_faults.empty()) {
    const auto what = write_faults.front();
    write_faults.pop_front();
    return what;
  }
  frames_.push_back(std::move(*sealed_));
  sealed_.reset();
  return {};
}

std::vector<record> memory_log::records() const {
  std::vector<record> all;
  for (const auto& each : frames_) {
    bytes_view rest = each.records;
    for (auto at = each.first; at <= each.last(); at = at.next()) {
      const auto found = messages::decode_record(rest, at);
      GNOMON_CHECK(found);
      all.push_back({*found, std::string{found->rejection_reason},
                     std::string{found->idempotency_key}, bytes{found->value}});
    }
    GNOMON_CHECK(rest.empty());
  }
  return all;
}

void memory_log::truncate(std::size_t count) {
  GNOMON_CHECK(count <= frames_.size());
  frames_.resize(count);
}

} // namespace gnomon::test
