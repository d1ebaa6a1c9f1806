#include "storage/system_file_system.hpp"
#include "tools/command_line.hpp"
#include "tools/terminal_progress.hpp"

#include <iostream>
#include <memory>
#include <unistd.h>

int main(int argc, char** argv) {
  using namespace gnomon;
  std::unique_ptr<inspection::progress> watcher;
  if (::isatty(STDERR_FILENO) == 1)
    watcher
      = std::make_unique<tools::terminal_progress>(std::cerr, system_clock());
  else
    watcher = std::make_unique<inspection::silent_progress>();
  return tools::run_command_line(argc, argv,
                                 {storage::system_files(), system_clock(),
                                  std::cout, std::cerr, *watcher,
                                  ::isatty(STDOUT_FILENO) == 1});
}
