#include "tests/simulation/state_faults.hpp"

#include "gnomon/check.hpp"

#include <lmdb.h>

#include <dlfcn.h>

namespace gnomon::simulation {

namespace {

thread_local state_faults* present = nullptr;

int failure_of(state_call what) {
  return present == nullptr ? 0 : (*present)(what);
}

template <class Function>
Function* of_library(Function*, const char* name) {
  auto* found = reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
  GNOMON_CHECK(found != nullptr);
  return found;
}

} // namespace

state_faults::state_faults(judge what)
  : judge_(std::move(what)), before_(present) {
  present = this;
}

state_faults::~state_faults() {
  present = before_;
}

} // namespace gnomon::simulation

using gnomon::simulation::failure_of;
using gnomon::simulation::of_library;
using gnomon::simulation::state_call;

int mdb_txn_commit(MDB_txn* txn) {
  static auto* const commit = of_library(&mdb_txn_commit, "mdb_txn_commit");
  const auto failure = failure_of(state_call::commit);
  if (failure == 0)
    return commit(txn);
  mdb_txn_abort(txn);
  return failure;
}

int mdb_env_sync(MDB_env* env, int force) {
  static auto* const sync = of_library(&mdb_env_sync, "mdb_env_sync");
  const auto failure = failure_of(state_call::sync);
  return failure == 0 ? sync(env, force) : failure;
}

int mdb_env_copyfd2(MDB_env* env, mdb_filehandle_t to, unsigned flags) {
  static auto* const copy = of_library(&mdb_env_copyfd2, "mdb_env_copyfd2");
  const auto failure = failure_of(state_call::copy);
  return failure == 0 ? copy(env, to, flags) : failure;
}
