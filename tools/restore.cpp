#include "tools/restore.hpp"

#include "tools/backup.hpp"

namespace gnomon::tools {

int run_restore(const restore_request& request,
                const command_context& context) {
  const auto restored = inspection::restore(context.files, request.file,
                                            request.directory, context.watcher);
  if (!restored)
    return fail(context, restored.error());
  print(*restored, request.as_json, context.out);
  return exit_success;
}

} // namespace gnomon::tools
