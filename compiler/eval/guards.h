// States of the evaluator that hold while something lives: what is being worked out, which choices
// it reads, how strictly it is looked at.
#pragma once
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
  Choosing(Evaluator& evaluator, Record* plan)
      : evaluator_(evaluator), before_(std::exchange(evaluator.choices_of_, plan)) {}
  ~Choosing() { evaluator_.choices_of_ = before_; }
  Choosing(const Choosing&) = delete;
  Choosing& operator=(const Choosing&) = delete;

 private:
  Evaluator& evaluator_;
  Record* before_;
};

// While records are looked at that a plan may still complete (a let): what is missing is no
// mistake, and nothing that rests on it is told.
class Unfinished {
 public:
  explicit Unfinished(Evaluator& evaluator)
      : evaluator_(evaluator), before_(std::exchange(evaluator.unfinished_, true)) {}
  ~Unfinished() { evaluator_.unfinished_ = before_; }
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;

 private:
  Evaluator& evaluator_;
  bool before_;
};

// A rule looks at plans of every kind: of a model that has no `vocab` it is unknown whether its
// `vocab` divides, which is no mistake of anybody.
class InRule {
 public:
  explicit InRule(Evaluator& evaluator)
      : evaluator_(evaluator), before_(std::exchange(evaluator.in_rule_, true)) {}
  ~InRule() { evaluator_.in_rule_ = before_; }
  InRule(const InRule&) = delete;
  InRule& operator=(const InRule&) = delete;

 private:
  Evaluator& evaluator_;
  bool before_;
};

// While another plan is worked out in the middle of something: it is looked at as if nothing had
// asked for it.
class OnItsOwn {
 public:
  OnItsOwn(Evaluator& evaluator, Span plan)
      : evaluator_(evaluator),
        in_rule_(std::exchange(evaluator.in_rule_, false)),
        unfinished_(std::exchange(evaluator.unfinished_, false)),
        choices_of_(std::exchange(evaluator.choices_of_, nullptr)),
        set_off_(std::exchange(evaluator.set_off_, plan)) {}
  ~OnItsOwn() {
    evaluator_.in_rule_ = in_rule_;
    evaluator_.unfinished_ = unfinished_;
    evaluator_.choices_of_ = choices_of_;
    evaluator_.set_off_ = set_off_;
  }
  OnItsOwn(const OnItsOwn&) = delete;
  OnItsOwn& operator=(const OnItsOwn&) = delete;

 private:
  Evaluator& evaluator_;
  bool in_rule_;
  bool unfinished_;
  Record* choices_of_;
  Span set_off_;
};

// The author's text that sets off what follows.
class SetOff {
 public:
  SetOff(Evaluator& evaluator, Span span) : evaluator_(evaluator), before_(evaluator.set_off_) {
    if (evaluator.is_users(span)) evaluator.set_off_ = span;
  }
  ~SetOff() { evaluator_.set_off_ = before_; }
  SetOff(const SetOff&) = delete;
  SetOff& operator=(const SetOff&) = delete;

 private:
  Evaluator& evaluator_;
  Span before_;
};

}  // namespace dtp::eval
