#include "runtime/train/signals.h"

#include <csignal>

namespace dtp::runtime::train {
namespace {

volatile std::sig_atomic_t asked = 0;

void ask(int) { asked = 1; }

}  // namespace

void watch_signals() {
  for (int signal : {SIGTERM, SIGINT, SIGUSR1}) {
    struct sigaction action{};
    action.sa_handler = ask;
    action.sa_flags = SA_RESTART | (signal == SIGINT ? static_cast<int>(SA_RESETHAND) : 0);
    sigaction(signal, &action, nullptr);
  }
}

bool asked_to_stop() { return asked != 0; }

}  // namespace dtp::runtime::train
