#include "suggest/written.h"

#include <algorithm>

#include "base/one_line.h"
#include "base/out.h"

namespace dtp::suggest {

using eval::Value;
using eval::ValueKind;

// The value as a plan may say it: what was worked out where one word or number says it, else as it
// was written, such as `amp(bf16)`.
std::string Written::text_of(llvm::ArrayRef<Symbol> path, const lang::Expr& written,
                             eval::Record* plan) {
  Value value = s_.ev.make_record(plan);
  for (Symbol word : path) {
    if (!value.is(ValueKind::record)) return {};
    value = s_.ev.field(value.record, word, {});
  }
  if (value.poisoned()) return {};
  if (value.is(ValueKind::number))
    if (auto plain = eval::Evaluator::plain_number(*value.number)) return *plain;
  bool word = value.is(ValueKind::record) && value.record->shape && value.record->shape->choice &&
              value.record->layers.empty() && value.record->presets.empty();
  if (word || value.is(ValueKind::none) || value.is(ValueKind::boolean)) return s_.ev.print(value);
  return one_line(s_.sources.slice(written.span));
}

// A path begins with the parameter of the rule, or in a plan's own requirement with a field.
std::optional<Tried> Written::attempt(const lang::Suggestion& suggestion,
                                      const judge::Demand& demand, bool estimated) {
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
    text += (text.empty() ? "" : ".") + std::string(s_.ev.text(word));
  }
  // Its words mean what they mean where it stands.
  eval::Record* changed =
      s_.ev.amend(s_.plan, make_.set(words, suggestion.value, true), demand.env, true);
  const engine::Outcome* outcome = engine_.what_if(changed, s_.plan);
  if (estimated && !outcome) return std::nullopt;
  auto tried = trials_.judge_changed(changed, outcome, demand);
  if (!tried || tried->verdict != Verdict::proved) return std::nullopt;
  std::string value = text_of(path, *suggestion.value, changed);
  if (value.empty()) return std::nullopt;
  tried->change = {{std::move(text), std::move(value)}};
  return tried;
}

std::vector<Tried> Written::that_mend(const judge::Demand& demand, bool estimated) {
  NullSink quiet;
  DiagnosticSink* before = s_.ev.swap_sink(&quiet);
  std::vector<Tried> all;
  for (const lang::Suggestion& suggestion : demand.requirement->suggestions)
    if (auto tried = attempt(suggestion, demand, estimated)) all.push_back(std::move(*tried));
  s_.ev.swap_sink(before);
  return all;
}

}  // namespace dtp::suggest
