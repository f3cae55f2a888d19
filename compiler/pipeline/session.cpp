// The whole way in one screen: load, resolve, evaluate each plan, estimate, judge.
#include "pipeline/session.h"

#include "eval/guards.h"
#include "pipeline/overrides.h"
#include "pipeline/session_state.h"
#include "report/why.h"
#include "syntax/print.h"

namespace dtp::pipeline {

Session::Session(Options options) : state_(std::make_unique<State>(std::move(options))) {}
Session::~Session() = default;
SourceManager& Session::sources() { return state_->sources; }
CollectingSink& Session::sink() { return state_->sink; }
const units::UnitTable& Session::units() const { return state_->units; }
const std::vector<PlanResult>& Session::plans() const { return state_->plans; }

void Session::check_text(std::string name, const std::string& path, std::string text) {
  State& s = *state_;
  if (!s.prelude_loaded) {
    s.prelude_loaded = true;
    s.evaluator.set_prelude(s.loader.load_prelude());
    s.overrides = read_overrides(s.options.settings, s.loader, s.names, s.arena, s.sink);
    s.evaluator.set_overrides(s.overrides);
  }
  size_t errors = s.sink.errors();
  lang::Module* module = s.loader.load_text(std::move(name), path, std::move(text));
  s.modules.push_back(module);
  if (module->is_project) return s.check_project(*module);
  size_t of_project = s.sink.errors();
  if (module->project) s.check_project(*module->project);
  errors += s.sink.errors() - of_project;
  size_t first_plan = s.plans.size();
  s.errors_of_plans = 0;
  s.check_module(*module);
  // What is wrong with a file is wrong with its plans.
  if (s.sink.errors() > errors + s.errors_of_plans)
    for (size_t i = first_plan; i < s.plans.size(); ++i) s.plans[i].ok = s.reports[i].ok = false;
}

bool Session::explain(const PlanResult& plan, std::string_view topic, llvm::raw_ostream& out) {
  State& s = *state_;
  for (size_t i = 0; i < s.plans.size(); ++i) {
    if (&s.plans[i] != &plan || !s.reports[i].outcome) continue;
    return report::explain(s.reports[i], topic, s.units, out);
  }
  return false;
}

bool Session::why(const PlanResult& plan, const std::string& path, llvm::raw_ostream& out) {
  State& s = *state_;
  auto index = static_cast<size_t>(&plan - s.plans.data());
  eval::Record* record = s.records[index];
  if (!record) return false;
  eval::Env* scope = record->layers.empty()
                         ? s.evaluator.shape_scope(record, record->shape)
                         : s.evaluator.layer_scope(record, record->layers.size() - 1);
  eval::Reads own(s.evaluator, true);
  const lang::Expr* asked = s.loader.load_expression("<asked>", path);
  return asked && report::why(s.evaluator, s.sources, s.reports[index], asked, scope, out);
}

std::optional<emit::Subject> Session::subject(const PlanResult& plan) {
  State& s = *state_;
  auto index = static_cast<size_t>(&plan - s.plans.data());
  const engine::Outcome* outcome = s.reports[index].outcome;
  eval::Record* record = s.records[index];
  if (!outcome || !record) return std::nullopt;
  auto place = [&s, record](std::string_view field) {
    Span at = s.evaluator.origin(record, s.names.intern(field));
    return at.valid() ? at : record->span;
  };
  auto training = [&s, record] { return s.engine.read_training(record); };
  return emit::Subject{*outcome, outcome->settings, s.options.version, place, training};
}

void Session::dump(std::string_view product, llvm::raw_ostream& out) {
  State& s = *state_;
  if (product == "tree" || product == "program") {
    for (lang::Module* m : s.modules) {
      const syntax::Tree* tree = s.loader.tree(m);
      if (!tree) continue;
      if (product == "tree")
        syntax::print_tree(*tree, out);
      else
        report::print_program(*m, s.names, out);
    }
    return;
  }
  for (const report::PlanReport& r : s.reports) report::dump(r, product, s.units, out);
}

void Session::write_json(llvm::json::OStream& json) const {
  report::write_plans(state_->reports, state_->sources, state_->units, json);
}

}  // namespace dtp::pipeline
