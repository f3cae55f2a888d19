// What to give up after a mistake. The piece that did not parse is replaced by one SKIPPED token
// and the declaration is parsed again: so each mistake costs one message, and all that stands
// around it still becomes a tree.
#pragma once
#include <cstddef>
#include <vector>

#include "syntax/token.h"

namespace dtp::syntax {

struct Segment {
  size_t begin;  // tokens [begin, end); may be empty, where a value is missing
  size_t end;
};

// The pieces around token `at` of one declaration, small to large: the value it stands in, the
// item, the line, the same for each bracket outwards, the whole declaration at last.
std::vector<Segment> segments_around(const std::vector<Token>& tokens, size_t at);

// Puts a SKIPPED token in the place of `segment`.
void skip(std::vector<Token>& tokens, Segment segment);

// True where nothing but one SKIPPED would be replaced: then a larger piece is needed.
bool is_skipped(const std::vector<Token>& tokens, Segment segment);

}  // namespace dtp::syntax
