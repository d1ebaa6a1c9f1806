// Takes apart what a partition hands over to workers.

#pragma once

#include "gnomon/v1/job.pb.h"
#include "jobs/job_processor.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace gnomon::test {

struct pushed_job {
  std::string worker;
  v1::Job job;
};

/// Returns the jobs in a delivery; none, and a failed test, if it has none.
inline std::vector<pushed_job> pushed_jobs(const auto& what) {
  v1::JobPush push;
  v1::Jobs content;
  EXPECT_EQ(what.channel, jobs::job_channel);
  EXPECT_TRUE(push.ParseFromString(what.content));
  EXPECT_TRUE(content.ParseFromString(push.jobs()));
  EXPECT_GT(content.jobs_size(), 0);
  std::vector<pushed_job> result;
  for (const auto& each : content.jobs())
    result.push_back({push.worker(), each});
  return result;
}

} // namespace gnomon::test
