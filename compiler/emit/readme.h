// What is told of an emission, beside its files: what was made, how it is started, what was
// assumed, and which field of the plan each word comes from.
#pragma once
#include "emit/job.h"

namespace dtp::emit {

// `bash run.sh`, or the same on each node.
void start_on_each_node(Emission& to, const plan::Settings& settings, const plan::Launch& launch,
                        const std::string& script);
// What every target assumes of the place where the job runs.
void assume_common(Emission& to, const plan::Settings& settings, const plan::Launch& launch);

// With the page that tells all of it as the last file.
Emission finished(Emission emission, const plan::Settings& settings, std::string_view target);

}  // namespace dtp::emit
