#include "driver/run_programs.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <iterator>

#include "base/out.h"

namespace dtp::driver {
namespace {

// Read by a handler of signals: nothing there may be allocated or locked.
constexpr size_t kMost = 1024;
std::atomic<pid_t> running[kMost];

void send_all(int signal) {
  for (std::atomic<pid_t>& slot : running)
    if (pid_t pid = slot.load(); pid > 0) kill(pid, signal);
}

class PassOnSignals {
 public:
  PassOnSignals() {
    struct sigaction action{};
    action.sa_handler = send_all;
    for (size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &action, &before_[i]);
  }
  ~PassOnSignals() {
    for (size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &before_[i], nullptr);
  }
  PassOnSignals(const PassOnSignals&) = delete;

 private:
  static constexpr int kSignals[] = {SIGINT, SIGTERM};
  struct sigaction before_[2]{};
};

std::vector<std::string> environment_with(
    const std::vector<std::pair<std::string, std::string>>& more) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry; ++entry) {
    std::string_view text = *entry;
    bool replaced = std::any_of(more.begin(), more.end(),
                                [&](const auto& m) { return text.starts_with(m.first + "="); });
    if (!replaced) all.emplace_back(text);
  }
  for (const auto& [name, value] : more) all.push_back(name + "=" + value);
  return all;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  out.reserve(texts.size() + 1);
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

// A group of its own: Ctrl-C reaches it once, through this process.
int start(const Program& program, pid_t& pid) {
  std::vector<std::string> words = program.words;
  std::vector<std::string> environment = environment_with(program.environment);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setpgroup(&attributes, 0);
  sigset_t defaults;
  sigemptyset(&defaults);
  for (int signal : {SIGINT, SIGTERM, SIGXFSZ, SIGPIPE}) sigaddset(&defaults, signal);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  int error = posix_spawn(&pid, words.front().c_str(), &actions, &attributes,
                          pointers(words).data(), pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error;
}

}  // namespace

ProgramsEnd run_programs(const std::vector<Program>& programs) {
  ProgramsEnd end;
  PassOnSignals passing;
  size_t started = 0;
  for (; started < std::min(programs.size(), kMost); ++started) {
    pid_t pid = 0;
    if (int error = start(programs[started], pid)) {
      end.error =
          format("cannot start `{}`: {}", programs[started].words.front(), std::strerror(error));
      send_all(SIGTERM);
      break;
    }
    running[started] = pid;
  }
  for (size_t left = started; left > 0;) {
    int status = 0;
    pid_t pid = waitpid(-1, &status, 0);
    if (pid < 0 && errno == EINTR) continue;
    if (pid < 0) break;
    for (std::atomic<pid_t>& slot : running)
      if (slot == pid) slot = 0;
    --left;
    if (status == 0 || end.status != 0 || end.signal != 0) continue;
    if (WIFSIGNALED(status)) end.signal = WTERMSIG(status);
    if (WIFEXITED(status)) end.status = WEXITSTATUS(status);
    send_all(SIGTERM);
  }
  return end;
}

}  // namespace dtp::driver
