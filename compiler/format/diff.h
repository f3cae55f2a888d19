// What changed between two texts, by lines, as `diff -u` and `git apply` write it.
#pragma once
#include <string>
#include <string_view>

namespace dtp::style {

// Empty when the texts are equal.
std::string unified_diff(std::string_view name, std::string_view before, std::string_view after);

}  // namespace dtp::style
