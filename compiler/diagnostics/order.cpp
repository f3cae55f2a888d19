#include "diagnostics/order.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace dtp {

void sort_by_place(std::vector<Diagnostic>& diagnostics) {
  auto key = [](const Diagnostic& d) {
    Span span = d.span();
    // Codes are numbered by phase: 1xxx text, 2xxx names and types, 3xxx models, 4xxx demands.
    return std::tuple(span.file.value, span.begin, static_cast<unsigned>(d.kind) / 1000);
  };
  std::stable_sort(diagnostics.begin(), diagnostics.end(),
                   [&](const Diagnostic& a, const Diagnostic& b) { return key(a) < key(b); });
}

std::vector<Omitted> limit_repeats(std::vector<Diagnostic>& diagnostics, size_t limit) {
  std::map<std::pair<std::string, Severity>, size_t> seen;
  std::vector<Omitted> omitted;
  std::erase_if(diagnostics, [&](const Diagnostic& d) {
    std::string code = d.code();
    if (++seen[{code, d.severity}] <= limit) return false;
    auto row = std::find_if(omitted.begin(), omitted.end(),
                            [&](const Omitted& o) { return o.code == code; });
    if (row == omitted.end()) row = omitted.insert(row, {code, 0});
    ++row->count;
    return true;
  });
  return omitted;
}

}  // namespace dtp
