#include "step/pass.h"

#include <limits>

#include "step/walker.h"

namespace dtp::step {
namespace {

// True when folding lost nothing.
bool try_pass(const graph::Graph& graph, const PassOptions& options, int64_t iterations,
              Pass& pass) {
  Walker walker(graph, options, iterations);
  Walker::Ends ends = walker.run();
  const Trace& trace = walker.trace();
  pass = {};
  bool exact = fold(trace, 0, ends.forward, pass, pass.forward);
  exact &= fold(trace, ends.forward, ends.backward, pass, pass.backward);
  exact &= fold(trace, ends.backward, ends.release, pass, pass.release);
  pass.events = trace.events;
  pass.labels = walker.labels();
  pass.folded_exactly = exact;
  return exact;
}

}  // namespace

Pass make_pass(const graph::Graph& graph, const PassOptions& options) {
  Pass pass;
  if (!options.folded) {
    try_pass(graph, options, std::numeric_limits<int64_t>::max(), pass);
    return pass;
  }
  for (int64_t iterations : {4, 8, 32})
    if (try_pass(graph, options, iterations, pass)) break;
  return pass;
}

std::string_view name_of(Category category) {
  constexpr std::string_view names[] = {"input",    "activation", "temporary",
                                        "gradient", "loss",       "communication"};
  return names[static_cast<size_t>(category)];
}

}  // namespace dtp::step
