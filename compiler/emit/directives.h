// The lines of `#SBATCH`: each with the field of the plan that it says.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emit/job.h"

namespace dtp::emit {

// What the target works out of a plan before it writes a line.
struct SlurmJob {
  int tasks_per_node = 1;
  int cpus_per_task = 1;
  int64_t limit = 0;  // seconds
  int64_t grace = 0;  // seconds; 0: no signal
  std::string cpus_from;
  std::string limit_from;
};

// Nothing where the plan does not say enough, or says what no job can be: reported.
std::optional<SlurmJob> slurm_job(const plan::Settings& settings, const plan::Launch& launch,
                                  DiagnosticSink& sink);
// Nothing where a text cannot stand on such a line: reported.
std::optional<std::vector<Flag>> directives(const plan::Settings& settings,
                                            const plan::Launch& launch, const SlurmJob& job,
                                            DiagnosticSink& sink);

// 93784 s as "1-02:03:04".
std::string slurm_time(int64_t seconds);
// A text as sbatch reads it on a line of its own: a backslash takes the meaning of what follows.
std::string sbatch_quote(std::string_view text);

}  // namespace dtp::emit
