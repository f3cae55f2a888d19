// Interprets the bodies of models: plain expressions are evaluated, what touches tensors goes into
// a graph.
#pragma once
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>

#include "eval/evaluator.h"
#include "graph/builder.h"
#include "model/arguments.h"

namespace dtp::model {

// One use of a model with its parameters: its parts are made once, and every call shares them.
struct Instance {
  eval::Record* record = nullptr;
  std::string path;             // below the caller's; empty: the caller's own place
  eval::Env* env = nullptr;     // parameters, lets and parts
  std::set<std::string> taken;  // names of parts and inline layers so far
  bool good = true;             // its own requirements hold
};

class Body {
 public:
  Body(eval::Evaluator& evaluator, graph::Builder& builder)
      : evaluator_(evaluator), builder_(builder) {}

  graph::Builder& builder() { return builder_; }
  // Fixes where a model's parameters are published, before it is called.
  void place(eval::Record* record, std::string path);
  eval::Value apply(eval::Record* model, llvm::ArrayRef<eval::EvaluatedArgument> arguments,
                    const eval::CallSite& site);
  eval::Value tensor_operator(lang::Op op, const eval::Value& a, const eval::Value& b, Span span);
  // A name for an inline layer: the `as` key, else the variable it fills, else its kind; made
  // unique.
  std::string layer_name(const eval::Key& key, std::string_view kind);

 private:
  friend class MethodRun;
  Instance& instance(eval::Record* record, const eval::CallSite& site);
  void make_parts(Instance& instance);
  void check_requirements(Instance& instance, const eval::CallSite& site);
  Span origin_of(const eval::Record* record, Symbol name) const;
  void report_requirement(Instance& instance, const lang::Requirement& r, Span call);

  eval::Evaluator& evaluator_;
  graph::Builder& builder_;
  std::unordered_map<eval::Record*, std::unique_ptr<Instance>> instances_;
  std::unordered_map<eval::Record*, std::string> placed_;
  std::vector<Instance*> active_;
  bool lone_call_ =
      false;  // in a repeat of one call: the call takes the place of the iteration itself
};

}  // namespace dtp::model
