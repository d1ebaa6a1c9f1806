#include "tests/jobs/job_story.hpp"

namespace gnomon::testing {

TEST(Jobs, BehaveAsTheModelForRandomCommands) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    job_story{seed}.run(400);
    if (HasFatalFailure())
      return;
  }
}

} // namespace gnomon::testing
