// What a plan may say and this version does not estimate, from one table.
#pragma once
#include <span>
#include <string_view>

namespace dtp::lang {

struct NotEstimated {
  std::string_view type, member;  // a field of a type, or a case of a choice
  std::string_view when;          // for which values; empty: for any
  std::string_view example;       // as it stands in a plan
};

std::span<const NotEstimated> not_estimated();
// Null where it is estimated.
const NotEstimated* not_estimated(std::string_view type, std::string_view member);

}  // namespace dtp::lang
