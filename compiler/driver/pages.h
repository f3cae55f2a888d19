// docs/diagnostics/*.md, put into the program by the build.
#pragma once
#include <span>
#include <string_view>

namespace dtp::driver {

struct Page {
  std::string_view code;  // "DTP4001"
  std::string_view text;
};

// Sorted by code.
std::span<const Page> diagnostic_pages();

}  // namespace dtp::driver
