#include "units/unit_table.h"

#include <algorithm>

#include "base/nearest_name.h"

namespace dtp::units {
namespace {

// a / b in lowest terms; nothing when it does not fit.
std::optional<Ratio> reduced(std::optional<Int128> numerator, std::optional<Int128> denominator) {
  if (!numerator || !denominator || *denominator == 0) return std::nullopt;
  Int128 common = gcd(*numerator, *denominator);
  if (common == 0) common = 1;
  return Ratio{*numerator / common, *denominator / common};
}

std::optional<Ratio> multiply(const Ratio& a, const Ratio& b) {
  return reduced(checked_multiply(a.numerator, b.numerator),
                 checked_multiply(a.denominator, b.denominator));
}

std::optional<Ratio> divide(const Ratio& a, const Ratio& b) {
  return multiply(a, {b.denominator, b.numerator});
}

}  // namespace

UnitTable::UnitTable() {
  // The order of BaseDimension. The families are set when the library declares these again.
  for (const char* name : {"Memory", "Time", "Work", "Energy", "Step", "Sample", "Token", "Epoch"})
    bases_.push_back({name, ""});
  by_name_.reserve(128);
}

std::optional<unsigned> UnitTable::add_base_dimension(std::string_view name,
                                                      std::string_view family) {
  for (unsigned i = 0; i < bases_.size(); ++i) {
    if (bases_[i].name != name) continue;
    bases_[i].family = family;
    return i;
  }
  if (bases_.size() == kMaxBaseDimensions) return std::nullopt;
  bases_.push_back({std::string(name), std::string(family)});
  return static_cast<unsigned>(bases_.size() - 1);
}

void UnitTable::add_family(std::string_view name) {
  if (!is_family(name)) families_.emplace_back(name);
}

bool UnitTable::is_family(std::string_view name) const {
  return std::find(families_.begin(), families_.end(), name) != families_.end();
}

void UnitTable::add_derived_dimension(std::string_view name, Dimension dimension) {
  derived_.emplace_back(std::string(name), dimension);
}

std::optional<Dimension> UnitTable::dimension(std::string_view name) const {
  for (unsigned i = 0; i < bases_.size(); ++i)
    if (bases_[i].name == name) return Dimension::base(i);
  for (const auto& [derived, dimension] : derived_)
    if (derived == name) return dimension;
  return std::nullopt;
}

std::string UnitTable::add_unit(const std::vector<std::string>& names, Dimension dimension,
                                Ratio scale, const std::vector<PrefixSet>& prefixes,
                                Span declared) {
  std::string spelling;
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    if (match(name).declared ||
        std::find(names.begin(), names.begin() + i, name) != names.begin() + i)
      return name;
    for (const PrefixSet& set : prefixes) {
      for (const auto& [prefix, ratio] : set.prefixes) {
        spelling.assign(prefix).append(name);
        if (match(spelling).declared) return spelling;
      }
    }
  }
  if (names.empty()) return {};
  for (const std::string& name : names) by_name_.emplace(name, declared_.size());
  for (const PrefixSet& set : prefixes)
    for (const auto& [prefix, ratio] : set.prefixes)
      longest_prefix_ = std::max(longest_prefix_, prefix.size());
  declared_.push_back({names, dimension, scale, prefixes, declared});
  return {};
}

Span UnitTable::declared_at(std::string_view spelling) const {
  Match m = match(spelling);
  return m.declared ? m.declared->span : Span{};
}

UnitTable::Match UnitTable::match(std::string_view word) const {
  if (auto exact = by_name_.find(word); exact != by_name_.end())
    return {&declared_[exact->second], nullptr, false};
  for (size_t length = 1; length <= longest_prefix_ && length < word.size(); ++length) {
    auto found = by_name_.find(word.substr(length));
    if (found == by_name_.end()) continue;
    const Declared& declared = declared_[found->second];
    for (const PrefixSet& set : declared.prefixes)
      for (const auto& prefix : set.prefixes)
        if (prefix.first == word.substr(0, length)) return {&declared, &prefix, set.binary};
  }
  return {};
}

std::optional<Unit> UnitTable::find_simple(std::string_view word) const {
  Match m = match(word);
  if (!m.declared) return std::nullopt;
  Unit unit{std::string(word), m.declared->dimension, m.declared->scale, m.declared->names.front(),
            m.binary,          m.prefix != nullptr};
  if (m.prefix) {
    auto scaled = multiply(unit.scale, m.prefix->second);
    if (!scaled) return std::nullopt;
    unit.scale = *scaled;
  }
  return unit;
}

std::optional<Unit> UnitTable::find_quotient(std::string_view spelling) const {
  size_t slash = spelling.find('/');
  auto unit = find_simple(spelling.substr(0, slash));
  while (unit && slash != std::string_view::npos) {
    size_t next = spelling.find('/', slash + 1);
    auto divisor = find_simple(
        spelling.substr(slash + 1, next == std::string_view::npos ? next : next - slash - 1));
    auto scale = divisor ? divide(unit->scale, divisor->scale) : std::nullopt;
    if (!scale) return std::nullopt;
    unit->scale = *scale;
    unit->dimension = unit->dimension / divisor->dimension;
    unit->symbol += "/" + divisor->symbol;
    slash = next;
  }
  if (unit) unit->name = spelling;
  return unit;
}

std::optional<Unit> UnitTable::find(std::string_view spelling) const {
  if (spelling.find('/') == std::string_view::npos) return find_simple(spelling);
  return find_quotient(spelling);
}

std::string UnitTable::nearest_simple(std::string_view word) const {
  std::vector<std::string> spellings;
  for (const Declared& declared : declared_) {
    spellings.insert(spellings.end(), declared.names.begin(), declared.names.end());
    for (const PrefixSet& set : declared.prefixes)
      for (const auto& [prefix, ratio] : set.prefixes)
        for (const std::string& name : declared.names) spellings.push_back(prefix + name);
  }
  std::vector<std::string_view> known(spellings.begin(), spellings.end());
  return std::string(nearest_name(word, known));
}

std::string UnitTable::nearest(std::string_view spelling) const {
  // "Gbps" and "TFLOPS" are what data sheets print for a rate.
  for (std::string_view tail : {"ps", "S"}) {
    if (!spelling.ends_with(tail)) continue;
    std::string rate = std::string(spelling.substr(0, spelling.size() - tail.size())) + "/s";
    if (find(rate)) return rate;
  }
  std::string result;
  while (true) {
    size_t slash = spelling.find('/');
    std::string_view word = spelling.substr(0, slash);
    std::string near = match(word).declared ? std::string(word) : nearest_simple(word);
    if (near.empty()) return {};
    result += near;
    if (slash == std::string_view::npos) return result;
    result += '/';
    spelling.remove_prefix(slash + 1);
  }
}

}  // namespace dtp::units
