#include "estimate/measured.h"

#include <algorithm>
#include <iterator>

namespace dtp::estimate {
namespace {

// Each of these is asked for where it is worked out. Totals are of another length than a trial, and
// rates and costs follow from the step.
constexpr std::string_view kTaken[] = {"memory.peak",
                                       "memory.allocated",
                                       "memory.fragmentation",
                                       "memory.context",
                                       "time.step",
                                       "time.forward",
                                       "time.backward",
                                       "time.recompute",
                                       "time.optimizer",
                                       "time.communication",
                                       "time.exposed_communication"};

}  // namespace

bool takes_measured(std::string_view path) {
  return std::find(std::begin(kTaken), std::end(kTaken), path) != std::end(kTaken);
}

plan::Estimate measured_or(const plan::Settings& settings, std::string_view path,
                           const plan::Estimate& estimated) {
  const plan::Estimate* measured = settings.measured_of(path);
  return measured ? *measured : estimated;
}

}  // namespace dtp::estimate
