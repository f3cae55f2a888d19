// What the tool says about itself, on stderr, as opposed to what it says about plans.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace dtp::driver {

// "dtpc: words", and on a line below what helps.
void complain(std::string_view words, std::string_view help = {});

// ": did you mean `name`?" or nothing.
std::string did_you_mean(std::string_view name);
// "a, b, c"
std::string listed(std::span<const std::string_view> names);

}  // namespace dtp::driver
