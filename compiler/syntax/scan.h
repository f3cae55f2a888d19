// Text -> tokens, comments put aside. Never fails: what is no token is reported, and mended where
// it is clear what was meant (`&&`, 'text', a curly quote), so that the rest of the line still
// parses.
#pragma once
#include <string_view>
#include <vector>

#include "base/span.h"
#include "syntax/antlr/grammar.h"
#include "syntax/problems.h"
#include "syntax/tree.h"

namespace dtp::syntax {

inline constexpr uint32_t kMostDigits = 1000;

// A closing bracket too many. Where something before it did not parse either, that is the cause (a
// missing `{`), and what follows it up to the end of its declaration is the consequence.
struct Stray {
  uint32_t begin;  // bytes of the declaration that it lies in
  uint32_t end;
  Diagnostic diagnostic;
  bool told = false;
};

struct Scan {
  std::vector<Token> tokens;  // with every NL, without END
  std::vector<Trivia> trivia;
  std::vector<uint32_t> reported;  // where a token began that has its diagnostic already; ascending
  std::vector<Stray> strays;
  std::vector<uint32_t> cut;  // where a value began after which a comment took closing brackets
  bool swallowed = false;     // a text or comment that is never closed took the rest of the file
};

Scan scan(FileId file, std::string_view text, uint32_t begin, uint32_t end, GrammarLexer& lexer,
          Problems& problems);

}  // namespace dtp::syntax
