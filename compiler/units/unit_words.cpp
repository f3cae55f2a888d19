// What the table says about dimensions in messages.
#include <algorithm>
#include <cctype>

#include "units/unit_table.h"

namespace dtp::units {
namespace {

void append_factor(std::string& text, const std::string& name, int exponent) {
  if (!text.empty()) text += " * ";
  text += name;
  if (exponent != 1) text += "^" + std::to_string(exponent);
}

// "Bandwidth" -> "a bandwidth"
std::string with_article(std::string name) {
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  bool vowel = !name.empty() && std::string_view("aeiou").find(name[0]) != std::string_view::npos;
  return (vowel ? "an " : "a ") + name;
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
    for (unsigned k = 0; k < bases_.size(); ++k) {  // samples/s, not sample/s
      bool counted = bases_[k].family == "Extent" && k != kTime;
      if (counted && dimension * divisor == Dimension::base(k))
        above.front() = examples(Dimension::base(k)).front();
    }
    if (match("G" + above.front()).declared) above.front() = "G" + above.front();
    if (i == kTime && money && match("h").declared) below.front() = "h";
    result.push_back(above.front() + "/" + below.front());
  }
  return result;
}

bool UnitTable::is_money(const Dimension& dimension) const {
  for (unsigned i = 0; i < bases_.size(); ++i)
    if (dimension == Dimension::base(i)) return bases_[i].family == "Money";
  return false;
}

std::string UnitTable::spoken(const Dimension& dimension) const {
  if (dimension.is_none()) return "a plain number";
  for (unsigned i = 0; i < bases_.size(); ++i) {
    if (!(dimension == Dimension::base(i))) continue;
    if (bases_[i].family == "Money") return "a sum of money";
    if (i == kWork) return "an amount of work";
    bool counted = bases_[i].family == "Extent" && i != kTime;
    if (!counted) return with_article(bases_[i].name);
    return with_article("number of " + bases_[i].name + "s");
  }
  for (const auto& [name, derived] : derived_)
    if (derived == dimension) return with_article(name);
  // Something over time: "a rate of samples", "a price by the hour".
  for (unsigned i = 0; i < bases_.size(); ++i) {
    if (!(dimension == Dimension::base(i) / kTimeDimension)) continue;
    if (bases_[i].family == "Money") return "a price by the hour";
    if (i == kWork) return "a rate of computing";
    if (bases_[i].family == "Extent" && i != kTime)
      return with_article("rate of " + bases_[i].name + "s");
  }
  return "a quantity of " + formula(dimension);
}

std::vector<std::string> UnitTable::examples(const Dimension& dimension) const {
  std::vector<std::string> result;
  for (const Declared& declared : declared_) {
    if (!(declared.dimension == dimension) || declared.scale.denominator != 1) continue;
    const std::string& symbol = declared.names.front();
    size_t before = result.size();
    for (std::string_view prefix : {"Gi", "G"}) {
      std::string word = std::string(prefix) + symbol;
      if (match(word).prefix) result.push_back(std::move(word));
    }
    if (result.size() == before) result.push_back(declared.names.back());
  }
  return result.empty() ? spellings(dimension) : result;
}

std::vector<std::string> UnitTable::family_examples(std::string_view family,
                                                    const Dimension& divisor) const {
  std::vector<std::string> counted;
  std::vector<std::string> measured;  // in several units
  for (unsigned i = 0; i < bases_.size(); ++i) {
    if (bases_[i].family != family) continue;
    std::vector<std::string> units = examples(Dimension::base(i) / divisor);
    std::vector<std::string>& list = units.size() > 1 ? measured : counted;
    list.insert(list.end(), units.begin(), units.end());
  }
  counted.insert(counted.end(), measured.begin(), measured.end());
  return counted;
}

}  // namespace dtp::units
