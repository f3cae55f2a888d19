#include "lang/not_estimated.h"

#include <algorithm>
#include <iterator>

namespace dtp::lang {
namespace {

constexpr NotEstimated kRows[] = {
#define NOT_ESTIMATED(type, member, when, example) {type, member, when, example},
#include "lang/not_estimated.def"
};

}  // namespace

std::span<const NotEstimated> not_estimated() { return kRows; }

const NotEstimated* not_estimated(std::string_view type, std::string_view member) {
  const auto* row = std::ranges::find_if(
      kRows, [&](const NotEstimated& r) { return r.type == type && r.member == member; });
  return row == std::end(kRows) ? nullptr : row;
}

}  // namespace dtp::lang
