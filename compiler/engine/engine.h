// (Program, plan).at() -> Outcome. Everything that is remembered between questions is remembered
// here. It is also what the evaluator asks for facts of models, derived fields and estimates.
#pragma once
#include <deque>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "engine/outcome.h"
#include "eval/evaluator.h"
#include "eval/supposition.h"
#include "model/build_graph.h"
#include "plan/reader.h"

namespace dtp::engine {

class Engine final : public eval::Host {
 public:
  explicit Engine(eval::Evaluator& evaluator) : evaluator_(evaluator) { evaluator.set_host(this); }

  // Null when the plan could not be evaluated: the mistakes are in the evaluator's sink.
  const Outcome* at(eval::Record* plan);
  // While the demands of a plan that could not be estimated are checked, its estimates are
  // placeholders; null ends that.
  void check_only(eval::Record* plan) { check_only_ = plan; }
  // Reads the launch record, which may speak of estimates; false after a report.
  bool read_launch(eval::Record* plan);
  const ModelFacts* facts(eval::Record* model);
  // The parameters of a graph as optimizers see them: trained ones, in the graph's order.
  static std::vector<plan::ParameterInfo> trained_parameters(const graph::Graph& graph,
                                                             plan::DType type);

  // -- eval::Host
  const eval::Native* native(Symbol name) override { return natives_.find(evaluator_.text(name)); }
  std::vector<std::string_view> native_names() override { return natives_.names(); }
  eval::Value apply_model(eval::Record* model, llvm::ArrayRef<eval::EvaluatedArgument> arguments,
                          const eval::CallSite& site) override;
  eval::Value* made_at(Span site) override {
    return natives_.body ? natives_.body->made_at(site) : nullptr;
  }
  const void* home() override { return natives_.body ? natives_.body->home_id() : nullptr; }
  std::optional<eval::Value> method(eval::Record* model, Symbol name) override;
  eval::Value tensor_operator(lang::Op op, const eval::Value& a, const eval::Value& b,
                              Span span) override;
  std::optional<eval::Value> model_fact(eval::Record* model, Symbol fact, Span use) override;
  std::optional<eval::Value> derived(eval::Record* record, const eval::Field& field,
                                     Span use) override;
  eval::Value estimated(eval::Record* plan, const eval::Field& field, Span use) override;
  void assumptions(eval::Record* plan, eval::Supposition& out) override;
  std::optional<eval::Value> extent(eval::Record* plan, const eval::Number& extent, Symbol wanted,
                                    Span use) override;

 private:
  enum class Stage { settings, done, failed };
  struct PlanState {
    Stage stage = Stage::settings;
    std::unique_ptr<Outcome> outcome;
  };
  std::unique_ptr<Outcome> compute(eval::Record* plan);
  std::unique_ptr<Outcome> set_length(eval::Record* plan, const eval::Number& duration,
                                      std::unique_ptr<Outcome> outcome,
                                      estimate::Estimator& estimator);

  struct SupposedEstimates {
    std::unique_ptr<estimate::Estimator> estimator;
    eval::Supposition supposition;
    estimate::Estimates estimates;
  };
  const estimate::Estimates& supposed(eval::Record* plan, const Outcome& outcome);
  // As estimated, or as it is under what is supposed at this moment.
  const estimate::Estimates& estimates(eval::Record* plan, const Outcome& outcome) {
    return evaluator_.supposing() ? supposed(plan, outcome) : outcome.estimates;
  }

  bool counts_itself(eval::Record* model, Span use);

  eval::Evaluator& evaluator_;
  eval::Record* check_only_ = nullptr;
  std::vector<eval::Record*> computing_;  // outermost first
  std::vector<eval::Record*> counted_;    // models whose facts are being found, outermost first
  model::Natives natives_;
  std::unordered_map<eval::Record*, PlanState> plans_;
  std::unordered_map<eval::Record*, SupposedEstimates> supposed_;
  static std::vector<const void*> made_of(const eval::Record* model);
  std::deque<ModelFacts> kept_facts_;
  std::unordered_map<eval::Record*, const ModelFacts*> facts_;  // null: could not be built
  std::map<std::vector<const void*>, const ModelFacts*> shared_facts_;
};

// The estimates as the record that a plan's expressions read: `memory`, `time`, ... Poison where
// nothing of that name is estimated.
eval::Value result_value(eval::Evaluator& evaluator, const estimate::Estimates& estimates,
                         const eval::Field& field);

// The same record for a plan that could not be estimated: every quantity has its dimension and
// could be anything, so that what a requirement says is still checked.
eval::Value placeholder_value(eval::Evaluator& evaluator, const eval::Field& field);

}  // namespace dtp::engine
