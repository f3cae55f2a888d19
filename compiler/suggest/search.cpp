#include "suggest/search.h"

#include <algorithm>

#include "ops/operation.h"

namespace dtp::suggest {
namespace {

constexpr size_t kMostShown = 3;
// Of the pairs, those that promise most.
constexpr size_t kMostPairs = 8;

bool is_setting(const Row& row) { return row.price != Price::machine; }

// Both changes; nothing where they say the same field.
std::optional<Change> joined(const Change& a, const Change& b) {
  Change both = a;
  for (const plan::Setting& s : b) {
    for (const plan::Setting& other : a) {
      bool inside = (s.path + ".").starts_with(other.path + ".") ||
                    (other.path + ".").starts_with(s.path + ".");
      if (inside) return std::nullopt;
    }
    both.push_back(s);
  }
  return both;
}

// A batch norm normalizes over one pass: another size of it trains another model.
bool normalizes_a_pass(const graph::Graph& graph) {
  return llvm::any_of(graph.nodes, [](const graph::Node& n) {
    return n.operation && n.operation->name == "batch_norm";
  });
}

}  // namespace

const Tried* Search::try_one(const Row& row, const Change& change, const Proposals* with) {
  std::optional<Change> both = with ? joined(with->best->change, change) : change;
  auto tried = both ? trials_.attempt(*both, demand_) : std::nullopt;
  if (!tried) return nullptr;
  tried->rows = {&row};
  tried->price = row.price;
  tried->same_training = row.same_training;
  if (with) {
    tried->rows.push_back(with->row);
    tried->price = std::max(row.price, with->row->price);
    tried->same_training = row.same_training && with->row->same_training;
  }
  bool other_passes = tried->outcome->settings.batch.micro != s_.settings().batch.micro;
  if (other_passes && normalizes_a_pass(s_.outcome().graph())) tried->same_training = false;
  return &all_.emplace_back(std::move(*tried));
}

// Each value; of ordered ones the last, and where that helps, the first that helps as well: between
// them half of what is left is looked at, and so on. Those beyond the first are more than is
// needed.
void Search::try_row(Proposals& of, const Proposals* with) {
  const Row& row = *of.row;
  auto note = [&](const Tried* t) {
    if (t && !with && (!of.best || is_better(*t, *of.best, op()))) of.best = t;
    return t;
  };
  if (!row.ordered) {
    for (const Change& change : of.changes) note(try_one(row, change, with));
    return;
  }
  if (of.changes.empty()) return;
  const size_t before = all_.size();
  const Tried* last = note(try_one(row, of.changes.back(), with));
  if (!last || last->verdict == Verdict::refuted) return;
  auto as_good = [&](const Tried* t) {
    if (!t || last->verdict == Verdict::proved) return t && t->verdict == Verdict::proved;
    std::vector<Tried> two{*t, *last};
    if (t->verdict == Verdict::undecided) keep_farthest(two, op());
    return t->verdict == Verdict::undecided && two.size() == 2;
  };
  const Tried* first = last;
  size_t below = 0, helps = of.changes.size() - 1;
  while (below < helps) {
    size_t middle = (below + helps) / 2;
    const Tried* t = try_one(row, of.changes[middle], with);
    if (as_good(t)) {
      helps = middle;
      first = t;
    } else {
      below = middle + 1;
    }
  }
  for (Tried& t : llvm::drop_begin(all_, before))
    t.more_than_needed = t.verdict == first->verdict && &t != first;
}

void Search::singles(std::vector<Proposals>& all) {
  for (const Row& row : rows()) {
    if (!(row.aims & aim_) || !is_setting(row)) continue;
    Proposals& of = all.emplace_back(Proposals{&row, {}, nullptr});
    row.propose(s_, aim_, of.changes);
    try_row(of, nullptr);
  }
}

// What two changes would come to if each did what it does alone: of memory the phases tell, since
// the largest decides.
double Search::predicted(const Tried& a, const Tried& b) const {
  const estimate::Estimates& now = s_.outcome().estimates;
  if (aim_ == kMemory) {
    const Interval* of_a = a.outcome->estimates.memory.phases;
    const Interval* of_b = b.outcome->estimates.memory.phases;
    double peak = 0;
    for (const Interval& before : now.memory.phases)
      peak = std::max(peak, of_a++->likely + of_b++->likely - before.likely);
    return peak;
  }
  double step = now.time.step.value.likely;
  return a.outcome->estimates.time.step.value.likely * b.outcome->estimates.time.step.value.likely /
         step;
}

void Search::pairs(std::vector<Proposals>& all) {
  std::erase_if(all, [](const Proposals& p) { return !p.best; });
  struct Pair {
    double predicted;
    Proposals *one, *other;
  };
  std::vector<Pair> pairs;
  for (size_t i = 0; i < all.size(); ++i)
    for (size_t k = i + 1; k < all.size(); ++k) {
      // The ordered one is searched, with the other's best.
      bool ordered = all[k].row->ordered;
      Proposals &one = ordered ? all[k] : all[i], &other = ordered ? all[i] : all[k];
      pairs.push_back({predicted(*one.best, *other.best), &one, &other});
    }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Pair& a, const Pair& b) { return a.predicted < b.predicted; });
  if (pairs.size() > kMostPairs) pairs.resize(kMostPairs);
  for (const Pair& pair : pairs) {
    Proposals one = *pair.one;
    if (!one.row->ordered) one.changes = {one.best->change};
    try_row(one, pair.other);
  }
}

void Search::machines() {
  for (const Row& row : rows()) {
    if (!(row.aims & aim_) || is_setting(row)) continue;
    Proposals of{&row, {}, nullptr};
    row.propose(s_, aim_, of.changes);
    try_row(of, nullptr);
  }
}

std::vector<Tried> Search::best(Verdict verdict) {
  std::vector<Tried> list;
  for (const Tried& t : all_)
    if (t.verdict == verdict && !t.more_than_needed) list.push_back(t);
  if (verdict == Verdict::undecided) keep_farthest(list, op());
  rank(list, s_.outcome());
  std::vector<Tried> kept;
  for (const Tried& t : list) {
    bool told = std::any_of(kept.begin(), kept.end(),
                            [&](const Tried& k) { return k.rows.front() == t.rows.front(); });
    if (kept.size() < kMostShown && !told && trials_.breaks_nothing(t)) kept.push_back(t);
  }
  return kept;
}

void Search::run() {
  std::vector<Proposals> all;
  singles(all);
  good_ = best(Verdict::proved);
  if (good_.empty()) {
    pairs(all);
    good_ = best(Verdict::proved);
  }
  if (good_.size() < kMostShown) {
    machines();
    good_ = best(Verdict::proved);
  }
  if (good_.empty()) open_ = best(Verdict::undecided);
}

}  // namespace dtp::suggest
