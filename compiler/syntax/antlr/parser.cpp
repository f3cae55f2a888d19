// Runs the generated parser over our tokens and records what it does, without building ANTLR's
// tree. It stops at the first mistake: recovery is ours (recovery.h), since it needs the layout and
// ANTLR's does not know it.
#include <deque>
#include <memory>
#include <string>
#include <utility>

#include "DtpParser.h"
#include "syntax/antlr/grammar.h"

namespace dtp::syntax {
namespace {

#define TOKEN(name) static_assert(static_cast<size_t>(TokenType::name) == DtpParser::name);
#include "syntax/tokens.def"
#define RULE(name) static_assert(static_cast<size_t>(Rule::name) == DtpParser::Rule##name);
#include "syntax/rules.def"

// ANTLR wants an object a token; nothing in it but the type is ever asked for.
class TypedToken final : public antlr4::Token {
 public:
  explicit TypedToken(size_t type) : type_(type) {}
  std::string getText() const override { return {}; }
  size_t getType() const override { return type_; }
  size_t getLine() const override { return 0; }
  size_t getCharPositionInLine() const override { return 0; }
  size_t getChannel() const override { return 0; }
  size_t getTokenIndex() const override { return 0; }
  size_t getStartIndex() const override { return 0; }
  size_t getStopIndex() const override { return 0; }
  antlr4::TokenSource* getTokenSource() const override { return nullptr; }
  antlr4::CharStream* getInputStream() const override { return nullptr; }
  std::string toString() const override { return {}; }

 private:
  size_t type_;
};

class FlatTokenStream final : public antlr4::TokenStream {
 public:
  FlatTokenStream() {
    kinds_.reserve(kTokenTypes);
    for (uint32_t i = 0; i < kTokenTypes; ++i) kinds_.emplace_back(i == 0 ? IntStream::EOF : i);
  }
  void set(std::span<const Token> tokens) {
    tokens_ = tokens;
    position_ = 0;
  }
  size_t type() const {
    return position_ < tokens_.size() ? static_cast<size_t>(tokens_[position_].type)
                                      : IntStream::EOF;
  }
  antlr4::Token* LT(ssize_t k) override {
    size_t at = position_ + static_cast<size_t>(k) - (k > 0 ? 1 : 0);
    return &kinds_[at < tokens_.size() ? static_cast<uint32_t>(tokens_[at].type) : 0];
  }
  size_t LA(ssize_t k) override { return k == 1 ? type() : LT(k)->getType(); }
  void consume() override { ++position_; }
  size_t index() override { return position_; }
  void seek(size_t index) override { position_ = index; }
  size_t size() override { return tokens_.size(); }
  ssize_t mark() override { return -1; }
  void release(ssize_t) override {}
  std::string getSourceName() const override { return {}; }
  antlr4::Token* get(size_t) const override { return nullptr; }
  antlr4::TokenSource* getTokenSource() const override { return nullptr; }
  std::string getText(const antlr4::misc::Interval&) override { return {}; }
  std::string getText() override { return {}; }
  std::string getText(antlr4::RuleContext*) override { return {}; }
  std::string getText(antlr4::Token*, antlr4::Token*) override { return {}; }

 private:
  std::vector<TypedToken> kinds_;  // one a type: a token's own place is asked from Token
  std::span<const Token> tokens_;
  size_t position_ = 0;
};

struct Stopped {};

// Throws at the first mistake, after the state that tells what was expected has been read.
class StopAtFirst final : public antlr4::ANTLRErrorStrategy {
 public:
  ParseFailure failure;

  void reset(antlr4::Parser*) override {}
  antlr4::Token* recoverInline(antlr4::Parser* parser) override { stop(parser); }
  void recover(antlr4::Parser* parser, std::exception_ptr) override { stop(parser); }
  void sync(antlr4::Parser*) override {}
  bool inErrorRecoveryMode(antlr4::Parser*) override { return false; }
  void reportMatch(antlr4::Parser*) override {}
  void reportError(antlr4::Parser*, const antlr4::RecognitionException&) override {}

