// A bash script around torchrun. One node: --standalone, which picks a free port. Several: the
// static form, since the c10d form guesses which host it runs on by name and often guesses wrong.
#pragma once
#include "emit/target.h"

namespace dtp::emit {

std::optional<std::vector<Artifact>> emit_torchrun(const plan::Settings& settings,
                                                   DiagnosticSink& sink);

}  // namespace dtp::emit
