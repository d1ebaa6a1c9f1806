// Records as JSON, by the mapping of protobuf.

#pragma once

#include "gnomon/v1/record.pb.h"

#include <string>

namespace gnomon::exporters {

/// Appends `source` to `to` as JSON on one line, without its end: what
/// protobuf's `MessageToJsonString` makes of it, but many times faster. Numbers
/// of 64 bits are texts, the value is base64, and fields that are zero or empty
/// are left out.
void append_json(const v1::Record& source, std::string& to);

} // namespace gnomon::exporters
