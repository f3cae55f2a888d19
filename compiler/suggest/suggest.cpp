#include "suggest/suggest.h"

#include <algorithm>
#include <utility>

#include "base/one_line.h"
#include "base/out.h"
#include "edit/place.h"
#include "judge/condition.h"
#include "lang/children.h"
#include "suggest/effect.h"
#include "suggest/written.h"

namespace dtp::suggest {

using lang::Expr;
using lang::ExprKind;

namespace {

// Results by their first word, and what brings each of them to the good side.
constexpr std::pair<std::string_view, Aim> kAims[] = {
    {"memory", kMemory},    {"time", kTime},  {"throughput", kTime},
    {"utilization", kTime}, {"cost", kMoney}, {"energy", kMoney},
};

}  // namespace

std::optional<Aim> Suggester::aim_of(const Expr& condition) const {
  if (condition.kind == ExprKind::name || condition.kind == ExprKind::member)
    for (const auto& [word, aim] : kAims)
      if (ev_.text(condition.name) == word) return aim;
  std::optional<Aim> found;
  lang::for_each_child(condition, [&](const Expr& child) {
    if (!found) found = aim_of(child);
  });
  return found;
}

// What a requirement compares, as it is written, where that is told.
std::string Suggester::asked(const judge::Finding& finding) const {
  const Expr& condition = *finding.demand.requirement->condition;
  if (!judge::is_comparison(&condition) || !aim_of(*condition.a)) return {};
  std::string text = one_line(s_.sources.slice(condition.a->span));
  if (const judge::Rule* rule = finding.demand.rule) {
    std::string subject = std::string(ev_.text(rule->decl->parameters[0].name)) + ".";
    if (text.starts_with(subject)) text.erase(0, subject.size());
  }
  return text;
}

Help Suggester::as_help(std::string text, llvm::ArrayRef<plan::Setting> change, bool certain) {
  Help help{std::move(text), {}, false};
  // A run of a sweep has no text of its own.
  if (!declaration_ || engine_.is_one_of_several(s_.plan)) return help;
  if (auto edits = edit::place(ev_, s_.sources, *declaration_, s_.plan, change)) {
    help.edits = std::move(*edits);
    help.certain = certain && !help.edits.empty();
  }
  return help;
}

void Suggester::tell(const std::vector<Tried>& list, const judge::VerdictRow& row,
                     judge::Finding& finding) {
  bool certain = true;  // the first that may be
  for (const Tried& t : list) {
    bool proved = t.verdict == Verdict::proved;
    std::string changes = effect(ev_, s_.outcome(), asked(finding), row.left, t);
    std::string text = words(t.change) + ": " + (changes.empty() ? "it holds" : changes);
    if (!proved) text += "; it may hold then";
    bool neutral = proved && t.same_training && t.price == Price::nothing;
    finding.diagnostic.help.push_back(as_help(std::move(text), t.change, certain && neutral));
    certain = certain && !neutral;
  }
}

// Says so where the smallest batch is still too large: the peak is not the batch's then.
void Suggester::say_no_batch_helps(const std::deque<Tried>& tried, judge::Finding& finding) const {
  const plan::Settings& s = s_.settings();
  estimate::Phase phase = s_.outcome().estimates.memory.peak_phase;
  auto smallest = std::find_if(tried.begin(), tried.end(), [](const Tried& t) {
    bool smaller = t.rows.size() == 1 && t.price == Price::nothing && t.rows[0]->ordered;
    return smaller && t.outcome->settings.batch.micro == 1;
  });
  std::string text;
  if (smallest != tried.end() && smallest->verdict == Verdict::refuted)
    text = format("no batch helps: with `batch.micro = 1` it is still {}, {}", smallest->value,
                  estimate::words(smallest->outcome->estimates.memory.peak_phase));
  else if (s.batch.micro == 1 && !estimate::is_pass(phase))
    text = format("no batch helps: it is one sample a pass already, and the peak is {}",
                  estimate::words(phase));
  if (!text.empty()) finding.diagnostic.notes.push_back({std::move(text), {}});
}

void Suggester::say_nearest(const Search& search, judge::Finding& finding) const {
  const auto& tried = search.tried();
  lang::Op op = finding.demand.requirement->condition->op;
  auto nearest = std::min_element(tried.begin(), tried.end(), [&](const Tried& a, const Tried& b) {
    return is_better(a, b, op);
  });
  std::string text = "no change that was tried makes it hold";
  if (nearest != tried.end() && nearest->left)
    text += format("; the nearest, {}, brings it to {}", words(nearest->change), nearest->value);
  finding.diagnostic.notes.push_back({std::move(text), {}});
}

void Suggester::search(Aim aim, const judge::VerdictRow& row, judge::Finding& finding) {
  Search search(trials_, s_, finding.demand, aim);
  search.run();
  if (aim == kMemory) say_no_batch_helps(search.tried(), finding);
  bool proved = !search.good().empty();
  tell(proved ? search.good() : search.open(), row, finding);
  if (!proved && search.open().empty()) say_nearest(search, finding);
}

// One that stands alone is certain: whoever wrote it says that this is the cure.
void Suggester::help_as_written(judge::Finding& finding) {
  bool estimated = s_.estimated != nullptr;
  std::vector<Tried> all =
      Written(engine_, trials_, s_, make_).that_mend(finding.demand, estimated);
  if (estimated) std::erase_if(all, [&](const Tried& t) { return !trials_.breaks_nothing(t); });
  for (const Tried& t : all) {
    std::string text = words(t.change) + " mends it";
    std::string changes = estimated ? effect(ev_, s_.outcome(), {}, {}, t) : std::string();
    if (!changes.empty()) text += ": " + changes;
    // Where its words mean something else in the plan's own text, no edit says it.
    auto said = estimated ? trials_.attempt(t.change, finding.demand) : std::nullopt;
    bool sayable = !estimated || (said && said->verdict == Verdict::proved);
    finding.diagnostic.help.push_back(sayable ? as_help(std::move(text), t.change, all.size() == 1)
                                              : Help{std::move(text), {}, false});
  }
}

void Suggester::help(const judge::VerdictRow& row, judge::Finding& finding) {
  if (!finding.demand.requirement->suggestions.empty()) return help_as_written(finding);
  if (row.expect) return;
  auto aim = aim_of(*finding.demand.requirement->condition);
  // What all runs of a sweep cost does not follow from a change of one.
  bool of_all = aim && *aim != kMemory && engine_.is_one_of_several(s_.plan);
  if (aim && !of_all) search(*aim, row, finding);
}

}  // namespace dtp::suggest
