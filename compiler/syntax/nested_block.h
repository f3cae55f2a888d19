// YAML's way to write a record: `batch:`, and its fields on lines that are indented more.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "syntax/token.h"

namespace dtp::syntax {

struct NestedBlock {
  size_t key;    // the token of the name; its `:` follows
  size_t first;  // of the inner lines
  size_t end;    // behind the last of them
};

// The block whose first inner line has the token that failed, its `:`.
std::optional<NestedBlock> nested_block(std::string_view text, std::span<const Token> tokens,
                                        size_t failed);

// As it is meant: "batch = { global = 1024, micro = 32 }".
std::string in_braces(std::string_view text, std::span<const Token> tokens,
                      const NestedBlock& block);
// What the field is set to is unknown then.
void give_up(const NestedBlock& block, std::vector<Token>& tokens);

}  // namespace dtp::syntax
