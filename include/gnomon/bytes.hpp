// Bytes, owned and borrowed. Protobuf and CAF both speak std::string, so the
// library does too: no conversion on the way from the wire to the log.

#pragma once

#include <string>
#include <string_view>

namespace gnomon {

/// A sequence of bytes, not text.
using bytes = std::string;

/// A borrowed sequence of bytes; the owner is named where it is handed out.
using bytes_view = std::string_view;

} // namespace gnomon
