#include "units/print.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/int128.h"
#include "base/out.h"

namespace dtp::units {
namespace {

struct Step {
  double size;
  const char* name;
};

// A unit to show a quantity in, and how its number is written.
struct Shown {
  double scale = 1;
  std::string unit;
  enum { three_digits, money, count } style = three_digits;
  unsigned digits = kUsualDigits;
};

constexpr double kLargestExact = 1e15;  // whole doubles beyond this are not shown digit by digit

bool is_whole(double value) {
  return std::abs(value) < kLargestExact && value == std::trunc(value);
}

// "1.5e+24" -> "1.5e24", "1e-05" -> "1e-5".
std::string tidy_exponent(std::string text) {
  size_t at = text.find('e');
  if (at == std::string::npos) return text;
  if (text[at + 1] == '+') text.erase(at + 1, 1);
  size_t digits = text[at + 1] == '-' ? at + 2 : at + 1;
  while (digits + 1 < text.size() && text[digits] == '0') text.erase(digits, 1);
  return text;
}

std::string not_finite(double value) {
  if (std::isnan(value)) return "not a number";
  return value < 0 ? "-infinity" : "infinity";
}

// "1,234.5": digits behind the point where so many are asked for.
std::string thousands(double value, unsigned digits) {
  auto before = static_cast<unsigned>(std::log10(std::abs(value))) + 1;
  if (digits <= before) return with_thousands(static_cast<Int128>(std::round(value)));
  std::string text = format("{:.{}f}", value, digits - before);
  size_t point = text.find('.');
  std::string rest = text.substr(point);
  while (rest.back() == '0' || rest.back() == '.') {
    bool end = rest.back() == '.';
    rest.pop_back();
    if (end) break;
  }
  return with_thousands(static_cast<Int128>(std::trunc(std::strtod(text.c_str(), nullptr)))) + rest;
}

std::string significant(double value, unsigned digits) {
  if (!std::isfinite(value)) return not_finite(value);
  double size = std::abs(value);
  if (size >= 999.5 && size < kLargestExact) return thousands(value, digits);
  return tidy_exponent(format("{:.{}g}", value, digits));
}

// Cents where they matter, whole coins from 1,000 on.
std::string money(double value) {
  double size = std::abs(value);
  if (size >= 999.5 || size < 0.1 || is_whole(value)) return significant(value, kUsualDigits);
  std::string text = format("{:.2f}", value);
  return size >= 100 ? format("{:.3g}", value) : text;
}

std::string number_text(double value, const Shown& shown) {
  if (shown.digits > kUsualDigits) return significant(value, shown.digits);
  if (shown.style == Shown::money) return money(value);
  if (shown.style == Shown::count) return print_number(value);
  return significant(value, kUsualDigits);
}

// The largest step that leaves a number of at least one; the last one grows without end.
Shown by_size(double size, std::initializer_list<Step> steps) {
  const Step* chosen = steps.begin();
  for (const Step& step : steps) {
    // 0.9996 would print as 1, so it belongs to the larger unit already.
    if (size >= step.size * 0.9995) chosen = &step;
  }
  return {chosen->size, chosen->name, Shown::three_digits};
}

constexpr double kKi = 1024.0;

Shown memory(double size, bool decimal) {
  if (decimal)
    return by_size(size,
                   {{1, "B"}, {1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}, {1e12, "TB"}, {1e15, "PB"}});
  return by_size(size, {{1, "B"},
                        {kKi, "KiB"},
                        {kKi * kKi, "MiB"},
                        {kKi * kKi * kKi, "GiB"},
                        {kKi * kKi * kKi * kKi, "TiB"},
                        {kKi * kKi * kKi * kKi * kKi, "PiB"}});
}

Shown time(double size) {
  if (size == 0) return {1, "s", Shown::three_digits};
  Shown shown =
      by_size(size, {{1e-9, "ns"}, {1e-6, "us"}, {1e-3, "ms"}, {1, "s"}, {60, "min"}, {3600, "h"}});
  // "36 h" is read more easily than "1.5 days", and "90 s" than "1.5 min".
  if (size >= 48 * 3600.0) return {86400, "days", Shown::three_digits};
  if (size >= 1 && size < 120) return {1, "s", Shown::three_digits};
  if (size >= 120 && size < 2 * 3600.0) return {60, "min", Shown::three_digits};
  return shown;
}

Shown energy(double size) {
  return by_size(size, {{1, "J"}, {1e3, "kJ"}, {3.6e6, "kWh"}, {3.6e9, "MWh"}, {3.6e12, "GWh"}});
}

Shown power(double size) {
  return by_size(size, {{1, "W"}, {1e3, "kW"}, {1e6, "MW"}, {1e9, "GW"}});
}

Shown work(double size, const char* tail) {
  Shown shown = by_size(
      size, {{1, "FLOP"}, {1e6, "MFLOP"}, {1e9, "GFLOP"}, {1e12, "TFLOP"}, {1e15, "PFLOP"}});
  // A whole run is spoken of as 3.1e23 FLOP.
  if (size >= 1e21) shown = {1, "FLOP", Shown::three_digits};
  shown.unit += tail;
  return shown;
}

// Plural where the library declares one ("steps").
std::string plural(const UnitTable& table, const std::string& name, double value) {
  return std::abs(value) != 1 && table.find(name + "s") ? name + "s" : name;
}

Shown choose_declared(const UnitTable& table, double value, const Dimension& dimension) {
  std::vector<std::string> names = table.spellings(dimension);
  for (const std::string& name : names) {
    auto unit = table.find(name);
    if (!unit || unit->dimension != dimension) continue;
    double scale = unit->scale.value();
    if (scale == 0) continue;
    if (table.is_money(dimension)) return {scale, name, Shown::money};
    for (unsigned base : {kStep, kSample, kToken, kEpoch})
      if (dimension == Dimension::base(base))
        return {scale, plural(table, name, value / scale), Shown::count};
    return {scale, name, Shown::three_digits};
  }
  std::string words = dimension.is_none() ? "" : table.describe(dimension);
  // A declared name comes with its formula in brackets: the name alone is enough here.
  if (size_t bracket = words.find(" (");
      bracket != std::string::npos && words.back() == ')' && words.find('/') > bracket)
    words.resize(bracket);
  return {1, words, Shown::three_digits};
}

Shown choose(const UnitTable& table, double value, const Dimension& dimension, bool decimal) {
  double size = std::abs(value);
  if (dimension.is_none()) return {1, "", Shown::count};
  if (dimension == kMemoryDimension) return memory(size, decimal);
  if (dimension == kTimeDimension) return time(size);
  if (dimension == kWorkDimension) return work(size, "");
  if (dimension == kEnergyDimension) return energy(size);
  if (dimension == kEnergyDimension / kTimeDimension) return power(size);
  if (dimension == kWorkDimension / kTimeDimension) return work(size, "/s");
  if (dimension == kMemoryDimension / kTimeDimension) {
    Shown shown = memory(size, true);
    shown.unit += "/s";
    return shown;
  }
  Dimension above = dimension * kTimeDimension;
  if (table.is_money(above)) {
    Shown shown = choose_declared(table, value, above);
    return {shown.scale / 3600, shown.unit + "/h", Shown::money};
  }
  for (unsigned base : {kStep, kSample, kToken, kEpoch}) {
    if (above != Dimension::base(base)) continue;
    Shown shown = choose_declared(table, 0, above);
    return {shown.scale, shown.unit + "/s", Shown::three_digits};
  }
  return choose_declared(table, value, dimension);
}

std::string with_unit(const std::string& number, const std::string& unit) {
  return unit.empty() ? number : number + " " + unit;
}

size_t decimals(const std::string& text) {
  size_t point = text.find('.');
  if (point == std::string::npos || text.find('e') != std::string::npos) return 0;
  return text.size() - point - 1;
}

// The two ends side by side have as many decimals as the finer one, of three digits: "91.0
// to 96.2", "0.0584 to 0.595".
std::string ends_text(double lo, double hi, Shown shown) {
  auto small = [](double v) { return v != 0 && std::abs(v) < 0.1; };
  if (shown.style == Shown::money && (small(lo) || small(hi))) shown.style = Shown::three_digits;
  std::string low = number_text(lo, shown);
  std::string high = number_text(hi, shown);
  size_t wanted = std::max(decimals(low), decimals(high));
  auto same = [&](double value, const std::string& text) {
    bool plain =
        std::isfinite(value) && std::abs(value) < 1000 && text.find('e') == std::string::npos;
    double size = std::max(std::abs(value), 1e-3);
    auto most = std::max(
        0, static_cast<int>(shown.digits) - 1 - static_cast<int>(std::floor(std::log10(size))));
    size_t places = std::min(wanted, static_cast<size_t>(most));
    return plain && decimals(text) < places ? format("{:.{}f}", value, places) : text;
  };
  return same(lo, low) + " to " + same(hi, high);
}

// " (91.0 to 96.2)"; nothing where the ends print like the middle.
std::string ends_in_brackets(const Interval& value, const Shown& shown) {
  double lo = value.lo / shown.scale;
  double hi = value.hi / shown.scale;
  std::string middle = number_text(value.likely / shown.scale, shown);
  if (number_text(lo, shown) == middle && number_text(hi, shown) == middle) return {};
  return " (" + ends_text(lo, hi, shown) + ")";
}

std::string between(const Interval& value, const Shown& shown) {
  std::string text = with_unit(number_text(value.likely / shown.scale, shown), shown.unit);
  return value.is_point() ? text : text + ends_in_brackets(value, shown);
}

double scale_of(const Unit& unit) {
  double scale = unit.scale.value();
  return scale == 0 ? 1 : scale;
}

}  // namespace

std::string print_number(double value) {
  if (!std::isfinite(value)) return not_finite(value);
  if (is_whole(value)) return with_thousands(static_cast<Int128>(value));
  double size = std::abs(value);
  if (size < 999.5 || size >= kLargestExact) return tidy_exponent(format("{:.3g}", value));
  double unit = std::pow(10.0, std::floor(std::log10(size)) - 2);
  return print_number(std::round(value / unit) * unit);
}

std::string print_quantity(const UnitTable& table, double value, const Dimension& dimension,
                           bool decimal) {
  Shown shown = choose(table, value, dimension, decimal);
  return with_unit(number_text(value / shown.scale, shown), shown.unit);
}

std::string print_interval(const UnitTable& table, Interval value, const Dimension& dimension,
                           bool decimal, unsigned digits) {
  Shown shown = choose(table, value.likely, dimension, decimal);
  shown.digits = digits;
  double lo = value.lo / shown.scale;
  double hi = value.hi / shown.scale;
  std::string text = between(value, shown);
  // Ends that are far away are clearer in units of their own, where there are any.
  auto in_another = [&](double end) {
    return choose(table, end, dimension, decimal).unit != shown.unit;
  };
  bool far = std::abs(hi) >= 10'000 || (lo != 0 && std::abs(lo) < 0.01);
  bool others = far && text.ends_with(')') && (in_another(value.lo) || in_another(value.hi));
  if (!others || dimension.is_none() || shown.style == Shown::count) return text;
  return print_quantity(table, value.likely, dimension, decimal) + " (" +
         print_quantity(table, value.lo, dimension, decimal) + " to " +
         print_quantity(table, value.hi, dimension, decimal) + ")";
}

std::string print_in(double value, const Unit& unit) {
  return with_unit(significant(value / scale_of(unit), kUsualDigits), unit.name);
}

std::string print_interval_in(Interval value, const Unit& unit, unsigned digits) {
  return between(value, {scale_of(unit), unit.name, Shown::three_digits, digits});
}

std::string print_written(double value) {
  if (!std::isfinite(value) || is_whole(value)) return print_number(value);
  return tidy_exponent(format("{:.12g}", value));
}

std::string print_as_written(double value, const Unit& unit) {
  double number = value / scale_of(unit);
  return with_unit(print_written(number), unit.name);
}

std::string print_percent(Interval value, unsigned digits) {
  Shown shown{0.01, "", Shown::three_digits, digits};
  std::string text = number_text(value.likely / shown.scale, shown) + "%";
  return value.is_point() ? text : text + ends_in_brackets(value, shown);
}

std::string print_macs(double value) {
  Shown shown = by_size(
      std::abs(value),
      {{1, "MAC"}, {1e3, "kMAC"}, {1e6, "MMAC"}, {1e9, "GMAC"}, {1e12, "TMAC"}, {1e15, "PMAC"}});
  // Papers give the cost of a model to a tenth: 118.6 GMAC.
  double number = value / shown.scale;
  std::string text =
      number >= 99.95 && number < 999.95 ? format("{:.1f}", number) : number_text(number, shown);
  return with_unit(text, shown.unit);
}

}  // namespace dtp::units
