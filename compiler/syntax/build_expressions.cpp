// Expressions up to their operands; build_operators.cpp orders what stands between operands.
#include "syntax/tree_builder.h"

namespace dtp::syntax {

using enum TokenType;

NodeId TreeBuilder::expr() {
  if (reader_.at(Rule::HeadExpr)) {
    reader_.enter(Rule::HeadExpr);
    NodeId result = chain(Rule::HeadOperand, Rule::HeadBound);
    reader_.exit();
    return result;
  }
  reader_.enter(Rule::Expr);
  NodeId result;
  if (reader_.at(IF)) {
    uint32_t begin = reader_.take().begin;
    NodeId condition = expr();
    reader_.take();
    NodeId then = expr();
    reader_.take();
    NodeId otherwise = expr();
    result = add(NodeKind::If, begin, {condition, then, otherwise});
  } else if (reader_.at(CHOOSE) || reader_.at(EACH)) {
    const Token& keyword = reader_.take();
    NodeId of = expr();
    result = add(keyword.type == CHOOSE ? NodeKind::Choose : NodeKind::Each, keyword.begin, {of});
  } else {
    result = chain(Rule::Operand, Rule::UpperBound);
  }
  reader_.exit();
  return result;
}

NodeId TreeBuilder::primary() {
  if (reader_.at(Rule::Atom)) return atom();
  reader_.enter(Rule::Primary);
  NodeId result;
  if (reader_.at(Rule::Body)) {
    uint32_t begin = reader_.begin();
    NodeId fields = body();
    result = add(NodeKind::RecordLit, begin, {fields});
  } else {
    result = atom();
  }
  reader_.exit();
  return result;
}

NodeId TreeBuilder::suffixes(NodeId base, uint32_t begin, Rule rule) {
  while (reader_.at(rule)) {
    reader_.enter(rule);
    base = suffix(base, begin);
    reader_.exit();
  }
  return base;
}

NodeId TreeBuilder::suffix(NodeId base, uint32_t begin) {
  if (reader_.at(Rule::Call)) return call(base, begin);
  if (reader_.at(Rule::Index)) return index(base, begin);
  if (reader_.at(Rule::Body)) {
    uint32_t brace = reader_.begin();
    NodeId fields = body();
    NodeId amended = add(NodeKind::AmendExpr, begin, {base, fields});
    // Newlines are nothing in brackets: two records of a list would become one, without a word.
    bool below = slice(store_[base].end, brace).find('\n') != std::string_view::npos;
    return below ? brace_below(base, brace, amended) : amended;
  }
  if (reader_.take_if(AS)) {
    NodeId key = reader_.at(NAME) ? name() : string();
    return add(NodeKind::As, begin, {base, key});
  }
  reader_.take();  // DOT
  if (reader_.take_if(STAR)) return add(NodeKind::Star, begin, {base});
  NodeId member = name();
  return add(NodeKind::Member, begin, {base, member});
}

NodeId TreeBuilder::brace_below(NodeId base, uint32_t brace, NodeId amended) {
  fail(DiagnosticBuilder(Kind::SyntaxError, {file_, brace, brace + 1},
                         "these braces would amend what stands on the line before")
           .label({file_, store_[base].begin, store_[base].end}, "amended")
           .help("put a `,` between two items; braces that amend stand on the same line"));
  return error_over(amended);
}

NodeId TreeBuilder::number() {
  NodeId value = leaf(NodeKind::Number, reader_.take());
  if (!reader_.at(UNIT)) return value;
  NodeId unit = leaf(NodeKind::UnitName, reader_.take());
  return add(NodeKind::Quantity, store_[value].begin, {value, unit});
}

NodeId TreeBuilder::atom() {
  reader_.enter(Rule::Atom);
  NodeId result;
  if (reader_.at(Rule::List)) {
    result = list();
  } else {
    switch (reader_.peek().type) {
      case NUMBER: result = number(); break;
      case PERCENT: result = leaf(NodeKind::Percent, reader_.take()); break;
      case STRING:
      case RAW_STRING: result = string(); break;
      case TRUE: result = leaf(NodeKind::True, reader_.take()); break;
      case FALSE: result = leaf(NodeKind::False, reader_.take()); break;
      case NONE: result = leaf(NodeKind::None, reader_.take()); break;
      case QUESTION: result = leaf(NodeKind::Hole, reader_.take()); break;
      case NAME: result = name(); break;
      case LPAREN: {
        uint32_t begin = reader_.take().begin;
        NodeId inner = expr();
        reader_.take();
        result = add(NodeKind::Paren, begin, {inner});
        break;
      }
      default: has_errors_ = true; result = leaf(NodeKind::Error, reader_.take());
    }
  }
  reader_.exit();
  return result;
}

NodeId TreeBuilder::list() {
  reader_.enter(Rule::List);
  uint32_t begin = reader_.take().begin;
  size_t mark = store_.mark();
  NodeKind kind = NodeKind::List;
  while (!reader_.take_if(RBRACK)) {
    if (reader_.at_token()) {
      reader_.take();
    } else if (reader_.at(Rule::Comprehension)) {
      kind = NodeKind::ListComp;
      comprehension();
    } else {
      store_.push(expr());
    }
  }
  reader_.exit();
  return close(kind, begin, mark);
}

NodeId TreeBuilder::call(NodeId callee, uint32_t begin) {
  reader_.enter(Rule::Call);
  reader_.take();
  size_t mark = store_.mark();
  store_.push(callee);
  NodeKind kind = NodeKind::Call;
  while (!reader_.take_if(RPAREN)) {
    if (reader_.at_token()) {
      reader_.take();
    } else if (reader_.at(Rule::Comprehension)) {
      kind = NodeKind::CallComp;
      comprehension();
    } else {
      store_.push(argument());
    }
  }
  reader_.exit();
  return close(kind, begin, mark);
}

NodeId TreeBuilder::argument() {
  reader_.enter(Rule::Argument);
  uint32_t begin = reader_.begin();
  NodeId label = kNoNode;
  NodeId value = expr();
  if (reader_.take_if(ASSIGN)) {
    label = value;
    value = expr();
    NodeKind kind = store_[label].kind;
    if (kind != NodeKind::Name && kind != NodeKind::Error) {
      fail(DiagnosticBuilder(Kind::SyntaxError, span_of(label),
                             "left of `=` stands the name of an argument, one word")
               .help("to compare, write `==`"));
      value = error_over(value);
    }
    if (kind != NodeKind::Name) label = kNoNode;
  }
  reader_.exit();
  return add(NodeKind::Arg, begin, {label, value});
}

NodeId TreeBuilder::index(NodeId base, uint32_t begin) {
  reader_.enter(Rule::Index);
  reader_.take();
  size_t mark = store_.mark();
  store_.push(base);
  do store_.push(expr());
  while (reader_.take_if(COMMA));
  reader_.take();
  reader_.exit();
  return close(NodeKind::Index, begin, mark);
}

// Pushes cond? and then the CompFor*: the condition has a fixed place, the loops any number.
NodeId TreeBuilder::comprehension() {
  reader_.enter(Rule::Comprehension);
  std::vector<NodeId> loops;
  while (reader_.at(FOR)) {
    uint32_t begin = reader_.take().begin;
    NodeId what = names();
    reader_.take();
    NodeId over = expr();
    loops.push_back(add(NodeKind::CompFor, begin, {what, over}));
  }
  store_.push(reader_.take_if(IF) ? expr() : kNoNode);
  for (NodeId loop : loops) store_.push(loop);
  reader_.exit();
  return kNoNode;
}

}  // namespace dtp::syntax
