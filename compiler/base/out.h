// The one bridge between fmt and LLVM's streams. It keeps fmt's implementation out of every other
// file.
#pragma once
#include <fmt/core.h>

#include <string>

namespace llvm {
class raw_ostream;
}

namespace dtp {

void vprint(llvm::raw_ostream& out, fmt::string_view format, fmt::format_args arguments);
std::string vformat(fmt::string_view format, fmt::format_args arguments);

template <class... Args>
void print(llvm::raw_ostream& out, fmt::format_string<Args...> format, Args&&... arguments) {
  dtp::vprint(out, format, fmt::make_format_args(arguments...));
}

template <class... Args>
std::string format(fmt::format_string<Args...> format, Args&&... arguments) {
  return dtp::vformat(format, fmt::make_format_args(arguments...));
}

}  // namespace dtp
