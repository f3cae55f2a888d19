// The order in which people read diagnostics, and how many of a kind they are shown.
#pragma once
#include <string>
#include <vector>

#include "diagnostics/diagnostic.h"

namespace dtp {

inline constexpr size_t kShownOfAKind = 10;

// By file and place; at one place causes first: an earlier phase before a later one, else as they
// were raised. Diagnostics without a place come first.
void sort_by_place(std::vector<Diagnostic>& diagnostics);

struct Omitted {
  std::string code;
  size_t count = 0;
};

// Removes all but the first ten of each code and says how many of each went. Errors and warnings
// count apart.
std::vector<Omitted> limit_repeats(std::vector<Diagnostic>& diagnostics,
                                   size_t limit = kShownOfAKind);

}  // namespace dtp
