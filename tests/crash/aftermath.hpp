// What a partition has left behind, and whether it is what it must be.

#pragma once

#include "gnomon/key.hpp"
#include "gnomon/partition_options.hpp"
#include "gnomon/position.hpp"

#include <map>
#include <string>

namespace gnomon::crash {

/// Outcomes that a client was told of, by their positions.
using acknowledged_outcomes = std::map<position, key>;

/// Adds what a line of a process says, `POSITION KEY.`; a line that the end of
/// the process has cut says nothing.
void note(const std::string& line, acknowledged_outcomes& into);

/// Opens the partition in this process, lets everything due happen, judges its
/// log by the models of the simulator and its state by its log, and closes it.
/// @returns The first fault; empty if there is none.
std::string judge(const partition_options& options,
                  const acknowledged_outcomes& acknowledged);

} // namespace gnomon::crash
