// Tokens and grammar rules by number, as the rest of this room sees them: the names are those of
// grammar/.
#pragma once
#include <cstdint>

namespace dtp::syntax {

enum class TokenType : uint32_t {
  END,
#define TOKEN(name) name,
#include "syntax/tokens.def"
};
inline constexpr uint32_t kTokenTypes = static_cast<uint32_t>(TokenType::BAD_CHAR) + 1;

enum class Rule : uint32_t {
#define RULE(name) name,
#include "syntax/rules.def"
};

struct Token {
  TokenType type = TokenType::END;
  uint32_t begin = 0;  // bytes [begin, end) of the file; equal for a token that the repair put in
  uint32_t end = 0;
};

inline bool is_string(TokenType type) {
  return type == TokenType::STRING || type == TokenType::RAW_STRING;
}
inline bool is_opener(TokenType type) {
  return type == TokenType::LPAREN || type == TokenType::LBRACK || type == TokenType::LBRACE;
}
inline bool is_closer(TokenType type) {
  return type == TokenType::RPAREN || type == TokenType::RBRACK || type == TokenType::RBRACE;
}
inline TokenType closer_of(TokenType opener) {
  return opener == TokenType::LPAREN   ? TokenType::RPAREN
         : opener == TokenType::LBRACK ? TokenType::RBRACK
                                       : TokenType::RBRACE;
}

}  // namespace dtp::syntax
