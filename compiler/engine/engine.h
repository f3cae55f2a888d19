// (Program, plan).at() -> Outcome. Everything that is remembered between questions is remembered
// here. It is also what the evaluator asks for facts of models, derived fields and estimates.
#pragma once
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <vector>

#include "engine/outcome.h"
#include "estimate/fields.h"
#include "eval/evaluator.h"
#include "eval/supposition.h"
#include "model/build_graph.h"
#include "plan/reader.h"
#include "plan/sweep.h"

namespace dtp::engine {

// A plan with what it comes to.
struct Run {
  eval::Record* plan = nullptr;
  const Outcome* outcome = nullptr;
  const estimate::Estimates* estimates = nullptr;  // under what is supposed at this moment
};

class Engine final : public eval::Host {
 public:
  explicit Engine(eval::Evaluator& evaluator) : evaluator_(evaluator) { evaluator.set_host(this); }

  // Null when the plan could not be evaluated: the mistakes are in the evaluator's sink.
  const Outcome* at(eval::Record* plan);
  // The same of a plan with something set on top of `base`, which was estimated. The graph and the
  // optimizer's states are those of `base` where nothing that they rest on is touched.
  const Outcome* what_if(eval::Record* changed, eval::Record* base);
  // What was found while the plan was worked out, whoever asked for it: it is told once, where the
  // plan is checked.
  std::vector<Diagnostic> take_findings(eval::Record* plan);
  // The findings of plans that others asked for and nobody has told, such as those of an imported
  // file.
  std::vector<std::pair<eval::Record*, std::vector<Diagnostic>>> untold();
  // The plans that `each` makes of a declared one; itself where it sweeps nothing. None after a
  // report.
  llvm::ArrayRef<plan::Variant> runs(eval::Record* plan);
  // Whether the plan is one of several that `each` makes.
  bool is_one_of_several(eval::Record* plan) const { return sweep_of_.contains(plan); }
  // The plans of a series in their order, those of series in it as well. Nothing where one could
  // not be estimated, or is no plan: reported.
  std::optional<std::vector<Run>> members(eval::Record* series);
  // From here on, that another plan failed is told again.
  void next_plan() { failed_told_.clear(); }
  // While the demands of a plan that could not be estimated are checked, its estimates are
  // placeholders; null ends that.
  void check_only(eval::Record* plan) { check_only_ = plan; }
  // Reports what a record of a trial run says wrongly: a figure that is no result of a plan, or of
  // another dimension. Once a record.
  bool check_measured(eval::Record* trial);
  // Reads the launch record, which may speak of estimates; false after a report.
  bool read_launch(eval::Record* plan);
  // What a trainer of the plan must know beside its costs; nothing after a report.
  std::optional<plan::Training> read_training(eval::Record* plan);
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
    const eval::HoleSet* reads = nullptr;  // what was left to be chosen
    bool silent = false;                   // nothing was found that a plan would tell
  };
  // What a changed plan takes over from the one that it is made from; null: nothing.
  struct TakenOver {
    const Outcome* graph = nullptr;
    const Outcome* states = nullptr;
  };
  // The fields of a plan that something rests on.
  using FieldsRead = std::set<uint32_t>;
  struct RestsOn {
    FieldsRead graph, states;
  };
  const Outcome* at(eval::Record* plan, const TakenOver& taken);
  std::unique_ptr<Outcome> compute(eval::Record* plan, const TakenOver& taken);
  std::shared_ptr<Built> build(eval::Record* plan, const std::optional<plan::Settings>& settings,
                               const TakenOver& taken, ModelFacts& facts_of_model);
  bool divide(eval::Record* plan, const model::TensorParallel& group, graph::Graph& graph);
  bool read_states(plan::Reader& reader, Outcome& outcome, const TakenOver& taken);
  // what_if.cpp
  TakenOver taken_over(const eval::Record* changed, eval::Record* base, const Outcome& outcome);
  TakenOver of_sibling(eval::Record* plan);
  template <class Work>
  FieldsRead fields_read(eval::Record* plan, Work work);
  const RestsOn& rests_on(eval::Record* base, const Outcome& outcome);
  std::unique_ptr<Outcome> set_length(eval::Record* plan, const eval::Number& duration,
                                      std::unique_ptr<Outcome> outcome,
                                      estimate::Estimator& estimator);

  struct SupposedEstimates {
    bool known = false;
    eval::Supposition supposition;
    estimate::Estimates estimates;
  };
  const estimate::Estimates& supposed(eval::Record* plan, const Outcome& outcome);
  // As estimated, or as it is under what is supposed at this moment.
  const estimate::Estimates& estimates(eval::Record* plan, const Outcome& outcome) {
    return evaluator_.supposing() ? supposed(plan, outcome) : outcome.estimates;
  }

