#include "diagnostics/sink.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

namespace dtp {

void CollectingSink::add(Diagnostic diagnostic) {
  Span span = diagnostic.span();
  size_t hash = std::hash<std::string>()(diagnostic.headline);
  for (size_t part : {static_cast<size_t>(diagnostic.kind), size_t{span.file.value},
                      size_t{span.begin}, size_t{span.end}})
    hash = (hash ^ part) * 0x9E3779B97F4A7C15ULL;
  auto [begin, end] = seen_.equal_range(hash);
  bool repeated = std::any_of(begin, end, [&](const auto& entry) {
    const Diagnostic& d = diagnostics_[entry.second];
    return d.kind == diagnostic.kind && d.span() == span && d.headline == diagnostic.headline;
  });
  if (repeated) return;
  seen_.emplace(hash, diagnostics_.size());
  if (diagnostic.severity == Severity::error) ++errors_;
  diagnostics_.push_back(std::move(diagnostic));
}

}  // namespace dtp
