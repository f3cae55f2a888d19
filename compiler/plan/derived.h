// Fields that the engine works out from others: the sizes of a batch, the ranks of data
// parallelism, a plan's name.
#pragma once
#include <optional>

#include "eval/evaluator.h"

namespace dtp::plan {

// A `derived` field without an expression, or one that is `auto`. Nothing when there is no rule for
// it.
std::optional<eval::Value> derived_field(eval::Evaluator& evaluator, eval::Record* record,
                                         const eval::Field& field, Span use);

// `global`, `micro` or `accumulation`, from the other two and the ranks; poison with a report where
// they contradict each other.
eval::Value batch_size(eval::Evaluator& evaluator, eval::Record* batch, Symbol wanted, Span use);

// An extent in another member of its family, inside a plan: steps, samples, tokens, epochs, time.
// `step_time` is asked for only where time is crossed; it gives poison (with a report) where it is
// not known yet.
std::optional<eval::Value> convert_extent(eval::Evaluator& evaluator, eval::Record* plan,
                                          const eval::Number& extent, std::string_view wanted,
                                          Span use, eval::Value (*step_time)(void*, Span),
                                          void* context);

}  // namespace dtp::plan
