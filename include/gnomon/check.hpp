// Checks for promises of our own code, on in every build. Bytes that come from
// a disk or a peer never trip a check: they are errors.

#pragma once

#include <cstdio>
#include <cstdlib>

namespace gnomon::detail {

[[noreturn]] inline void check_failed(const char* file, int line,
                                      const char* condition) {
  std::fprintf(stderr, "gnomon: broken promise at %s:%d: %s\n", file, line,
               condition);
  std::abort();
}

} // namespace gnomon::detail

/// Stops the process if `condition` is false. One condition a check.
#define GNOMON_CHECK(condition)                                                \
  do {                                                                         \
    if (!(condition)) [[unlikely]]                                             \
      ::gnomon::detail::check_failed(__FILE__, __LINE__, #condition);          \
  } while (false)
