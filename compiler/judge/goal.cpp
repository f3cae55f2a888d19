#include "judge/goal.h"

#include <algorithm>

#include "base/one_line.h"
#include "base/out.h"
#include "eval/guards.h"

namespace dtp::judge {

using eval::Value;
using eval::ValueKind;

std::optional<Goal> read_goal(eval::Evaluator& ev, const SourceManager& sources,
                              eval::Record* plan) {
  const lang::Goal* written = nullptr;
  size_t layer = plan->layers.size();
  while (!written && layer-- > 0) written = plan->layers[layer].body->goal;
  if (!written) return std::nullopt;
  Goal goal;
  goal.maximize = written->maximize;
  goal.span = written->span;
  for (const lang::Expr* aim : written->aims) {
    eval::Reads own(ev, true);
    Value v = ev.evaluate(aim, ev.layer_scope(plan, layer));
    bool number = v.is(ValueKind::number) || v.is(ValueKind::unknown);
    if (!number && !v.poisoned())
      ev.error(Kind::TypeMismatch, aim->span,
               format("what a plan is to make {} is a number or a quantity, and this is {}",
                      goal.maximize ? "large" : "small", ev.describe(v)));
    goal.aims.emplace_back(one_line(sources.slice(aim->span)));
    bool told = v.is(ValueKind::number) && !ev.reads();
    goal.values.push_back(told ? ev.print(v) : std::string());
  }
  return goal;
}

void check_goal_decides(eval::Evaluator& ev, eval::Record* plan, const Goal& goal) {
  // One that came with choices which an amendment has made since is no mistake.
  bool chooses = std::any_of(plan->layers.begin(), plan->layers.end(),
                             [](const eval::Layer& layer) { return layer.body->chooses; });
  if (chooses) return;
  ev.sink().add(ev.diagnose(Kind::SettingWithoutEffect, goal.span,
                            format("`{}` decides nothing: the plan leaves nothing to be chosen",
                                   goal.maximize ? "maximize" : "minimize"))
                    .help("`choose` leaves a field open: `recompute = choose [none, full]`"));
}

}  // namespace dtp::judge
