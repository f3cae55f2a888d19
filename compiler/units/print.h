// Quantities as people read them: three significant digits, in a unit that fits the size. This file
// and with_thousands() are all the rules there are for figures in text.
#pragma once
#include <string>

#include "base/interval.h"
#include "units/unit_table.h"

namespace dtp::units {

// `value` is in base units. Memory prints in GiB/MiB/KiB/B (or GB/MB where `decimal`), Memory/Time
// in GB/s, time in ms/s/min/h/days by size, Work in GFLOP..., Work/Time in TFLOP/s, a currency as
// "1,234 USD", counts with thousands, a dimension without units as "12 Memory^2". Ends without a
// trailing zero tail: "79.2 GiB", "2.5 GiB", "24 GiB".
std::string print_quantity(const UnitTable& table, double value, const Dimension& dimension,
                           bool decimal = false);
// Three, unless numbers that differ would read alike.
constexpr unsigned kUsualDigits = 3;
constexpr unsigned kMostDigits = 15;

// "93.4 GiB (91.0 to 96.2)"; just the value when lo == hi (or the three print alike).
std::string print_interval(const UnitTable& table, Interval value, const Dimension& dimension,
                           bool decimal = false, unsigned digits = kUsualDigits);
// In exactly that unit: print_in(71.9 GiB in bytes, "GiB") -> "71.9 GiB".
std::string print_in(double value, const Unit& unit);
std::string print_interval_in(Interval value, const Unit& unit, unsigned digits = kUsualDigits);
// What an author wrote in that unit, not rounded to three digits: "1 min", "1536 MiB".
std::string print_written(double value);
std::string print_as_written(double value, const Unit& unit);
// A share: 0.407 -> "40.7%", with its ends where it is no point.
std::string print_percent(Interval value, unsigned digits = kUsualDigits);
// Multiply-accumulates, which are no unit of the language: "119 GMAC", "320 kMAC".
std::string print_macs(double value);
// A plain number to three significant digits; whole numbers exactly.
std::string print_number(double value);

}  // namespace dtp::units
