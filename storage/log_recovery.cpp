#include "storage/log_recovery.hpp"

#include "gnomon/check.hpp"
#include "storage/segment.hpp"

#include <algorithm>
#include <utility>

namespace gnomon::storage {

namespace {

constexpr std::uint64_t copy_bytes = 1024 * 1024;

class recovery {
public:
  recovery(file_system& files, const path& directory,
           const log_options& options, const open_hints& hints)
    : files_(files), directory_(directory), options_(options), hints_(hints) {
    // nop
  }

  result<recovered_log> run() {
    if (const auto outcome = create_directory(directory_); !outcome)
      return outcome.error();
    if (const auto outcome = settle_cache(); !outcome)
      return outcome.error();
    auto survey = survey_log(files_, directory_, options_.id, hints_);
    if (!survey)
      return survey.error();
    found_.survey = *std::move(survey);
    found_.report.frames_verified = found_.survey.frames_verified;
    for (const auto step : {&recovery::delete_useless, &recovery::open_active,
                            &recovery::cut_torn_tail, &recovery::reserve})
      if (const auto outcome = (this->*step)(); !outcome)
        return outcome.error();
    return std::move(found_);
  }

private:
  result<void> create_directory(const path& directory) {
    const auto found = files_.exists(directory);
    if (!found)
      return found.error();
    if (!*found)
      if (auto outcome = files_.create_directories(directory); !outcome)
        return outcome;
    return files_.sync_directory(directory.parent_path());
  }

  /// The cache may show frames that a killed process has written but not
  /// synced, and pages whose writing to the disk has failed. Neither may be
  /// acknowledged: sync the former, and drop what is cached of the latter.
  result<void> settle_cache() {
    const auto segments = list_segments(files_, directory_);
    if (!segments)
      return segments.error();
    if (!segments->empty()) {
      const auto name = directory_ / segment_name(segments->back());
      const auto last = files_.open(name, open_mode::existing);
      if (!last)
        return last.error();
      if (auto outcome = (*last)->sync(); !outcome)
        return outcome;
      if (!hints_.keep_cache)
        if (auto outcome = (*last)->drop_cache(0); !outcome)
          return outcome;
    }
    return files_.sync_directory(directory_);
  }

  result<void> delete_useless() {
    auto names = found_.survey.unfinished;
    for (const auto first : found_.survey.empty)
      names.push_back(segment_name(first));
    for (const auto& name : names)
      if (auto outcome = files_.remove(directory_ / name); !outcome)
        return outcome;
    found_.report.segments_deleted = found_.survey.empty.size();
    if (names.empty())
      return {};
    return files_.sync_directory(directory_);
  }

  result<void> open_active() {
    auto active = found_.survey.segments.empty() ? create_first() : open_last();
    if (!active)
      return active.error();
    found_.active = *std::move(active);
    return {};
  }

  result<std::unique_ptr<file>> create_first() {
    GNOMON_CHECK(!found_.survey.last);
    found_.report.created = true;
    found_.survey.segments.push_back(position{1});
    found_.survey.end_offset = segment_header_bytes;
    segment_header header;
    header.id = options_.id;
    header.first = position{1};
    return create_segment(files_, directory_, header, options_.segment_bytes,
                          options_.space);
  }

  result<std::unique_ptr<file>> open_last() {
    return files_.open(active_name(), open_mode::existing);
  }

  path active_name() const {
    return directory_ / segment_name(found_.survey.segments.back());
  }

  result<void> cut_torn_tail() {
    const auto& survey = found_.survey;
    if (survey.torn_bytes == 0)
      return {};
    auto& report = found_.report;
    report.torn_bytes = survey.torn_bytes;
    report.torn_offset = survey.end_offset;
    report.torn_segment = active_name();
    const auto copy = copy_torn_tail();
    if (copy)
      report.torn_copy = *copy;
    else if (copy.error().code != errc::out_of_space)
      // A full device must not keep a partition from starting: the copy is for
      // curiosity, nothing in it was acknowledged.
      return copy.error();
    if (auto outcome = found_.active->truncate(survey.end_offset); !outcome)
      return outcome;
    return found_.active->sync();
  }

  /// @returns The name of the copy.
  result<path> copy_torn_tail() {
    const auto& directory = options_.torn_directory;
    GNOMON_CHECK(!directory.empty());
    if (const auto outcome = create_directory(directory); !outcome)
      return outcome.error();
    const auto name = unused_name(directory);
    if (!name)
      return name.error();
    const auto unfinished = path{*name}.concat(".tmp");
    const auto leftover = files_.exists(unfinished);
    if (!leftover)
      return leftover.error();
    if (*leftover)
      if (const auto outcome = files_.remove(unfinished); !outcome)
        return outcome.error();
    if (const auto outcome = write_copy(unfinished); !outcome) {
      static_cast<void>(files_.remove(unfinished));
      return outcome.error();
    }
    if (const auto outcome = files_.rename(unfinished, *name); !outcome)
      return outcome.error();
    if (const auto outcome = files_.sync_directory(directory); !outcome)
      return outcome.error();
    return *name;
  }

  result<path> unused_name(const path& directory) {
    const auto stem = std::to_string(found_.survey.segments.back().value) + "-"
                      + std::to_string(found_.survey.end_offset) + "-";
    for (std::uint64_t number = 1;; ++number) {
      auto name = directory / (stem + std::to_string(number) + ".torn");
      const auto found = files_.exists(name);
      if (!found)
        return found.error();
      if (!*found)
        return name;
    }
  }

  result<void> write_copy(const path& name) {
    const auto target = files_.open(name, open_mode::create_new);
    if (!target)
      return target.error();
    const auto& survey = found_.survey;
    for (std::uint64_t done = 0; done < survey.torn_bytes; done += copy_bytes) {
      const auto size = std::min(copy_bytes, survey.torn_bytes - done);
      const auto piece = found_.active->read(survey.end_offset + done, size);
      if (!piece)
        return piece.error();
      if (auto outcome = (*target)->write(done, *piece); !outcome)
        return outcome;
    }
    return (*target)->sync();
  }

  /// Sets space aside again; a full device is no reason not to start.
  result<void> reserve() {
    auto outcome = found_.active->allocate(options_.segment_bytes);
    if (!outcome && outcome.error().code != errc::out_of_space)
      return outcome;
    return {};
  }

  file_system& files_;
  const path& directory_;
  const log_options& options_;
  const open_hints& hints_;
  recovered_log found_;
};

} // namespace

result<recovered_log> recover_log(file_system& files, const path& directory,
                                  const log_options& options,
                                  const open_hints& hints) {
  return recovery{files, directory, options, hints}.run();
}

} // namespace gnomon::storage
