#include "driver/messages.h"

#include <llvm/Support/raw_ostream.h>

namespace dtp::driver {

void complain(std::string_view words, std::string_view help) {
  llvm::errs() << "dtpc: " << words << "\n";
  if (!help.empty()) llvm::errs() << "  " << help << "\n";
}

std::string did_you_mean(std::string_view name) {
  return name.empty() ? std::string() : ": did you mean `" + std::string(name) + "`?";
}

std::string listed(std::span<const std::string_view> names) {
  std::string list;
  for (std::string_view name : names) list.append(list.empty() ? "" : ", ").append(name);
  return list;
}

}  // namespace dtp::driver
