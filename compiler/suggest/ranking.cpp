#include "suggest/ranking.h"

#include <algorithm>

namespace dtp::suggest {
namespace {

bool goes_down(lang::Op op) { return op == lang::Op::less || op == lang::Op::less_equal; }

double time_and_money(const engine::Outcome& o, bool priced) {
  double step = o.estimates.time.step.value.likely;
  double money =
      priced ? o.estimates.cost.per_step.value.likely : step * o.settings.hardware.gpus();
  return step * money;
}

}  // namespace

void rank(std::vector<Tried>& tried, const engine::Outcome& now) {
  auto has_price = [&](const engine::Outcome& o) {
    return o.estimates.cost.per_step.value.likely > 0 &&
           o.estimates.cost.currency == now.estimates.cost.currency;
  };
  bool priced = has_price(now) && std::all_of(tried.begin(), tried.end(), [&](const Tried& t) {
                  return has_price(*t.outcome);
                });
  std::stable_sort(tried.begin(), tried.end(), [&](const Tried& a, const Tried& b) {
    if (a.price != b.price) return a.price < b.price;
    return time_and_money(*a.outcome, priced) < time_and_money(*b.outcome, priced);
  });
}

bool is_better(const Tried& a, const Tried& b, lang::Op op) {
  if (!a.left || !b.left) return a.left.has_value();
  return goes_down(op) ? *a.left < *b.left : *a.left > *b.left;
}

void keep_farthest(std::vector<Tried>& open, lang::Op op) {
  auto best = std::min_element(open.begin(), open.end(),
                               [&](const Tried& a, const Tried& b) { return is_better(a, b, op); });
  if (best == open.end() || !best->left) return;
  double limit = *best->left * (goes_down(op) ? 1.02 : 0.98);
  std::erase_if(open, [&](const Tried& t) {
    return !t.left || (goes_down(op) ? *t.left > limit : *t.left < limit);
  });
  // Two changes that bring no more than one of them are no help.
  bool alone =
      std::any_of(open.begin(), open.end(), [](const Tried& t) { return t.rows.size() < 2; });
  if (alone) std::erase_if(open, [](const Tried& t) { return t.rows.size() > 1; });
}

}  // namespace dtp::suggest
