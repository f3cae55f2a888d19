// What the generated lexer and parser do for us, in our own words. ANTLR's types and exceptions end
// at this header.
#pragma once
#include <bitset>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "syntax/token.h"

namespace dtp::syntax {

class GrammarLexer {
 public:
  explicit GrammarLexer(std::string_view text);
  ~GrammarLexer();
  // The next token that is no blank, from byte `position` and not beyond `end`. END at the end.
  Token next(uint32_t position, uint32_t end);
  // The same from the grammar alone, without the short cuts for words, comments and plain strings;
  // blanks are tokens here.
  Token next_by_grammar(uint32_t position, uint32_t end);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// A parse in preorder: the start of a rule, its tokens (by index) and rules, its end.
class Event {
 public:
  static Event enter(uint32_t rule) { return Event(kEnter | rule); }
  static Event exit() { return Event(kExit); }
  static Event token(uint32_t index) { return Event(index); }
  bool is_enter() const { return (value_ & kTags) == kEnter; }
  bool is_enter(Rule rule) const { return value_ == (kEnter | static_cast<uint32_t>(rule)); }
  bool is_exit() const { return value_ == kExit; }
  bool is_token() const { return (value_ & kTags) == 0; }
  uint32_t index() const { return value_; }

 private:
  explicit Event(uint32_t value) : value_(value) {}
  static constexpr uint32_t kEnter = 1u << 31, kExit = 1u << 30, kTags = kEnter | kExit;
  uint32_t value_;
};

struct ParseFailure {
  uint32_t token = 0;  // index of the token that did not fit; tokens.size() for the end
  Rule rule = Rule::File;
  std::bitset<kTokenTypes> expected;
  bool expects(TokenType type) const { return expected[static_cast<uint32_t>(type)]; }
};

enum class Entry { declaration, hole };

class GrammarParser {
 public:
  GrammarParser();
  ~GrammarParser();
  // Replaces `events`. On failure says where and what would have fitted; `events` is then
  // worthless.
  bool parse(Entry entry, std::span<const Token> tokens, std::vector<Event>& events,
             ParseFailure& failure);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dtp::syntax
