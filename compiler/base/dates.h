// Days of the calendar as texts say them.
#pragma once
#include <chrono>
#include <optional>
#include <string_view>

namespace dtp {

// "2026-11-30"; nothing where it is no day.
std::optional<std::chrono::year_month_day> read_date(std::string_view text);

}  // namespace dtp
