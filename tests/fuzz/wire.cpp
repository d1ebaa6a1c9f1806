// What clients and workers send, one message after the other, with time going
// by. Input: for each a byte that says which, and its bytes with their count.

#include "tests/fuzz/target.hpp"
#include "tests/fuzz/wire_partition.hpp"

namespace gnomon::fuzz {

void run(bytes_view input) {
  wire_partition partition;
  reader in{input};
  for (int messages = 0; !in.empty() && messages < 32; ++messages)
    switch (in.number(1) % 6) {
    case 0:
      partition.submit(in.counted());
      break;
    case 1:
      partition.ask(in.counted());
      break;
    case 2:
      partition.subscribe(in.counted());
      break;
    case 3:
      partition.advance(in.number(5));
      break;
    case 4:
      partition.control(in.counted());
      break;
    default:
      partition.end_worker();
    }
  partition.check_replay();
}

} // namespace gnomon::fuzz