  // calibration.cpp: compares with what was measured, and takes that where the plan is the one that
  // ran. False after a report.
  bool calibrate(eval::Record* plan, Outcome& outcome, estimate::Estimator& estimator);
  bool compare(eval::Record* trial, Span at, Outcome& outcome);
  const Outcome* ran_of(eval::Record* trial, Span at, const Outcome& outcome, bool& same);
  void tell_outside(const Comparison& c, const eval::Number& measured, Span at, Span ran);
  bool counts_itself(eval::Record* model, Span use);
  eval::Value parts_value(const ModelFacts& facts);
  eval::Value estimated_of_plan(eval::Record* plan, const eval::Field& field, Span use);
  eval::Value ring(eval::Record* plan, Span use);
  // several.cpp
  eval::Value of_sweep(eval::Record* plan, const eval::Field& field, Span use);
  eval::Value of_series(eval::Record* series, const eval::Field& field, Span use);
  eval::Value duration_of_series(const std::vector<Run>& runs, const eval::Field& field);
  std::optional<std::vector<Run>> all_runs(eval::Record* plan, Span use);
  bool add_members(eval::Record* series, std::vector<Run>& out);
  bool add_member(const eval::Value& member, Span at, size_t number, std::vector<Run>& out);
  Run run(eval::Record* plan, const Outcome& outcome);
  void tell_failed(eval::Record* plan, Span use);
  void add_findings(eval::Record* plan, CollectingSink& found);
  // A result is asked for where it is not known yet. `what`: what asks.
  eval::Value too_early(std::string_view result, Span use, const char* what);

  eval::Evaluator& evaluator_;
  plan::Reader::Kept kept_;
  eval::Record* check_only_ = nullptr;
  std::vector<eval::Record*> computing_;  // outermost first
  std::vector<eval::Record*> counted_;    // models whose facts are being found, outermost first
  model::Natives natives_;
  std::unordered_map<eval::Record*, PlanState> plans_;
  std::unordered_map<eval::Record*, std::vector<Diagnostic>> findings_;
  std::vector<eval::Record*> asked_for_;  // by other plans, in their order
  std::set<const eval::Record*> failed_told_;
  std::unordered_map<eval::Record*, std::vector<plan::Variant>> sweeps_;
  std::unordered_map<const eval::Record*, eval::Record*> sweep_of_;  // a variant's declared plan
  std::unordered_map<eval::Record*, SupposedEstimates> supposed_;
  std::unordered_map<eval::Record*, RestsOn> rests_on_;  // of plans that were changed
  struct Siblings {
    eval::Record* first = nullptr;
    size_t others = 0;
  };
  // Plans that begin with the same body at the same place.
  std::map<std::pair<const lang::RecordBody*, const eval::Env*>, Siblings> siblings_;
  static std::vector<const void*> made_of(const eval::Record* model);
  std::deque<ModelFacts> kept_facts_;
  struct KnownFacts {
    const ModelFacts* facts = nullptr;  // null: could not be built
    const eval::HoleSet* reads = nullptr;
  };
  std::unordered_map<eval::Record*, KnownFacts> facts_;
  std::map<std::vector<const void*>, const ModelFacts*> shared_facts_;
  // By the texts of the values and of what ran: whether they are good.
  std::map<std::pair<const void*, const void*>, bool> measured_checked_;
};

// The estimates as the record that a plan's expressions read: `memory`, `time`, ... Poison where
// nothing of that name is estimated.
// `together`: all runs of the sweep that the plan is one of; what is spent is the sum over them.
eval::Value result_value(eval::Evaluator& evaluator, const estimate::Estimates& estimates,
                         const eval::Field& field, llvm::ArrayRef<Run> together = {});

// The results of several plans: sums and the largest, by what estimate/fields.def says of each.
// `at_once`: it is not known how many of them run at a time.
eval::Value value_together(eval::Evaluator& evaluator, llvm::ArrayRef<Run> runs,
                           const eval::Field& field, bool at_once);
// One figure of them, in the dimension of the first; nothing where there is none of all.
std::optional<estimate::Estimate> figure_together(const estimate::ResultField& field,
                                                  llvm::ArrayRef<Run> runs, bool at_once);

// The same record for a plan that could not be estimated: every quantity has its dimension and
// could be anything, so that what a requirement says is still checked.
eval::Value placeholder_value(eval::Evaluator& evaluator, const eval::Field& field);

}  // namespace dtp::engine
