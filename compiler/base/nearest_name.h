// "Did you mean ...": the known name that a mistyped one most likely stands for.
#pragma once
#include <span>
#include <string_view>

namespace dtp {

struct NearName {
  std::string_view name;
  bool only = false;  // no other known name is near
};
// Never the very same word: it was refused. A name that differs in case alone comes first, then the
// smallest number of edits (insert, delete, replace, swap two neighbours), case apart. Empty when
// nothing is near: about one edit in three characters is allowed.
NearName near_name(std::string_view wanted, std::span<const std::string_view> known);
std::string_view nearest_name(std::string_view wanted, std::span<const std::string_view> known);

}  // namespace dtp
