// The words that other tools use for our things, so that a message can name ours: no spelling leads
// from `learning_rate` to `lr`, or from `cat` to `concat`.
#pragma once
#include <span>
#include <string_view>

namespace dtp {

// The name among `known` that means what `wanted` means elsewhere, or that differs in case and `_`
// alone. Empty when there is none.
std::string_view same_meaning(std::string_view wanted, std::span<const std::string_view> known);

// The name that differs in case and `_` alone.
std::string_view same_but_case(std::string_view wanted, std::span<const std::string_view> known);

// Whether `word` is what other tools call their own library: `torch`, `nn`, `F`, `np`, `self`.
bool is_foreign_library(std::string_view word);

}  // namespace dtp
