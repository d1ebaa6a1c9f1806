// Stamp: says whether the state on disk may be opened at all. Opening a state
// that an OS crash has torn can abort the process, so this is decided first.

#pragma once

#include "gnomon/position.hpp"
#include "gnomon/result.hpp"
#include "storage/ports/file_system.hpp"
#include "storage/ports/log_id.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gnomon::storage {

/// Names one run of the operating system.
struct boot_id {
  std::array<std::uint8_t, 16> value{};

  friend bool operator==(const boot_id&, const boot_id&) = default;
};

/// Parses 32 hexadecimal digits, with dashes anywhere.
std::optional<boot_id> parse_boot_id(std::string_view text);

/// Where Linux tells its boot id.
inline constexpr const char* boot_id_file = "/proc/sys/kernel/random/boot_id";

/// Reads the boot id of the machine that `files` belong to (`boot_id_file`).
result<boot_id> current_boot_id(file_system& files);

/// Content of the file `stamp`. Plain value.
struct stamp {
  log_id log;
  boot_id boot;

  /// The state was synced and closed, and nothing has opened it since.
  bool clean = false;

  /// A write, commit or sync failed; the state must not be used again.
  bool distrusted = false;

  /// Device and inode of `state/data.mdb`: a copied or restored directory is
  /// not the one that was stamped.
  file_identity state_file;

  /// Position up to which the log was durable at the clean close.
  position durable;

  friend bool operator==(const stamp&, const stamp&) = default;
};

/// Returns the body of the file (52 bytes; `docs/formats/state.md`).
bytes encode(const stamp& source);

/// Replaces the stamp; durable on success, old or new after a crash.
result<void> write_stamp(file_system& files, const path& name,
                         const stamp& content);

/// Reads the stamp. A missing or damaged one is "nothing": it only ever costs
/// a rebuild. `errc::format_too_new` and `errc::io_error` are errors.
result<std::optional<stamp>> read_stamp(file_system& files, const path& name);

/// Makes sure that the state is never trusted again: sets `distrusted`, or
/// removes the stamp if that fails. Fails if neither could be made durable;
/// then the stamp's boot id still guards against the next boot only, and the
/// caller must not reopen in this process.
result<void> distrust(file_system& files, const path& name);

/// Why a state is not trusted; `none` if it is.
enum class distrust_reason : std::uint8_t {
  none,
  no_stamp,
  other_log,
  other_file,
  marked,
  other_boot,
};

/// Returns the name of the enumerator, e.g., "other_boot".
std::string to_string(distrust_reason reason);

/// Decides whether the state may be opened. Pure.
/// @param found       What `read_stamp` returned.
/// @param state_file  Identity of `state/data.mdb` as it is now, if it exists.
distrust_reason judge(const std::optional<stamp>& found, log_id log,
                      const boot_id& boot,
                      const std::optional<file_identity>& state_file);

} // namespace gnomon::storage
