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
  // Only an equal hash is worth a search: a text may hold many thousand mistakes.
  bool repeated =
      !seen_.insert(hash).second &&
      std::any_of(diagnostics_.begin(), diagnostics_.end(), [&](const Diagnostic& d) {
        return d.kind == diagnostic.kind && d.span() == span && d.headline == diagnostic.headline;
      });
  if (repeated) return;
  if (diagnostic.severity == Severity::error) ++errors_;
  diagnostics_.push_back(std::move(diagnostic));
}

}  // namespace dtp
