// How old the prices are that a plan's cost rests on. A check reads no clock: the day is given.
#include <algorithm>

#include "base/dates.h"
#include "base/out.h"
#include "pipeline/session_state.h"

namespace dtp::pipeline {

void Session::State::check_price(const plan::Settings& settings, CollectingSink& found) {
  auto today = read_date(options.today);
  const auto& price = settings.hardware.price;
  if (!today || !price) return;
  // One that is new enough holds the interval that all of them make.
  const plan::Dated* newest = nullptr;
  for (const plan::Dated& offer : price->offers)
    if (read_date(offer.date) && (!newest || offer.date > newest->date)) newest = &offer;
  if (!newest) return;
  auto made = *read_date(newest->date);
  if (made + std::chrono::years(1) >= *today) return;
  Int128 days = (std::chrono::sys_days(*today) - std::chrono::sys_days(made)).count();
  Span at = settings.hardware.span;
  DiagnosticBuilder builder(
      Kind::OldPrice, at,
      format("the {}price is of {}, {} before {}", price->offers.size() > 1 ? "newest " : "",
             newest->date, counted(days, "day"), options.today));
  builder.note("the price", newest->at);
  found.add(std::move(builder));
}

}  // namespace dtp::pipeline
