// Running other programs. `dtpc trial` is the only subcommand that does.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace dtp::driver {

struct Program {
  std::vector<std::string> words;  // the path first: no shell reads them
  std::vector<std::pair<std::string, std::string>> environment;  // beside what this process has
};

struct ProgramsEnd {
  std::string error;  // why one could not be started; empty: all were
  int status = 0;     // of the first that did not end with 0
  int signal = 0;     // that ended it; 0: none
};

// Starts them together and waits for all; when one fails, the others are asked to end. What they
// print goes to standard error. SIGINT and SIGTERM are passed on to them, and end nothing here.
ProgramsEnd run_programs(const std::vector<Program>& programs);

}  // namespace dtp::driver
