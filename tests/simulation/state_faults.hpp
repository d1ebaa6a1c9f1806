// Lets LMDB fail, which knows nothing of our file systems.

#pragma once

#include <functional>

namespace gnomon::simulation {

/// What LMDB does to its file.
enum class state_call { commit, sync, copy };

/// Is asked before each such call that the thread which has made this makes,
/// as long as this lives. Programmes that link it have LMDB's functions twice:
/// ours come first, and call the library's.
class state_faults {
public:
  /// Returns an error number for a call that is to fail, or 0. What fails does
  /// nothing.
  using judge = std::function<int(state_call)>;

  explicit state_faults(judge what);

  ~state_faults();

  state_faults(const state_faults&) = delete;
  state_faults& operator=(const state_faults&) = delete;

  int operator()(state_call what) const {
    return judge_(what);
  }

private:
  judge judge_;
  state_faults* before_;
};

} // namespace gnomon::simulation
