// Comparisons of estimates that rest on the same assumptions. `time.optimizer <= 30% * time.step`:
// the intervals of both sides may overlap and the one still be less than the other whatever the GPU
// turns out to reach.
#pragma once
#include "eval/evaluator.h"
#include "eval/supposition.h"

namespace dtp::eval {

// While something is supposed: what depends on estimates is worked out anew and not remembered,
// nothing is reported, nothing is spent.
class Supposing {
 public:
  Supposing(Evaluator& evaluator, Supposition& supposition)
      : evaluator_(evaluator),
        supposing_before_(std::exchange(evaluator.supposing_, &supposition)),
        sink_before_(evaluator.swap_sink(&quiet_)),
        budget_before_(evaluator.budget_) {}
  ~Supposing() {
    evaluator_.supposing_ = supposing_before_;
    evaluator_.swap_sink(sink_before_);
    evaluator_.budget_ = budget_before_;
  }
  Supposing(const Supposing&) = delete;
  Supposing& operator=(const Supposing&) = delete;

 private:
  NullSink quiet_;
  Evaluator& evaluator_;
  Supposition* supposing_before_;
  DiagnosticSink* sink_before_;
  uint64_t budget_before_;
};

// What `e`, a comparison that intervals leave open, comes to when each assumption that moves both
// of its sides is looked at from its ends, all others being as open as before. An estimate goes up
// or down with each assumption, so that its extremes are at the corners. Nothing where that settles
// nothing.
std::optional<Verdict> under_common_assumptions(Evaluator& evaluator, const lang::Expr* e,
                                                Env* env);

}  // namespace dtp::eval
