// States of the evaluator that hold while something lives: what is being worked out, which choices
// it reads, how strictly it is looked at.
#pragma once
#include <llvm/Support/SaveAndRestore.h>

#include "eval/evaluator.h"

namespace dtp::eval {

// Stands for a field, let or declaration while it is being evaluated.
class WorkedOut {
 public:
  WorkedOut(Evaluator& evaluator, const void* owner, Symbol name) : evaluator_(evaluator) {
    evaluator_.worked_out_.push_back({owner, name});
  }
  ~WorkedOut() { evaluator_.worked_out_.pop_back(); }
  WorkedOut(const WorkedOut&) = delete;
  WorkedOut& operator=(const WorkedOut&) = delete;

 private:
  Evaluator& evaluator_;
};

// What is worked out while this lives: which choices it reads. They are read as well by whatever
// asked for it, unless `alone`.
class Reads {
 public:
  explicit Reads(Evaluator& evaluator, bool alone = false)
      : evaluator_(evaluator), before_(std::exchange(evaluator.reads_, nullptr)), alone_(alone) {}
  ~Reads() {
    const HoleSet* own = std::exchange(evaluator_.reads_, before_);
    if (!alone_) evaluator_.note_reads(own);
  }
  Reads(const Reads&) = delete;
  Reads& operator=(const Reads&) = delete;

 private:
  Evaluator& evaluator_;
  const HoleSet* before_;
  bool alone_;
};

// Whether a mistake that was met under a choice is one under all of them.
bool stands_for_every_choice(Kind kind);

// While the choices of a plan are worked out.
class Choosing {
 public:
  Choosing(Evaluator& evaluator, Record* plan) : plan_(evaluator.choices_of_, plan) {}

 private:
  llvm::SaveAndRestore<Record*> plan_;
};

// While records are looked at that a plan may still complete (a let): what is missing is no
// mistake, and nothing that rests on it is told.
class Unfinished {
 public:
  explicit Unfinished(Evaluator& evaluator) : unfinished_(evaluator.unfinished_, true) {}

 private:
  llvm::SaveAndRestore<bool> unfinished_;
};

// A rule looks at plans of every kind: of a model that has no `vocab` it is unknown whether its
// `vocab` divides, which is no mistake of anybody.
class InRule {
 public:
  explicit InRule(Evaluator& evaluator) : in_rule_(evaluator.in_rule_, true) {}

 private:
  llvm::SaveAndRestore<bool> in_rule_;
};

// While another plan is worked out in the middle of something: it is looked at as if nothing had
// asked for it.
class OnItsOwn {
 public:
  OnItsOwn(Evaluator& evaluator, Span plan)
      : in_rule_(evaluator.in_rule_, false),
        unfinished_(evaluator.unfinished_, false),
        choices_of_(evaluator.choices_of_, nullptr),
        supposing_(evaluator.supposing_, nullptr),
        set_off_(evaluator.set_off_, plan) {}

 private:
  llvm::SaveAndRestore<bool> in_rule_;
  llvm::SaveAndRestore<bool> unfinished_;
  llvm::SaveAndRestore<Record*> choices_of_;
  llvm::SaveAndRestore<Supposition*> supposing_;
  llvm::SaveAndRestore<Span> set_off_;
};

// The author's text that sets off what follows.
class SetOff {
 public:
  SetOff(Evaluator& evaluator, Span span)
      : set_off_(evaluator.set_off_, evaluator.is_users(span) ? span : evaluator.set_off_) {}

 private:
  llvm::SaveAndRestore<Span> set_off_;
};

}  // namespace dtp::eval
