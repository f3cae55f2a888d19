// Runs the generated lexer's automaton over bytes. Lexer::nextToken is passed by: it would allocate
// a token object and count lines, and we need a type and two offsets.
#include <algorithm>
#include <string>

#include "DtpLexer.h"
#include "syntax/antlr/grammar.h"

namespace dtp::syntax {
namespace {

// Byte-addressed, so that token ends are byte offsets and no UTF-32 copy of the file is made. Bytes
// above 0x7F appear as U+0080 to U+00FF, which only strings, comments and BAD_CHAR accept.
class ByteStream final : public antlr4::CharStream {
 public:
  explicit ByteStream(std::string_view text) : text_(text), end_(text.size()) {}
  void window(size_t position, size_t end) {
    position_ = position;
    end_ = std::min(end, text_.size());
  }
  void consume() override { ++position_; }
  size_t LA(ssize_t i) override {
    size_t at = position_ + static_cast<size_t>(i) - 1;
    return at < end_ ? static_cast<unsigned char>(text_[at]) : IntStream::EOF;
  }
  ssize_t mark() override { return -1; }
  void release(ssize_t) override {}
  size_t index() override { return position_; }
  void seek(size_t index) override { position_ = index; }
  size_t size() override { return end_; }
  std::string getSourceName() const override { return {}; }
  std::string getText(const antlr4::misc::Interval&) override { return {}; }
  std::string toString() const override { return {}; }

 private:
  std::string_view text_;
  size_t position_ = 0;
  size_t end_;
};

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// The tokens that make up nine tenths of a file, without the automaton: it takes each character
// through two locks and a hash table, and builds its states anew in every process. END where the
// automaton has to look. A test holds that both say the same.
Token plain_token(std::string_view text, uint32_t begin) {
  auto at = begin;
  auto size = static_cast<uint32_t>(text.size());
  char first = text[begin];
  if (is_word(first) && (first < '0' || first > '9')) {
    while (at < size && is_word(text[at])) ++at;
    return {TokenType::NAME, begin, at};
  }
  if (first == '/' && begin + 1 < size && text[begin + 1] == '/') {
    while (at < size && text[at] != '\n' && text[at] != '\r') ++at;
    return {TokenType::COMMENT, begin, at};
  }
  if (first == '"') {
    for (++at; at < size; ++at) {
      char c = text[at];
      if (c == '\\' || c == '\n' || c == '\r') break;
      if (c != '"') continue;
      bool raw = at == begin + 1 && at + 1 < size && text[at + 1] == '"';
      if (!raw) return {TokenType::STRING, begin, at + 1};
      break;
    }
  }
  return {};
}

}  // namespace

struct GrammarLexer::Impl {
  explicit Impl(std::string_view source)
      : text(source), stream(source), lexer((DtpLexer::initialize(), &stream)) {
    lexer.removeErrorListeners();
    automaton = lexer.getInterpreter<antlr4::atn::LexerATNSimulator>();
  }
  std::string_view text;
  ByteStream stream;
  DtpLexer lexer;
  antlr4::atn::LexerATNSimulator* automaton;
};

GrammarLexer::GrammarLexer(std::string_view text) : impl_(std::make_unique<Impl>(text)) {}
GrammarLexer::~GrammarLexer() = default;

Token GrammarLexer::next(uint32_t position, uint32_t end) {
  while (position < end && is_blank(impl_->text[position])) ++position;
  if (position >= end) return {TokenType::END, end, end};
  Token token = plain_token(impl_->text.substr(0, end), position);
  return token.type == TokenType::END ? next_by_grammar(position, end) : token;
}

Token GrammarLexer::next_by_grammar(uint32_t position, uint32_t end) {
  if (position >= end) return {TokenType::END, end, end};
  impl_->stream.window(position, end);
  size_t type = impl_->automaton->match(&impl_->stream, 0);
  return {static_cast<TokenType>(type), position, static_cast<uint32_t>(impl_->stream.index())};
}

}  // namespace dtp::syntax