  [[noreturn]] void stop(antlr4::Parser* parser) {
    failure = {};
    failure.token = static_cast<uint32_t>(parser->getTokenStream()->index());
    failure.rule = static_cast<Rule>(parser->getContext()->getRuleIndex());
    antlr4::misc::IntervalSet expected = parser->getExpectedTokens();
    for (ssize_t type : expected.toList())
      failure.expected.set(
          type < 0 || type >= static_cast<ssize_t>(kTokenTypes) ? 0 : static_cast<size_t>(type));
    throw Stopped{};
  }
};

// Records enter, token and exit where ANTLR would build its tree.
class RecordingParser final : public DtpParser {
 public:
  RecordingParser(FlatTokenStream* stream, std::shared_ptr<StopAtFirst> strategy)
      : DtpParser((DtpParser::initialize(), stream)),
        stream_(stream),
        strategy_(std::move(strategy)) {
    removeErrorListeners();
    setErrorHandler(strategy_);
    setBuildParseTree(false);
    addParseListener(&listener_);  // without one, triggerExitRuleEvent is not called
  }
  std::vector<Event>* events = nullptr;

  antlr4::Token* match(size_t type) override {
    if (stream_->type() != type) strategy_->stop(this);
    return consume();
  }
  antlr4::Token* consume() override {
    if (stream_->type() != antlr4::Token::EOF) {
      events->push_back(Event::token(static_cast<uint32_t>(stream_->index())));
      stream_->consume();
    }
    return nullptr;
  }
  void enterRule(antlr4::ParserRuleContext* context, size_t state, size_t rule) override {
    setState(state);
    _ctx = context;
    events->push_back(Event::enter(static_cast<uint32_t>(rule)));
    if (is_closed_world(rule)) {
      if (depth_ == contexts_.size()) contexts_.emplace_back();
      std::swap(_tracker, contexts_[depth_++]);
    }
  }
  void enterOuterAlt(antlr4::ParserRuleContext*, size_t) override {}
  void triggerExitRuleEvent() override {
    events->push_back(Event::exit());
    if (is_closed_world(_ctx->getRuleIndex())) {
      _tracker.reset();
      std::swap(_tracker, contexts_[--depth_]);
    }
  }

 private:
  // The parser keeps a context of every rule until the end. Nobody looks at those below an
  // expression or an item once it is over, so they are freed then: a list of a million numbers
  // would otherwise take a gigabyte.
  static bool is_closed_world(size_t rule) {
    return rule == RuleExpr || rule == RuleItem || rule == RuleTypeItem || rule == RuleStatement ||
           rule == RuleRuleItem;
  }
  struct NoListener final : antlr4::tree::ParseTreeListener {
    void visitTerminal(antlr4::tree::TerminalNode*) override {}
    void visitErrorNode(antlr4::tree::ErrorNode*) override {}
    void enterEveryRule(antlr4::ParserRuleContext*) override {}
    void exitEveryRule(antlr4::ParserRuleContext*) override {}
  };
  FlatTokenStream* stream_;
  std::shared_ptr<StopAtFirst> strategy_;
  NoListener listener_;
  std::deque<antlr4::tree::ParseTreeTracker> contexts_;  // of the rules around, set aside
  size_t depth_ = 0;
};

}  // namespace

struct GrammarParser::Impl {
  FlatTokenStream stream;
  std::shared_ptr<StopAtFirst> strategy = std::make_shared<StopAtFirst>();
  RecordingParser parser{&stream, strategy};
};

GrammarParser::GrammarParser() : impl_(std::make_unique<Impl>()) {}
GrammarParser::~GrammarParser() = default;

bool GrammarParser::parse(Entry entry, std::span<const Token> tokens, std::vector<Event>& events,
                          ParseFailure& failure) {
  events.clear();
  impl_->stream.set(tokens);
  impl_->parser.reset();  // also frees the contexts of the parse before
  impl_->parser.events = &events;
  try {
    if (entry == Entry::declaration)
      impl_->parser.oneDeclaration();
    else
      impl_->parser.oneHole();
    return true;
  } catch (const Stopped&) {
    failure = impl_->strategy->failure;
    return false;
  }
}

}  // namespace dtp::syntax
