#include "diagnostics/sink.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

namespace dtp {
namespace {

size_t hash_of(const Diagnostic& d) {
  Span span = d.span();
  size_t hash = std::hash<std::string>()(d.headline);
  for (size_t part :
       {static_cast<size_t>(d.kind), size_t{span.file.value}, size_t{span.begin}, size_t{span.end}})
    hash = (hash ^ part) * 0x9E3779B97F4A7C15ULL;
  return hash;
}

// Whether two diagnostics differ at most in the plans that they were found in.
bool same(const Diagnostic& a, const Diagnostic& b) {
  auto labels = [](const Label& x, const Label& y) { return x.span == y.span && x.text == y.text; };
  auto help = [](const Help& x, const Help& y) { return x.text == y.text; };
  auto notes_of = [](const Diagnostic& d) {
    std::vector<std::string_view> texts;
    for (size_t i = 0; i < d.notes.size(); ++i)
      if (d.plans_note != i) texts.push_back(d.notes[i].text);
    return texts;
  };
  return a.kind == b.kind && a.severity == b.severity && a.headline == b.headline &&
         std::equal(a.labels.begin(), a.labels.end(), b.labels.begin(), b.labels.end(), labels) &&
         std::equal(a.help.begin(), a.help.end(), b.help.begin(), b.help.end(), help) &&
         notes_of(a) == notes_of(b);
}

}  // namespace

void CollectingSink::add(Diagnostic diagnostic) {
  size_t hash = hash_of(diagnostic);
  auto [begin, end] = seen_.equal_range(hash);
  for (auto at = begin; at != end; ++at) {
    if (!same(diagnostics_[at->second], diagnostic)) continue;
    diagnostics_[at->second].add_plans(diagnostic.plans);
    return;
  }
  seen_.emplace(hash, diagnostics_.size());
  if (diagnostic.severity == Severity::error) ++errors_;
  diagnostics_.push_back(std::move(diagnostic));
}

}  // namespace dtp
