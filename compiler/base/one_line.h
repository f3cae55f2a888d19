// A text as one line, however it was broken.
#pragma once
#include <string>
#include <string_view>

namespace dtp {

std::string one_line(std::string_view text);

}  // namespace dtp
