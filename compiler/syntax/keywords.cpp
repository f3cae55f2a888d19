#include "syntax/keywords.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace dtp::syntax {
namespace {

struct Word {
  std::string_view text;
  TokenType type;
};

// Sorted by first letter; `reserved_word` looks only at the words that share the letter.
using enum TokenType;
constexpr Word kReserved[] = {
    {"allow", ALLOW},
    {"and", AND},
    {"as", AS},
    {"because", BECAUSE},
    {"blame", BLAME},
    {"by", BY},
    {"checkpointed", CHECKPOINTED},
    {"choose", CHOOSE},
    {"derived", DERIVED},
    {"each", EACH},
    {"else", ELSE},
    {"estimated", ESTIMATED},
    {"expect", EXPECT},
    {"false", FALSE},
    {"fn", FN},
    {"for", FOR},
    {"if", IF},
    {"implies", IMPLIES},
    {"in", IN},
    {"is", IS},
    {"let", LET},
    {"maximize", MAXIMIZE},
    {"minimize", MINIMIZE},
    {"none", NONE},
    {"not", NOT},
    {"or", OR},
    {"repeat", REPEAT},
    {"require", REQUIRE},
    {"return", RETURN},
    {"suggest", SUGGEST},
    {"then", THEN},
    {"true", TRUE},
};
constexpr Word kStarting[] = {
    {"choice", CHOICE}, {"dimension", DIMENSION}, {"dtp", DTP},          {"family", FAMILY},
    {"import", IMPORT}, {"model", MODEL},         {"part", PART},        {"plan", PLAN},
    {"rule", RULE},     {"type", TYPE},           {"unit", DEFINE_UNIT},
};
static_assert(std::is_sorted(std::begin(kReserved), std::end(kReserved),
                             [](const Word& a, const Word& b) { return a.text < b.text; }));

// Where the words of each letter begin in kReserved; one more entry for the end.
constexpr auto kFirst = [] {
  std::array<uint8_t, 27> first{};
  for (size_t letter = 0; letter <= 26; ++letter) {
    uint8_t at = 0;
    while (at < std::size(kReserved) && kReserved[at].text[0] < static_cast<char>('a' + letter))
      ++at;
    first[letter] = at;
  }
  return first;
}();

}  // namespace

TokenType reserved_word(std::string_view word) {
  char letter = word.empty() ? '_' : word[0];
  if (letter < 'a' || letter > 'z' || word.size() < 2 || word.size() > 12) return NAME;
  auto index = static_cast<size_t>(letter - 'a');
  for (uint8_t i = kFirst[index]; i < kFirst[index + 1]; ++i)
    if (kReserved[i].text == word) return kReserved[i].type;
  return NAME;
}

TokenType starting_word(std::string_view word) {
  if (word.size() < 3 || word.size() > 9) return NAME;
  for (const Word& w : kStarting)
    if (w.text == word) return w.type;
  return NAME;
}

}  // namespace dtp::syntax
