// Events of the parser -> nodes of the tree. One method a rule of the grammar; what the grammar
// leaves flat or loose (precedence, names left of '=' in a call, holes in strings) is settled here.
#pragma once
#include <functional>
#include <string_view>
#include <vector>

#include "base/span.h"
#include "diagnostics/sink.h"
#include "syntax/event_reader.h"
#include "syntax/tree_store.h"

namespace dtp::syntax {

class HoleParser;

class TreeBuilder {
 public:
  TreeBuilder(FileId file, std::string_view text, TreeStore& store, HoleParser& holes,
              DiagnosticSink& sink)
      : file_(file), text_(text), store_(store), holes_(holes), sink_(sink) {}

  // Each takes the events of one parse, of the entry with the same name.
  NodeId declaration(EventReader reader);
  NodeId hole(EventReader reader, uint32_t begin, uint32_t end);
  bool has_errors() const { return has_errors_; }

 private:
  // build_declarations.cpp
  NodeId declaration_body();
  NodeId import();
  NodeId dimension();
  NodeId unit();
  NodeId type_declaration();
  NodeId choice();
  NodeId choice_item();
  NodeId rule();
  NodeId plan();
  NodeId let();
  NodeId fn();
  NodeId require();
  NodeId suggest();
  NodeId allow();
  NodeId goal();
  // build_bodies.cpp
  NodeId body();
  NodeId item();
  NodeId field();
  NodeId key();
  NodeId type_body();
  NodeId type_item();
  // build_models.cpp
  NodeId model();
  NodeId model_item();
  NodeId method();
  NodeId block();
  NodeId statement();
  NodeId repeat();
  NodeId loop(Rule rule);
  NodeId if_statement(Rule rule, Rule block);
  NodeId rule_block();
  NodeId rule_item();
  NodeId inner_block(Rule rule);
  NodeId loop_name();
  // build_types.cpp
  NodeId params();
  NodeId param();
  NodeId type();
  NodeId type_term();
  NodeId type_element();
  NodeId type_args();
  NodeId type_arg();
  NodeId dims();
  // build_expressions.cpp
  NodeId expr();
  NodeId choose(TokenType keyword);
  NodeId primary();
  NodeId suffix(NodeId base, uint32_t begin);
  NodeId suffixes(NodeId base, uint32_t begin, Rule rule);
  NodeId brace_below(NodeId base, uint32_t brace, NodeId amended);
  NodeId atom();
  NodeId number();
  NodeId list();
  NodeId call(NodeId callee, uint32_t begin);
  NodeId argument();
  NodeId index(NodeId base, uint32_t begin);
  NodeId comprehension();
  // build_operators.cpp: the flat operands and operators of one expression, and their order by
  // precedence
  struct Piece {
    enum Shape : uint8_t { prefix, value, infix } shape;
    TokenType type;
    uint32_t begin;
    uint32_t end;
    NodeId node;
  };
  NodeId chain(Rule operand, Rule bound);
  void operand_pieces(Rule rule);
  NodeId binary(int level);
  NodeId prefixed(int level);
  NodeId range_end(NodeId low, Piece op);
  NodeId infix_node(NodeId left, NodeId right, TokenType type);
  bool piece_is(Piece::Shape shape) const {
    return piece_ < pieces_.size() && pieces_[piece_].shape == shape;
  }
  void comparison_chain(NodeId first, const Piece& op);
  // build_strings.cpp
  NodeId string();
  NodeId string_of(const Token& token);
  void string_parts(uint32_t begin, uint32_t end);
  uint32_t string_hole(uint32_t open, uint32_t end);
  void check_escape(uint32_t at, uint32_t end);

  // shared
  NodeId name() { return leaf(NodeKind::Name, reader_.take()); }
  NodeId names();
  NodeId path();
  NodeId skipped(NodeKind keep);
  NodeId leaf(NodeKind kind, const Token& token) {
    return store_.leaf(kind, token.begin, token.end);
  }
  NodeId add(NodeKind kind, uint32_t begin, std::initializer_list<NodeId> children) {
    return store_.add(kind, begin, reader_.last_end(), children);
  }
  NodeId close(NodeKind kind, uint32_t begin, size_t mark) {
    return store_.close(kind, begin, reader_.last_end(), mark);
  }
  NodeId with_op(NodeId id, Op op) {
    store_[id].op = op;
    return id;
  }
  NodeId with_flag(NodeId id, Flag flag) {
    store_[id].flags |= flag;
    return id;
  }
  std::string_view slice(uint32_t begin, uint32_t end) const {
    return text_.substr(begin, end - begin);
  }
  std::string_view text_of(NodeId id) const { return slice(store_[id].begin, store_[id].end); }
  Span span_of(NodeId id) const { return {file_, store_[id].begin, store_[id].end}; }
  void fail(DiagnosticBuilder& builder);
  void fail(DiagnosticBuilder&& builder) { fail(builder); }
  NodeId error_over(NodeId id);

  FileId file_;
  std::string_view text_;
  TreeStore& store_;
  HoleParser& holes_;
  DiagnosticSink& sink_;
  EventReader reader_;
  std::vector<Piece> pieces_;
  size_t piece_ = 0;
  bool has_errors_ = false;
};

// Parses what stands in { } inside a string, and builds it with `builder`.
class HoleParser {
 public:
  virtual ~HoleParser() = default;
  // Bytes [begin, end) lie between the braces. kNoNode, after a diagnostic, where they are not one
  // expression.
  virtual NodeId parse_hole(TreeBuilder& builder, uint32_t begin, uint32_t end) = 0;
};

}  // namespace dtp::syntax
