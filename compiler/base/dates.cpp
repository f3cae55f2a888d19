#include "base/dates.h"

#include <llvm/ADT/StringRef.h>

namespace dtp {

std::optional<std::chrono::year_month_day> read_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  bool digits = true;
  auto number = [&](size_t from, size_t count) {
    unsigned n = 0;
    if (llvm::StringRef(text.data() + from, count).getAsInteger(10, n)) digits = false;
    return n;
  };
  std::chrono::year_month_day day(std::chrono::year(static_cast<int>(number(0, 4))),
                                  std::chrono::month(number(5, 2)), std::chrono::day(number(8, 2)));
  return digits && day.ok() ? std::optional(day) : std::nullopt;
}

}  // namespace dtp
