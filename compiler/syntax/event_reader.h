// Walks the events of one successful parse. What it does not check, the parser has.
#pragma once
#include <cassert>
#include <span>

#include "syntax/antlr/grammar.h"

namespace dtp::syntax {

class EventReader {
 public:
  EventReader() = default;
  EventReader(std::span<const Event> events, std::span<const Token> tokens)
      : events_(events), tokens_(tokens) {}

  bool at(Rule rule) const { return events_[at_].is_enter(rule); }
  bool at(TokenType type) const { return events_[at_].is_token() && peek().type == type; }
  bool at_token() const { return events_[at_].is_token(); }
  bool at_exit() const { return events_[at_].is_exit(); }
  const Token& peek() const { return tokens_[events_[at_].index()]; }

  void enter([[maybe_unused]] Rule rule) {
    assert(at(rule));
    ++at_;
  }
  // The end of a rule, whose last token was the last one taken.
  void exit() {
    assert(at_exit());
    ++at_;
  }
  const Token& take() {
    assert(at_token());
    const Token& token = tokens_[events_[at_].index()];
    ++at_;
    last_end_ = token.end;
    return token;
  }
  bool take_if(TokenType type) {
    if (!at(type)) return false;
    take();
    return true;
  }
  // Where the next token begins, past the starts of rules.
  uint32_t begin() const {
    size_t i = at_;
    while (!events_[i].is_token()) ++i;
    return tokens_[events_[i].index()].begin;
  }
  uint32_t last_end() const { return last_end_; }

 private:
  std::span<const Event> events_;
  std::span<const Token> tokens_;
  size_t at_ = 0;
  uint32_t last_end_ = 0;
};

}  // namespace dtp::syntax
