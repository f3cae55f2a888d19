#define FMT_HEADER_ONLY
#include "base/out.h"

#include <fmt/format.h>
#include <llvm/Support/raw_ostream.h>

#include <iterator>

namespace dtp {

void vprint(llvm::raw_ostream& out, fmt::string_view format, fmt::format_args arguments) {
  fmt::memory_buffer buffer;
  fmt::vformat_to(std::back_inserter(buffer), format, arguments);
  out.write(buffer.data(), buffer.size());
}

std::string vformat(fmt::string_view format, fmt::format_args arguments) {
  fmt::memory_buffer buffer;
  fmt::vformat_to(std::back_inserter(buffer), format, arguments);
  return {buffer.data(), buffer.size()};
}

}  // namespace dtp
