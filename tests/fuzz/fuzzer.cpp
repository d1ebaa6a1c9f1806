// Entry of libFuzzer.

#include "tests/fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input,
                                      std::size_t size) {
  gnomon::fuzz::run({reinterpret_cast<const char*>(input), size});
  return 0;
}
