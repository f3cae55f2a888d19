// Interprets the bodies of models: plain expressions are evaluated, what touches tensors goes into
// a graph.
#pragma once
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>

#include "eval/evaluator.h"
#include "graph/builder.h"
#include "model/arguments.h"

namespace dtp::model {

// Where layers keep their parameters: a model, or one iteration of a loop in its body.
struct Home {
  graph::Builder::Place place;
  // Names of parts and inline layers so far, with the number that a next one of it would get.
  std::map<std::string, int> taken;
  const void* id = nullptr;  // no other home of a run has it
};

// An expression or statement of a body, at its n-th turn in one call.
struct Turn {
  Span span;
  unsigned n = 0;
  friend bool operator<(const Turn& a, const Turn& b) {
    return std::tuple(a.span.file.value, a.span.begin, a.span.end, a.n) <
           std::tuple(b.span.file.value, b.span.begin, b.span.end, b.n);
  }
};

// One use of a model with its parameters: its parts and what its body makes inline are made once,
// and every call shares them.
struct Instance {
  eval::Record* record = nullptr;
  Home home;
  eval::Env* env = nullptr;  // parameters, lets and parts
  bool good = true;          // its own requirements hold
  bool parts_made = false;
  std::map<Turn, eval::Value> made;             // layers and models of the body
  std::map<Turn, std::unique_ptr<Home>> loops;  // iterations that have a home of their own
  std::map<Turn, unsigned> turns;               // of the call that runs, by place

  Turn next(Span span) { return {span, turns[{span, 0}]++}; }
};

class Body {
 public:
  Body(eval::Evaluator& evaluator, graph::Builder& builder);

  graph::Builder& builder() { return builder_; }
  // Fixes where a model's parameters are published, before it is called.
  void place(eval::Record* record, std::string path);
  eval::Value apply(eval::Record* model, llvm::ArrayRef<eval::EvaluatedArgument> arguments,
                    const eval::CallSite& site);
  eval::Value tensor_operator(lang::Op op, const eval::Value& a, const eval::Value& b, Span span);
  // Another method of a model than its `forward`.
  eval::Value apply(eval::Record* model, const lang::Method& method,
                    llvm::ArrayRef<eval::EvaluatedArgument> arguments, const eval::CallSite& site);
  // Where the layers of one iteration of a loop are kept, and found again by a later call of the
  // body; empty at the first. What is made between push and pop belongs there.
  std::unique_ptr<Home>& loop_home(Span loop) {
    Instance& running = *active_.back().instance;
    return running.loops[running.next(loop)];
  }
  const Home& add_home(Home& home, graph::Builder::Place place);
  void push_home(Home& home) { homes_.push_back(&home); }
  void pop_home() { homes_.pop_back(); }
  // Whether this call is all that an iteration makes: then it takes the place of the iteration.
  bool is_lone(Span call) const { return lone_call_.valid() && call == lone_call_; }
  // A name for an inline layer: the `as` key, else the variable it fills, else its kind; made
  // unique.
  std::string layer_name(Home& home, const eval::Key& key, std::string_view kind);
  // What the running call makes at a place of its text, remembered for the calls after it. Null:
  // no body runs.
  eval::Value* made_at(Span site);
  // Where what is made now belongs.
  const void* home_id() const { return homes_.back()->id; }
  Home& home_of(const void* id);
  const void* id() const { return root_.id; }
  // What this model makes is not trained.
  void freeze(const eval::Record* model) { frozen_.insert(model); }
  void used(const eval::Native* layer) { used_.insert(layer); }
  // Parts that no `forward` has used.
  void report_unused();

 private:
  friend class MethodRun;
  struct Placed {
    std::string path;  // below the home
    Home* home;
  };
  eval::Value run(eval::Record* model, const lang::Method& method,
                  llvm::ArrayRef<eval::EvaluatedArgument> arguments, const eval::CallSite& site);
  Instance& instance(eval::Record* record, const eval::CallSite& site);
  graph::Builder::Place place_below(const Home& home, std::string_view path);
  void make_parts(Instance& instance);
  eval::Value make_part(Instance& instance, const lang::Let& part);
  eval::Value place_part(const eval::Value& part, Symbol name, Span at);
  bool is_used(const eval::Value& part) const;
  void check_requirements(Instance& instance, const eval::CallSite& site);
  void report_requirement(Instance& instance, const lang::Requirement& r, Span call);
  bool is_inside_itself(const eval::Record* model, const eval::CallSite& site);

  eval::Evaluator& evaluator_;
  graph::Builder& builder_;
  Home root_;
  std::unordered_map<eval::Record*, std::unique_ptr<Instance>> instances_;
  std::vector<Instance*> in_order_;
  std::unordered_map<eval::Record*, Placed> placed_;
  std::unordered_map<const void*, Home*> by_id_;
  // The methods at work, outermost first.
  struct Active {
    Instance* instance;
    const lang::Method* method;
  };
  std::vector<Active> active_;
  std::vector<Home*> homes_;  // the last is where what is made now belongs
  std::set<const eval::Native*> used_;
  std::set<const eval::Record*> frozen_;
  Span lone_call_;  // the only call that the body of a loop makes something with
};

}  // namespace dtp::model
