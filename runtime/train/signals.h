// SIGTERM, SIGINT and SIGUSR1 ask for an end after the step at work: a scheduler sends them before
// it takes a job down. A second SIGINT ends at once.
#pragma once

namespace dtp::runtime::train {

void watch_signals();
bool asked_to_stop();

}  // namespace dtp::runtime::train
