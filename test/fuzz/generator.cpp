// A whole text, and what stands between its words.
#include "generator.h"

#include <algorithm>

namespace dtp::fuzz {

std::string Generator::text() {
  if (once_in(20)) put("\xEF\xBB\xBF");
  if (once_in(3)) line_end();
  if (once_in(2)) put("dtp 1"), line_end();
  for (unsigned n = 1 + below(8); n > 0; --n) {
    declaration();
    line_end();
  }
  if (once_in(4)) comment(false);  // the last line without an end
  if (once_in(30)) {
    std::string dos;
    for (char c : text_) dos += c == '\n' ? "\r\n" : std::string(1, c);
    text_ = std::move(dos);
  }
  return std::move(text_);
}

std::string_view Generator::any_of(std::string_view words) {
  auto count = static_cast<unsigned>(std::ranges::count(words, ' ')) + 1;
  for (unsigned n = below(count); n > 0; --n) words.remove_prefix(words.find(' ') + 1);
  return words.substr(0, words.find(' '));
}

void Generator::blank() {
  put(once_in(12) ? "  " : once_in(40) ? "\t" : " ");
  if (once_in(60)) put(once_in(4) ? "/* over\n   two lines */ " : "/* between */ ");
}

void Generator::gap() {
  if (!once_in(12)) return blank();
  if (once_in(4)) put(" "), comment(false);
  put("\n");
  if (once_in(8)) put("\n\n");
  while (once_in(8)) comment(true);
  blank();
}

void Generator::gap_in_list() { lists_.empty() || !lists_.back() ? blank() : gap(); }

void Generator::comment(bool whole_line) {
  put(any_of("// //// /// //\t"));
  put(any_of(" one a_word 1_+_1 {brace [ \" 'quoted' \xC3\xA9 */"));
  put(once_in(4) ? "   " : "");
  if (whole_line) put("\n");
}

void Generator::line_end() {
  if (once_in(6)) put(" "), comment(false);
  put(once_in(20) ? "  \n" : "\n");
  while (once_in(5)) put("\n");
  while (once_in(8)) {
    put(any_of(" \t    "));
    once_in(6) ? put("/* alone */\n") : comment(true);
    if (once_in(3)) put("\n");
  }
  put(once_in(3) ? "" : once_in(10) ? "\t" : "  ");
}

void Generator::separator(bool commas) {
  if (commas && once_in(4)) {
    put(",");
    return once_in(3) ? line_end() : blank();
  }
  if (!commas && once_in(8)) return put(";"), blank();
  line_end();
}

}  // namespace dtp::fuzz
