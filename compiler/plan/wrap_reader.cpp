// The patterns of `wrap`, and whether each names a part of the model.
#include <algorithm>

#include "eval/hints.h"
#include "plan/reader.h"
#include "plan/wrap.h"

namespace dtp::plan {

using eval::Record;
using eval::Value;
using eval::ValueKind;

namespace {

// "model.layers.{i}" as a pattern: "model.layers.*".
std::string as_pattern(std::string_view part) {
  std::string pattern;
  for (size_t i = 0; i < part.size(); ++i) {
    pattern += part[i] == '{' ? '*' : part[i];
    if (part[i] == '{') i = std::min(part.find('}', i), part.size());
  }
  return pattern;
}

// As many of its last words as `like` has.
std::string_view last_words(std::string_view pattern, std::string_view like) {
  auto words = std::ranges::count(like, '.') + 1;
  size_t at = pattern.size();
  while (words-- > 0 && at != std::string_view::npos) at = pattern.rfind('.', at - 1);
  return at == std::string_view::npos ? pattern : pattern.substr(at + 1);
}

// Each part that has parameters, of repeated ones the iteration alone.
std::string listed(const std::vector<std::string>& patterns) {
  std::vector<std::string_view> told;
  std::string list;
  for (std::string_view p : patterns) {
    if (size_t star = p.find('*'); star != std::string_view::npos) p = p.substr(0, star + 1);
    auto inner = [&](std::string_view other) {
      return other.size() > p.size() && other.starts_with(p) && other[p.size()] == '.';
    };
    bool has_parts = !p.ends_with('*') && std::ranges::any_of(patterns, inner);
    if (has_parts || std::ranges::find(told, p) != told.end()) continue;
    told.push_back(p);
    list += format("{}`{}`", list.empty() ? "" : ", ", p);
  }
  return list;
}

}  // namespace

// One text or a list of them.
std::vector<std::string> Reader::read_wrap(Record* parallel) {
  Value given = get(parallel, "wrap");
  std::vector<std::string> patterns;
  auto add = [&](const Value& v, size_t index) {
    if (v.is(ValueKind::string)) {
      patterns.emplace_back(v.string());
      return;
    }
    if (!v.poisoned())
      ev_.error(Kind::TypeMismatch, place_of_text(parallel, "wrap", index),
                format("`wrap` is a text or a list of texts, and this is {}", ev_.describe(v)));
    failed_ = true;
  };
  if (!given.is(ValueKind::list)) add(given, 0);
  if (given.is(ValueKind::list))
    for (size_t i = 0; i < given.items().size(); ++i) add(given.items()[i], i);
  return patterns;
}

// The text itself where the plan writes it out.
Span Reader::place_of_text(Record* record, std::string_view field, size_t index) {
  Span whole = place(record, field);
  auto definition = ev_.definition(record, ev_.names().intern(field));
  const lang::Expr* written = definition ? definition->field->value : nullptr;
  if (!written || written->kind != lang::ExprKind::list) return whole;
  return index < written->items.size() ? written->items[index]->span : whole;
}

void Reader::tell_no_part(Span at, std::string headline, std::string_view pattern,
                          const graph::Graph& graph) {
  auto builder = ev_.diagnose(Kind::SettingWithoutEffect, at, std::move(headline));
  std::vector<std::string> known;
  for (std::string_view part : parts_of(graph)) known.push_back(as_pattern(part));
  eval::Hints::Names names;
  for (const std::string& k : known)
    if (std::ranges::find(names, last_words(k, pattern)) == names.end())
      names.push_back(last_words(k, pattern));
  // The text inside the quotes, where the plan writes it out.
  eval::Hints hints(ev_);
  Span inside = hints.text(at) == format("\"{}\"", pattern)
                    ? Span{at.file, at.begin + 1, at.end - 1}
                    : Span{};
  if (!hints.near(builder, pattern, inside, names)) builder.help("parts are " + listed(known));
  ev_.sink().add(std::move(builder));
}

// A part that `wrap` names is gathered by itself; a pattern that names none changes nothing.
void Reader::check_wrap(const graph::Graph& graph, const Settings& settings) {
  Record* parallel = record_of(get(plan_, "parallel"));
  if (!settings.parallel.is_fsdp() || !parallel) return;
  const std::vector<std::string_view> parts = parts_of(graph);
  for (size_t i = 0; i < settings.parallel.wrap.size(); ++i) {
    const std::string& pattern = settings.parallel.wrap[i];
    if (pattern == "auto") continue;
    if (std::ranges::any_of(parts, [&](auto part) { return names_part(pattern, part); })) continue;
    tell_no_part(place_of_text(parallel, "wrap", i),
                 format("`{}` of `wrap` names no part of the model that has parameters", pattern),
                 pattern, graph);
  }
}

}  // namespace dtp::plan
