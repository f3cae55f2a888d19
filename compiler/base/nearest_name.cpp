#include "base/nearest_name.h"

#include <algorithm>
#include <array>
#include <string>

namespace dtp {
namespace {

// Longer names are no typing mistakes, and the table of distances stays small.
constexpr size_t kLongestName = 80;
using Row = std::array<size_t, kLongestName + 1>;

char folded(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string fold(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), folded);
  return result;
}

// The restricted Damerau-Levenshtein distance (optimal string alignment).
size_t distance(std::string_view a, std::string_view b) {
  Row before_last{};
  Row last{};
  Row current{};
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t replace = last[j - 1] + (a[i - 1] != b[j - 1]);
      current[j] = std::min({last[j] + 1, current[j - 1] + 1, replace});
      bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) current[j] = std::min(current[j], before_last[j - 2] + 1);
    }
    before_last = last;
    last = current;
  }
  return last[b.size()];
}

}  // namespace

std::string_view nearest_name(std::string_view wanted, std::span<const std::string_view> known) {
  return near_name(wanted, known).name;
}

NearName near_name(std::string_view wanted, std::span<const std::string_view> known) {
  if (wanted.empty() || wanted.size() > kLongestName) return {};
  std::string small = fold(wanted);
  // One letter in place of another says nothing, so a name of one letter is near only in another
  // case.
  size_t allowed = wanted.size() == 1 ? 0 : (wanted.size() + 2) / 3;
  size_t best = (allowed + 1) * (kLongestName + 1) + 1;
  NearName found;
  for (std::string_view name : known) {
    if (name.empty() || name.size() > kLongestName || name == wanted) continue;
    size_t difference =
        name.size() > small.size() ? name.size() - small.size() : small.size() - name.size();
    if (difference > allowed) continue;
    std::string small_name = fold(name);
    size_t edits = distance(small, small_name);
    // Of equal distances a letter mistaken ("hourz", "hours") comes before one too many ("hour").
    size_t cost = edits * (kLongestName + 1) + difference + 1;
    // Everything replaced is another word, however short.
    if (edits >= std::max(small.size(), small_name.size())) continue;
    if (edits <= allowed) found.only = found.name.empty();
    if (cost < best) {
      best = cost;
      found.name = name;
    }
  }
  return found;
}

}  // namespace dtp
