#include "storage/file_hash.hpp"

#include "gnomon/check.hpp"

#include <xxhash.h>

#include <functional>

namespace gnomon::storage {

namespace {

constexpr std::size_t piece_bytes = 1 << 20;

struct free_hash {
  void operator()(XXH3_state_t* state) const {
    XXH3_freeState(state);
  }
};

using piece_visitor
  = std::function<result<void>(std::uint64_t offset, bytes_view piece)>;

// Hands `name` to `visitor` piece by piece and sums it.
result<file_sum> read_pieces(file_system& files, const path& name,
                             const piece_visitor& visitor) {
  std::unique_ptr<XXH3_state_t, free_hash> hash{XXH3_createState()};
  GNOMON_CHECK(hash != nullptr);
  XXH3_64bits_reset(hash.get());
  auto opened = files.open(name, open_mode::read_only);
  if (!opened)
    return opened.error();
  if (auto done = (*opened)->drop_cache(0); !done)
    return done.error();
  file_sum sum;
  for (;;) {
    auto piece = (*opened)->read(sum.size, piece_bytes);
    if (!piece)
      return piece.error();
    if (piece->empty())
      break;
    if (auto done = visitor(sum.size, *piece); !done)
      return done.error();
    XXH3_64bits_update(hash.get(), piece->data(), piece->size());
    sum.size += piece->size();
  }
  sum.hash = XXH3_64bits_digest(hash.get());
  return sum;
}

} // namespace

result<file_sum> hash_file(file_system& files, const path& name) {
  return read_pieces(files, name,
                     [](std::uint64_t, bytes_view) { return result<void>{}; });
}

result<file_sum> copy_file(file_system& files, const path& source,
                           const path& target) {
  auto to = files.open(target, open_mode::create_new);
  if (!to)
    return to.error();
  auto sum
    = read_pieces(files, source, [&](std::uint64_t offset, bytes_view piece) {
        return (*to)->write(offset, piece);
      });
  if (!sum)
    return sum;
  if (auto done = (*to)->sync(); !done)
    return done.error();
  return sum;
}

} // namespace gnomon::storage
