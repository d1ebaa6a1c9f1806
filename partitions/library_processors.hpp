// The processors that every partition has, before those of the user.

#pragma once

#include "gnomon/partition_options.hpp"
#include "gnomon/record_processor.hpp"

#include <memory>
#include <vector>

namespace gnomon::partitions {

/// Makes the processors of the library's own value types, with their appliers:
/// one set for each time a partition opens or its log is replayed.
std::vector<std::unique_ptr<record_processor>>
library_processors(const partition_options& options);

} // namespace gnomon::partitions
