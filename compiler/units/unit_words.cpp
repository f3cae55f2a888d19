// What the table says about dimensions in messages.
#include <algorithm>

#include "units/unit_table.h"

namespace dtp::units {
namespace {

void append_factor(std::string& text, const std::string& name, int exponent) {
  if (!text.empty()) text += " * ";
  text += name;
  if (exponent != 1) text += "^" + std::to_string(exponent);
}

}  // namespace

std::string UnitTable::formula(const Dimension& dimension) const {
  std::string above;
  std::string below;
  int factors_below = 0;
  for (unsigned i = 0; i < bases_.size(); ++i) {
    int exponent = dimension.exponent(i);
    if (exponent > 0) append_factor(above, bases_[i].name, exponent);
    if (exponent >= 0) continue;
    append_factor(below, bases_[i].name, -exponent);
    ++factors_below;
  }
  if (below.empty()) return above;
  if (factors_below > 1) below = "(" + below + ")";
  return (above.empty() ? "1" : above) + " / " + below;
}

std::string UnitTable::describe(const Dimension& dimension) const {
  if (dimension.is_none()) return "plain number";
  std::string text = formula(dimension);
  for (const auto& [name, derived] : derived_)
    if (derived == dimension) return name + " (" + text + ")";
  return text;
}

std::vector<std::string> UnitTable::spellings(const Dimension& dimension) const {
  std::vector<std::string> result;
  for (const Declared& declared : declared_)
    if (declared.dimension == dimension) result.push_back(declared.names.front());
  if (!result.empty()) return result;
  // A rate has no unit of its own: put one together ("GB/s", "USD/h").
  for (unsigned i = 0; i < bases_.size(); ++i) {
    Dimension divisor = Dimension::base(i);
    if (dimension.exponent(i) != -1) continue;
    auto above = spellings(dimension * divisor);
    auto below = spellings(divisor);
    if (above.empty() || below.empty() || above.front().find('/') != std::string::npos) continue;
    bool money = std::any_of(bases_.begin(), bases_.end(), [&](const BaseDimensionInfo& base) {
      return base.family == "Money" &&
             dimension.exponent(static_cast<unsigned>(&base - bases_.data())) == 1;
    });
    if (match("G" + above.front()).declared) above.front() = "G" + above.front();
    if (i == kTime && money && match("h").declared) below.front() = "h";
    result.push_back(above.front() + "/" + below.front());
  }
  return result;
}

}  // namespace dtp::units
