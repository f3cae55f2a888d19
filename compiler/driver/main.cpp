#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/raw_ostream.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <exception>
#include <new>

#include "base/atomic_write.h"
#include "driver/command_line.h"
#include "driver/messages.h"

namespace dtp::driver {
namespace {

constexpr const char kVersion[] = "dtpc " DTPC_VERSION "\n";

// Words that need no memory: there is none left when they are said.
void say(const char* words) {
  if (::write(STDERR_FILENO, words, std::strlen(words)) < 0) return;
}

[[noreturn]] void out_of_memory(void*, const char*, bool) {
  say("dtpc: out of memory\n");
  _exit(kToolFailed);
}

ExitStatus print_version() {
  if (::write(STDOUT_FILENO, kVersion, sizeof kVersion - 1) == sizeof kVersion - 1) return kClean;
  const char* why = std::strerror(errno);
  for (const char* words : {"dtpc: cannot write to standard output: ", why, "\n"}) say(words);
  return kWrongUse;
}

ExitStatus run(int argc, char** argv) {
  ignore_file_size_signal();
  // LLVM is built without exceptions: its own allocations must not throw through it.
  llvm::install_bad_alloc_error_handler(out_of_memory);
  ExitStatus status = kClean;
  auto arguments = parse_command_line(argc, argv, status);
  if (!arguments) return status;
  switch (arguments->command) {
#define COMMAND(name, words, overview, examples) \
  case Command::name: return name##_command(*arguments);
#include "driver/commands.def"
  }
  return kToolFailed;
}

// What was printed must have arrived. A reader that went away (EPIPE) knows that itself.
ExitStatus flush(ExitStatus status) {
  llvm::outs().flush();
  std::error_code error = llvm::outs().error();
  llvm::outs().clear_error();
  if (!error) return status;
  if (error != std::errc::broken_pipe)
    complain("cannot write to standard output: " + error.message());
  return worse(status, kWrongUse);
}

}  // namespace
}  // namespace dtp::driver

int main(int argc, char** argv) {
  using namespace dtp::driver;
  // Nothing else is set up for this one.
  if (argc == 2 && std::strcmp(argv[1], "--version") == 0) _exit(print_version());
  int status = kToolFailed;
  try {
    status = flush(run(argc, argv));
  } catch (const std::bad_alloc&) {
    say("dtpc: out of memory\n");
  } catch (const std::exception& fault) {
    say("dtpc: this is a fault of the tool itself, please report it: ");
    say(fault.what());
    say("\n");
  } catch (...) {
    say("dtpc: this is a fault of the tool itself, please report it\n");
  }
  llvm::errs().flush();
  // Trees and sessions are not destroyed: that costs more than making them.
  _exit(status);
}
