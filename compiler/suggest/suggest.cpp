#include "suggest/suggest.h"

#include <algorithm>
#include <utility>

#include "base/out.h"
#include "eval/arithmetic.h"

namespace dtp::suggest {

using lang::Expr;
using lang::RecordBody;

namespace {

// Micro-batches that keep the global batch: divisors of what one rank has to do in a step, below
// the present one.
std::vector<int64_t> smaller_micro_batches(const plan::Settings& s) {
  std::vector<int64_t> list;
  int64_t per_rank = s.batch.micro * s.batch.accumulation;
  for (int64_t m = s.batch.micro / 2; m >= 1 && list.size() < 8; --m)
    if (per_rank % m == 0) list.push_back(m);
  if (!list.empty() && list.back() != 1) list.push_back(1);  // whether any batch helps
  return list;
}

}  // namespace

// Another micro-batch with the same global batch. What the plan says decides what else must change:
// an accumulation that it gives would contradict, a global batch that it leaves out would follow.
Suggester::Candidate Suggester::micro_batch(eval::Record* plan, int64_t micro, int64_t global) {
  std::string text = format("batch.micro = {}", micro);
  std::vector<const RecordBody*> parts{make_.set("batch.micro", make_.number(micro))};
  const char* glue = "` with `";
  auto add = [&](const std::string& words, const RecordBody* part) {
    text += std::exchange(glue, "` and `") + words;
    parts.push_back(part);
  };
  if (!says(plan, sym::global))
    add(format("batch.global = {}", global), make_.set("batch.global", make_.number(global)));
  if (says(plan, sym::accumulation))
    add("batch.accumulation = auto", make_.set("batch.accumulation", make_.name("auto")));
  return {std::move(text), make_.join(parts), micro};
}

bool Suggester::says(eval::Record* plan, Symbol size) {
  eval::Value batch = ev_.field(plan, sym::batch, plan->span);
  return batch.is(eval::ValueKind::record) &&
         ev_.given(batch.record, size).is(eval::ValueKind::number);
}

void Suggester::for_memory(eval::Record* plan, const engine::Outcome& outcome,
                           std::vector<Candidate>& list) {
  const plan::Settings& s = outcome.settings;
  bool can_recompute = std::any_of(outcome.graph.repeats.begin(), outcome.graph.repeats.end(),
                                   [](const graph::Repeat& r) { return r.checkpointed; });
  const RecordBody* recompute = make_.set("recompute", make_.name("full"));
  bool recomputes = can_recompute && s.recompute == plan::Recompute::none;
  if (recomputes) list.push_back({"recompute = full", recompute});
  for (int64_t m : smaller_micro_batches(s)) {
    Candidate micro = micro_batch(plan, m, s.batch.global);
    list.push_back(micro);
    if (recomputes)
      list.push_back(
          {"recompute = full` with `" + micro.text, make_.join({recompute, micro.body})});
  }
}

// The optimizer's own step: one kernel over all parameters needs no list of temporaries; without
// the average a copy of the model and its update go, and with them what they are good for.
void Suggester::for_step(const plan::Settings& s, std::vector<Candidate>& list) {
  bool lists =
      s.optimizer.step == plan::StepKind::foreach || s.optimizer.step == plan::StepKind::loop;
  bool can_fuse = lists && s.framework.backend == "cuda";
  const RecordBody* fused = make_.set("optimizer.step", make_.name("fused"));
  const RecordBody* no_average = make_.set("ema", make_.none());
  if (can_fuse) list.push_back({"optimizer.step = fused", fused});
  if (s.ema) list.push_back({"ema = none", no_average, 0, true});
  if (can_fuse && s.ema)
    list.push_back(
        {"optimizer.step = fused` with `ema = none", make_.join({fused, no_average}), 0, true});
}

void Suggester::for_time(const plan::Settings& s, std::vector<Candidate>& list) {
  bool bf16 = s.hardware.gpu.peak.contains(plan::DType::bf16);
  bool fast = bf16 || s.hardware.gpu.peak.contains(plan::DType::fp16);
  if (!s.precision.autocast && s.precision.parameters == plan::DType::fp32 && fast) {
    const char* type = bf16 ? "bf16" : "fp16";
    list.push_back({format("precision = amp({})", type),
                    make_.set("precision", make_.call("amp", make_.name(type)))});
  }
  if (s.recompute == plan::Recompute::full)
    list.push_back({"recompute = none", make_.set("recompute", make_.none())});
}

std::vector<Suggester::Candidate> Suggester::candidates(eval::Record* plan,
                                                        const engine::Outcome& outcome,
                                                        std::string_view about) {
  std::vector<Candidate> list;
  if (about == "memory")
    for_memory(plan, outcome, list);
  else
    for_time(outcome.settings, list);
  for_step(outcome.settings, list);
  return list;
}

// The same demand of a plan that was changed.
std::vector<judge::Demand> Suggester::again(const judge::Demand& demand, eval::Record* changed) {
  std::vector<judge::Demand> all;
  if (demand.rule)
    rules_.demands(*demand.rule, ev_.make_record(changed), all);
  else
    all = judge_.demands(changed);
  std::erase_if(all, [&](const judge::Demand& d) { return d.requirement != demand.requirement; });
  return all;
}

// The same change is asked of many requirements, and estimated once.
Suggester::Changed Suggester::change(eval::Record* plan, const Candidate& candidate) {
  eval::Env* env = candidate.env ? candidate.env : plan->shape->env;
  auto make = [&] {
    eval::Record* changed = ev_.amend(plan, candidate.body, env, true);
    return Changed{changed, engine_.at(changed)};
  };
  if (candidate.env) return make();  // its words mean what they mean there
  auto [found, fresh] = changed_.try_emplace({plan, candidate.text});
  if (fresh) found->second = make();
  return found->second;
}

std::optional<Suggester::Tried> Suggester::attempt(eval::Record* plan, const Candidate& candidate,
                                                   const judge::Demand& demand) {
  NullSink quiet;
  DiagnosticSink* before = ev_.swap_sink(&quiet);
  std::optional<Tried> tried;
  auto [changed, outcome] = change(plan, candidate);
  if (outcome)
    for (const judge::Demand& d : again(demand, changed)) {
      judge::VerdictRow row = judge_.judge_one(d);
      if (row.failed) {
        tried.reset();
        break;
      }
      // Of a requirement in a loop the worst counts.
      if (tried && row.verdict == Verdict::proved) continue;
      const Interval& step = outcome->estimates.time.step.value;
      tried =
          Tried{candidate,
                row.verdict,
                step.likely,
                row.left_likely.value_or(0),
                row.left,
                ev_.print(ev_.make_number(eval::real_number(step.likely, units::kTimeDimension))),
                outcome->estimates.memory.peak_phase,
                changed,
                outcome};
    }
  ev_.swap_sink(before);
  return tried;
}

// A path begins with the parameter of the rule, or in a plan's own requirement with a field.
std::optional<Suggester::Candidate> Suggester::written(const lang::Suggestion& suggestion,
                                                       const judge::Demand& demand) {
  llvm::ArrayRef<Symbol> path = suggestion.path;
  if (demand.rule) {
    if (demand.rule->subject != judge::Rule::Subject::plan ||
        path[0] != demand.rule->decl->parameters[0].name)
      return std::nullopt;
    path = path.drop_front();
  }
  if (path.empty()) return std::nullopt;
  llvm::SmallVector<plan::PathWord, 4> words;
  std::string text;
  for (Symbol word : path) {
    words.push_back({word, suggestion.span});
    text += (text.empty() ? "" : ".") + std::string(ev_.text(word));
  }
  Candidate candidate{std::move(text), make_.set(words, suggestion.value, true)};
  candidate.env = demand.env;
  return candidate;
}

std::string Suggester::value_at(llvm::ArrayRef<Symbol> path, const Expr* written,
                                eval::Record* plan) {
  eval::Value value = ev_.make_record(plan);
  for (Symbol word : path) {
    if (!value.is(eval::ValueKind::record)) return {};
    value = ev_.field(value.record, word, {});
  }
  // A record is told as it was written: `amp(bf16)`.
  if (eval::is_plain_record(value)) return std::string(judge_.sources().slice(written->span));
  return value.poisoned() ? std::string() : ev_.print(value);
}

void Suggester::help_as_written(eval::Record* plan, const engine::Outcome& outcome,
                                judge::Finding& finding) {
  auto print = [&](double value, const units::Dimension& dimension) {
    return ev_.print(ev_.make_number(eval::real_number(value, dimension)));
  };
  auto effect = [&](const char* what, const Interval& before, const Interval& after,
                    const units::Dimension& dimension) {
    std::string from = print(before.likely, dimension), to = print(after.likely, dimension);
    return from == to ? std::string() : format("; the {} goes from {} to {}", what, from, to);
  };
  for (const lang::Suggestion& suggestion : finding.demand.requirement->suggestions) {
    auto candidate = written(suggestion, finding.demand);
    auto tried = candidate ? attempt(plan, *candidate, finding.demand) : std::nullopt;
    if (!tried || tried->verdict != Verdict::proved) continue;
    llvm::ArrayRef<Symbol> path = suggestion.path;
    std::string value =
        value_at(finding.demand.rule ? path.drop_front() : path, suggestion.value, tried->changed);
    const auto& after = tried->outcome->estimates;
    finding.diagnostic.help.push_back(
        {format("`{} = {}` mends it{}{}", candidate->text, value,
                effect("peak", outcome.estimates.memory.peak.value, after.memory.peak.value,
                       units::kMemoryDimension),
                effect("step", outcome.estimates.time.step.value, after.time.step.value,
                       units::kTimeDimension)),
         {},
         {},
         false});
  }
}

void Suggester::help_unestimated(eval::Record* plan, judge::Finding& finding) {
  for (const lang::Suggestion& suggestion : finding.demand.requirement->suggestions) {
    auto candidate = written(suggestion, finding.demand);
    if (!candidate) continue;
    NullSink quiet;
    DiagnosticSink* before = ev_.swap_sink(&quiet);
    Changed changed = change(plan, *candidate);
    std::vector<judge::Demand> demands = again(finding.demand, changed.plan);
    bool mends = !demands.empty() &&
                 std::all_of(demands.begin(), demands.end(), [&](const judge::Demand& d) {
                   judge::VerdictRow row = judge_.judge_one(d);
                   return !row.failed && row.verdict == Verdict::proved;
                 });
    std::string value =
        mends ? value_at(suggestion.path.drop_front(), suggestion.value, changed.plan) : "";
    ev_.swap_sink(before);
    if (mends)
      finding.diagnostic.help.push_back(
          {format("`{} = {}` mends it", candidate->text, value), {}, {}, false});
  }
}

// Of what leaves the requirement open, those within 2 % of the one that is farthest from the limit.
void Suggester::keep_farthest(std::vector<Tried>& open, lang::Op op) {
  bool below = op == lang::Op::less || op == lang::Op::less_equal;
  auto nearer = [&](const Tried& a, const Tried& b) {
    return below ? a.left < b.left : a.left > b.left;
  };
  auto best = std::min_element(open.begin(), open.end(), nearer);
  if (best == open.end()) return;
  double limit = best->left * (below ? 1.02 : 0.98);
  std::erase_if(open, [&](const Tried& t) { return below ? t.left > limit : t.left < limit; });
  // Two changes that bring no more than one of them are no help.
  bool alone = std::any_of(open.begin(), open.end(), [](const Tried& t) { return !t.pair(); });
  if (alone) std::erase_if(open, [](const Tried& t) { return t.pair(); });
}

// Says so where the smallest batch is still too large: the peak is not the batch's then.
void Suggester::say_no_batch_helps(const engine::Outcome& outcome, const std::vector<Tried>& tried,
                                   judge::Finding& finding) {
  const plan::Settings& s = outcome.settings;
  estimate::Phase phase = outcome.estimates.memory.peak_phase;
  auto smallest = std::find_if(tried.begin(), tried.end(),
                               [](const Tried& t) { return t.candidate.micro == 1; });
  std::string text;
  if (smallest != tried.end() && smallest->verdict == Verdict::refuted)
    text = format("no batch helps: with `batch.micro = 1` it is still {}, {}", smallest->value,
                  estimate::words(smallest->phase));
  else if (s.batch.micro == 1 && !estimate::is_pass(phase))
    text = format("no batch helps: it is one sample a pass already, and the peak is {}",
                  estimate::words(phase));
  if (!text.empty()) finding.diagnostic.notes.push_back({std::move(text), {}});
}

void Suggester::help(eval::Record* plan, const engine::Outcome& outcome,
                     const judge::VerdictRow& row, judge::Finding& finding) {
  if (!finding.demand.requirement->suggestions.empty())
    return help_as_written(plan, outcome, finding);
  if (finding.demand.rule || row.expect || row.left.empty() ||
      finding.demand.requirement->condition->kind != lang::ExprKind::binary)
    return;
  const Expr* left = finding.demand.requirement->condition->a;
  while (left->kind == lang::ExprKind::member) left = left->a;
  if (left->kind != lang::ExprKind::name) return;
  std::string_view about = ev_.text(left->name);
  // What all runs of a sweep cost does not follow from a change of one.
  if (about != "memory" && engine_.is_one_of_several(plan)) return;
  // What proves the requirement comes first; where nothing does, what leaves it open is still help.
  std::vector<Tried> good, open, all;
  for (const Candidate& c : candidates(plan, outcome, about)) {
    // Two changes are proposed only where neither alone is enough.
    if (c.pair() && !good.empty()) continue;
    auto tried = attempt(plan, c, finding.demand);
    if (!tried) continue;
    all.push_back(*tried);
    if (tried->verdict == Verdict::refuted) continue;
    (tried->verdict == Verdict::proved ? good : open).push_back(std::move(*tried));
  }
  if (about == "memory") say_no_batch_helps(outcome, all, finding);
  const char* tail = good.empty() ? ": it may hold then" : "";
  bool proved = !good.empty();
  if (!proved) good = std::move(open);
  if (!proved) keep_farthest(good, finding.demand.requirement->condition->op);
  std::stable_sort(good.begin(), good.end(), [](const Tried& a, const Tried& b) {
    if (a.candidate.gives_up != b.candidate.gives_up) return b.candidate.gives_up;
    return a.step_time < b.step_time;
  });
  std::string step = ev_.print(ev_.make_number(
      eval::real_number(outcome.estimates.time.step.value.likely, units::kTimeDimension)));
  for (size_t i = 0; i < good.size() && i < 2; ++i) {
    std::string text = format("`{}` brings it to {}, and the step from {} to {}{}",
                              good[i].candidate.text, good[i].value, step, good[i].step, tail);
    finding.diagnostic.help.push_back({std::move(text), {}, {}, false});
  }
}

}  // namespace dtp::suggest
