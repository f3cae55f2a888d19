// Which pass a plan's settings ask for.
#pragma once
#include "plan/settings.h"
#include "step/pass_options.h"

namespace dtp::step {

PassOptions pass_options(const plan::Settings& settings, bool gradients_exist);

}  // namespace dtp::step
