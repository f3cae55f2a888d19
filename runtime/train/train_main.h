// The whole program of a trainer.
#pragma once
#include "runtime/config/training_config.h"

namespace dtp::runtime {

// With a config that was compiled in. Gives the exit status.
int train_main(TrainingConfig config, int argc, char** argv);
// With the config that the command line names.
int train_main(int argc, char** argv);

}  // namespace dtp::runtime
