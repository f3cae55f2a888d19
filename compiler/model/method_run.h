// One call of a method: its parameters' shapes are unified with the arguments, its statements are
// run.
#pragma once
#include "model/body.h"

namespace dtp::model {

class MethodRun {
 public:
  MethodRun(Body& body, Instance& instance, const lang::Method& method, const eval::CallSite& site)
      : body_(body),
        evaluator_(body.evaluator_),
        builder_(body.builder_),
        instance_(instance),
        method_(method),
        site_(site) {}
  eval::Value run(llvm::ArrayRef<eval::EvaluatedArgument> arguments);

 private:
  // binding.cpp
  bool bind(llvm::ArrayRef<eval::EvaluatedArgument> arguments);
  bool bind_one(const lang::Parameter& parameter, const eval::EvaluatedArgument& argument);
  bool unify(const lang::TypeExpr& type, graph::TensorId id, Span at, std::string_view what,
             bool result);
  std::optional<bool> unify_dim(const lang::Expr& expr, graph::Dim actual);
  bool fresh(const lang::Expr& expr) const;
  std::string wanted(const lang::TypeExpr& type);
  void mismatch(const lang::TypeExpr& type, graph::TensorId id, Span at, std::string_view what,
                bool result);
  bool check_result(const eval::Value& value, Span at);

  // statements.cpp
  enum class Flow { next, returned, failed };
  Flow run_block(const lang::Block& block);
  Flow run_statement(const lang::Statement& s);
  Flow assign(const lang::Statement& s);
  Flow branch(const lang::Statement& s);
  bool require(const lang::Requirement& r);
  eval::Value* local(Symbol name);

  // loops.cpp
  Flow repeat(const lang::Statement& s);
  Flow loop(const lang::Statement& s);
  Flow run_iteration(const lang::Statement& s, const std::string& key);
  Flow segment(const lang::Statement& s, const std::string& key);
  Flow loop_body(const lang::Statement& s, Home* home);
  // Under what name a loop keeps its layers; it is taken once.
  std::string loop_name(const lang::Statement& s, const std::string& key, std::string_view kind);
  bool one_more_loop(const lang::Statement& s);
  std::optional<int64_t> repeat_count(const lang::Statement& s);
  // What the statements of a loop's body assign and the code around it has assigned before.
  std::vector<Symbol> carried_names(const lang::Block& block) const;
  bool tensors_of(const lang::Statement& s, std::vector<Symbol>& names,
                  std::vector<graph::TensorId>& tensors);
  bool number_to_tensor(Symbol name, const lang::Statement& s);
  std::vector<graph::TensorId> results_of(const lang::Statement& s,
                                          const std::vector<Symbol>& names,
                                          const std::vector<graph::TensorId>& inner, Flow& flow);
  void bind_tensors(const std::vector<Symbol>& names, const std::vector<graph::TensorId>& tensors);
  bool stays_whole(const lang::Statement& s, const std::vector<Symbol>& names);
  std::string key_of(const lang::Statement& s, size_t index, bool& good);

  Body& body_;
  eval::Evaluator& evaluator_;
  graph::Builder& builder_;
  Instance& instance_;
  const lang::Method& method_;
  const eval::CallSite& site_;
  eval::Env* env_ = nullptr;
  eval::Value result_;
  Span result_span_;
  std::vector<std::pair<Symbol, Span>> symbol_origins_;
};

}  // namespace dtp::model
