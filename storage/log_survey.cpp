#include "storage/log_survey.hpp"

#include "gnomon/check.hpp"
#include "storage/segment_cursor.hpp"
#include "storage/segment_scan.hpp"

#include <algorithm>
#include <memory>
#include <optional>

namespace gnomon::storage {

namespace {

struct segment_on_disk {
  position first;
  std::optional<segment_header> header;
  std::unique_ptr<file> content;
};

std::string numbered(position what) {
  return std::to_string(what.value);
}

class surveyor {
public:
  surveyor(file_system& files, const path& directory, log_id id,
           const open_hints& hints)
    : files_(files), directory_(directory), id_(id), hints_(hints) {
    found_.durable = hints.durable_at_least;
  }

  result<log_survey> run() {
    for (const auto step :
         {&surveyor::list, &surveyor::read_headers, &surveyor::set_empty_aside,
          &surveyor::judge_headers, &surveyor::walk})
      if (const auto outcome = (this->*step)(); !outcome)
        return outcome.error();
    return std::move(found_);
  }

private:
  path name_of(position first) const {
    return directory_ / segment_name(first);
  }

  result<void> list() {
    const auto names = files_.list(directory_);
    if (!names)
      return names.error();
    for (const auto& name : *names) {
      if (const auto first = parse_segment_name(name))
        segments_.push_back({*first, std::nullopt, nullptr});
      else if (name.ends_with(".tmp"))
        found_.unfinished.push_back(name);
    }
    return {};
  }

  /// Reads all headers before anything is judged: what is newer than we know
  /// must not be taken for damage.
  result<void> read_headers() {
    for (auto& segment : segments_) {
      auto content = files_.open(name_of(segment.first), open_mode::read_only);
      if (!content)
        return content.error();
      const auto head = (*content)->read(0, segment_header_bytes);
      if (!head)
        return head.error();
      segment.content = *std::move(content);
      segment.header = decode_segment_header(*head);
      if (segment.header && segment.header->version > log_format_version)
        return {errc::format_too_new,
                name_of(segment.first).string() + ": version "
                  + std::to_string(segment.header->version)
                  + ", expected up to " + std::to_string(log_format_version)};
    }
    return {};
  }

  /// A last segment with a torn header holds nothing if all behind the header
  /// is zero: frames are only written once the header is durable.
  result<void> set_empty_aside() {
    while (!segments_.empty() && !segments_.back().header) {
      const auto& last = segments_.back();
      const auto rest
        = scan_remainder(*last.content, segment_header_bytes, id_, {});
      if (!rest)
        return rest.error();
      const auto is_start = segments_.size() == 1 && last.first == position{1};
      if (rest->used_bytes > 0 || (segments_.size() == 1 && !is_start))
        return damaged_header(last.first);
      prove_durable({last.first.value - 1});
      found_.empty.push_back(last.first);
      segments_.pop_back();
    }
    return {};
  }

  result<void> judge_headers() {
    std::uint64_t epoch = 0;
    for (const auto& [first, header, content] : segments_) {
      if (!header || header->first != first)
        return damaged_header(first);
      if (header->id != id_)
        return {errc::wrong_identity,
                name_of(first).string() + ": belongs to another log"};
      if (header->epoch < epoch)
        return {errc::two_writers,
                name_of(first).string() + ", position " + numbered(first)
                  + ": epoch " + std::to_string(header->epoch)
                  + " behind epoch " + std::to_string(epoch)};
      epoch = header->epoch;
      // Rolling syncs the old segment before the new one gets its name.
      prove_durable({first.value - 1});
      prove_durable(header->durable);
      found_.segments.push_back(first);
    }
    return {};
  }

  result<void> damaged_header(position first) const {
    return {errc::corrupted, name_of(first).string() + ", offset 0, position "
                               + numbered(first)
                               + ": the header of the segment is damaged"};
  }

  result<void> walk() {
    if (segments_.empty()) {
      if (found_.durable)
        return {errc::lost_data, directory_.string()
                                   + ": no segment, but position "
                                   + numbered(found_.durable) + " was durable"};
      return {};
    }
    std::optional<segment_cursor> before;
    for (std::size_t index = 0; index < segments_.size(); ++index) {
      const auto is_last = index + 1 == segments_.size();
      if (!is_last && segments_[index + 1].first <= hints_.verify_from)
        continue;
      auto& segment = segments_[index];
      segment_cursor each{name_of(segment.first), std::move(segment.content),
                          *segment.header};
      if (before)
        if (const auto outcome = judge_link(*before, each); !outcome)
          return outcome;
      if (const auto outcome = read_frames(each); !outcome)
        return outcome;
      before.emplace(std::move(each));
    }
    return judge_end(*before);
  }

  result<void> read_frames(segment_cursor& segment) {
    for (;;) {
      const auto frame = segment.next();
      if (!frame)
        return frame.error();
      if (!*frame)
        break;
      ++found_.frames_verified;
    }
    prove_durable(segment.durable());
    return {};
  }

  /// Judges the end of a sealed segment and the beginning of the next.
  result<void> judge_link(segment_cursor& sealed, const segment_cursor& next) {
    const auto first = next.header().first;
    if (first <= sealed.last())
      return {errc::two_writers, sealed.place() + ": position "
                                   + numbered(first)
                                   + " begins another segment too"};
    if (first > sealed.last().next()) {
      const auto rest
        = scan_remainder(sealed.source(), sealed.offset(), id_, sealed.last());
      if (!rest)
        return rest.error();
      if (rest->used_bytes > 0)
        return {errc::corrupted, sealed.place() + ": damaged frame"};
      return {errc::missing_segment, sealed.place()
                                       + ": the log goes on at position "
                                       + numbered(first)};
    }
    if (next.header().previous != sealed.chain())
      return {errc::corrupted,
              next.place() + ": does not follow the segment before"};
    if (next.header().epoch < sealed.epoch())
      return {errc::two_writers,
              next.place() + ": epoch " + std::to_string(next.header().epoch)
                + " behind epoch " + std::to_string(sealed.epoch())};
    return {};
  }

  result<void> judge_end(segment_cursor& active) {
    const auto rest
      = scan_remainder(active.source(), active.offset(), id_, active.last());
    if (!rest)
      return rest.error();
    prove_durable(rest->durable);
    if (active.last() < found_.durable) {
      const auto known
        = ", but position " + numbered(found_.durable) + " was durable";
      if (rest->used_bytes > 0)
        return {errc::corrupted, active.place() + ": damaged frame" + known};
      return {errc::lost_data, active.place() + ": the log ends" + known};
    }
    found_.last = active.last();
    found_.chain = active.chain();
    found_.epoch = active.epoch();
    found_.next_key = active.next_key();
    found_.end_offset = active.offset();
    found_.torn_bytes = rest->used_bytes;
    return {};
  }

  void prove_durable(position what) {
    found_.durable = std::max(found_.durable, what);
  }

  file_system& files_;
  const path& directory_;
  log_id id_;
  open_hints hints_;
  std::vector<segment_on_disk> segments_;
  log_survey found_;
};

} // namespace

result<log_survey> survey_log(file_system& files, const path& directory,
                              log_id id, const open_hints& hints) {
  return surveyor{files, directory, id, hints}.run();
}

result<log_survey> verify_log(file_system& files, const path& directory,
                              log_id id) {
  return survey_log(files, directory, id, {});
}

} // namespace gnomon::storage
