#include "base/symbol.h"

namespace dtp {

Interner::Interner() {
  numbers_.reserve(2048);
  intern("");
#define SYMBOL(name) intern(#name);
#include "base/symbols.def"
}

Symbol Interner::intern(std::string_view text) {
  if (auto found = numbers_.find(text); found != numbers_.end()) return {found->second};
  std::string_view kept = storage_.emplace_back(text);
  auto number = static_cast<uint32_t>(texts_.size());
  texts_.push_back(kept);
  numbers_.emplace(kept, number);
  return {number};
}

}  // namespace dtp
