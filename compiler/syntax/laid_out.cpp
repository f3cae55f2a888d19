#include "syntax/laid_out.h"

#include "syntax/layout.h"
#include "syntax/scan.h"

namespace dtp::syntax {

std::vector<Token> laid_out_tokens(FileId file, std::string_view text) {
  GrammarLexer lexer(text);
  Problems problems;
  Scan found = scan(file, text, 0, static_cast<uint32_t>(text.size()), lexer, problems);
  apply_layout(text, LayoutOf::file, found.tokens);
  return std::move(found.tokens);
}

}  // namespace dtp::syntax
