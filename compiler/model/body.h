// Interprets the bodies of models: plain expressions are evaluated, what touches tensors goes into
// a graph.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <unordered_map>

#include "eval/evaluator.h"
#include "graph/builder.h"
#include "model/arguments.h"

namespace dtp::model {

// One use of a model with its parameters: its parts are made once, and every call shares them.
struct Instance {
  eval::Record* record = nullptr;
  graph::Builder::Place place;  // where its parameters are published, wherever it is called
  eval::Env* env = nullptr;     // parameters, lets and parts
  bool parts_made = false;
  bool good = true;  // its own requirements hold
  // Whole paths of its parts and of the inline layers that this run of a method has made so far,
  // with the number that a next one of that name would get.
  std::map<std::string, int> taken;
  // What earlier runs made, by whole path: a second call of a part meets the same layers. The span
  // tells the call that made it from another one that would have the same name.
  struct Made {
    Span span;
    ops::LayerInstance* layer = nullptr;
    Instance* inner = nullptr;
  };
  std::map<std::string, Made> made;
};

class Body {
 public:
  Body(eval::Evaluator& evaluator, graph::Builder& builder)
      : evaluator_(evaluator), builder_(builder) {}

  graph::Builder& builder() { return builder_; }
  // Fixes where a model's parameters are published, before it is called.
  void place(eval::Record* record, const std::string& path);
  eval::Value apply(eval::Record* model, llvm::ArrayRef<eval::EvaluatedArgument> arguments,
                    const eval::CallSite& site);
  eval::Value tensor_operator(lang::Op op, const eval::Value& a, const eval::Value& b, Span span);
  // The model takes the current place: its parts are published right below the path.
  eval::Value apply_here(eval::Record* model, llvm::ArrayRef<eval::EvaluatedArgument> arguments,
                         const eval::CallSite& site);
  // Another method of a model than its `forward`.
  eval::Value apply(eval::Record* model, const lang::Method& method,
                    llvm::ArrayRef<eval::EvaluatedArgument> arguments, const eval::CallSite& site);
  // A name for an inline layer: the `as` key, else the variable it fills, else its kind; made
  // unique. Empty for the lone call of a repeat, which takes the place of the iteration itself.
  std::string layer_name(const eval::Key& key, std::string_view kind, Span site);
  // What a call at this place of the text made in an earlier run, under that name; or a new entry.
  Instance::Made& made_before(std::string_view name, Span site);

 private:
  friend class MethodRun;
  Instance& instance(eval::Record* record, const eval::CallSite& site);
  Instance& new_instance(eval::Record* record, graph::Builder::Place place,
                         const eval::CallSite& site);
  std::string whole_path(std::string_view name) const;
  void make_parts(Instance& instance);
  eval::Value place_part(const eval::Value& part, Symbol name, Span at);
  void check_requirements(Instance& instance, const eval::CallSite& site);
  Span origin_of(const eval::Record* record, Symbol name) const;
  void report_requirement(Instance& instance, const lang::Requirement& r, Span call);

  eval::Evaluator& evaluator_;
  graph::Builder& builder_;
  std::vector<std::unique_ptr<Instance>> all_;
  std::unordered_map<eval::Record*, Instance*> instances_;
  std::unordered_map<eval::Record*, graph::Builder::Place> placed_;
  // The methods at work, outermost first.
  struct Active {
    Instance* instance;
    const lang::Method* method;
  };
  std::vector<Active> active_;
  Span lone_call_;  // the only call of a loop's body
};

}  // namespace dtp::model
