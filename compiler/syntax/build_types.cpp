// Parameters and types.
#include "syntax/tree_builder.h"

namespace dtp::syntax {

using enum TokenType;

NodeId TreeBuilder::params() {
  reader_.enter(Rule::Params);
  uint32_t begin = reader_.take().begin;
  size_t mark = store_.mark();
  while (!reader_.take_if(RPAREN)) {
    if (reader_.at(Rule::Param))
      store_.push(param());
    else
      reader_.take();
  }
  reader_.exit();
  return close(NodeKind::Params, begin, mark);
}

NodeId TreeBuilder::param() {
  reader_.enter(Rule::Param);
  NodeId result;
  if (reader_.at(SKIPPED)) {
    result = skipped(NodeKind::Name);
  } else {
    uint32_t begin = reader_.begin();
    NodeId what = name();
    NodeId of = reader_.take_if(COLON) ? type() : kNoNode;
    NodeId value = reader_.take_if(ASSIGN) ? expr() : kNoNode;
    result = add(NodeKind::Param, begin, {what, of, value});
  }
  reader_.exit();
  return result;
}

NodeId TreeBuilder::type() {
  reader_.enter(Rule::Type);
  uint32_t begin = reader_.begin();
  NodeId left = type_term();
  while (!reader_.at_exit()) {
    NodeKind kind = reader_.take().type == STAR ? NodeKind::TypeMultiply : NodeKind::TypeDivide;
    NodeId right = type_term();
    left = add(kind, begin, {left, right});
  }
  reader_.exit();
  return left;
}

NodeId TreeBuilder::type_term() {
  reader_.enter(Rule::TypeTerm);
  uint32_t begin = reader_.begin();
  NodeId result;
  if (reader_.at(Rule::Path)) {
    NodeId what = path();
    NodeId of = reader_.at(Rule::TypeArgs) ? type_args() : kNoNode;
    NodeId shape = reader_.at(Rule::Dims) ? dims() : kNoNode;
    result = add(NodeKind::TypeName, begin, {what, of, shape});
  } else if (reader_.at(Rule::Dims)) {
    NodeId shape = dims();
    result = add(NodeKind::TypeTensor, begin, {shape});
  } else if (reader_.at(SKIPPED)) {
    has_errors_ = true;
    result = leaf(NodeKind::Error, reader_.take());
  } else {
    reader_.take();
    size_t mark = store_.mark();
    do store_.push(type_element());
    while (reader_.take_if(COMMA));
    reader_.take();
    result = close(NodeKind::TypeTuple, begin, mark);
  }
  if (reader_.take_if(QUESTION)) {
    store_[result].end = reader_.last_end();
    with_flag(result, kOptional);
  }
  reader_.exit();
  return result;
}

// In `(mean: [B, 4])` the grammar reads a type left of ':', since it looks one token ahead; only a
// bare name is meant.
NodeId TreeBuilder::type_element() {
  reader_.enter(Rule::TypeElement);
  uint32_t begin = reader_.begin();
  NodeId what = kNoNode;
  NodeId of = type();
  if (reader_.take_if(COLON)) {
    NodeId left = of;
    of = type();
    NodeId path = store_[left].kind == NodeKind::TypeName ? store_.child(left, 0) : kNoNode;
    bool bare =
        path != kNoNode && store_[path].child_count == 1 && store_[path].end == store_[left].end;
    if (bare)
      what = store_.child(path, 0);
    else if (store_[left].kind != NodeKind::Error)
      fail(DiagnosticBuilder(Kind::SyntaxError, span_of(left), "the name of a result is one word")
               .help("write `(mean: [B, 4], variance: [B, 4])`"));
  }
  reader_.exit();
  return add(NodeKind::TypeElement, begin, {what, of});
}

NodeId TreeBuilder::type_args() {
  reader_.enter(Rule::TypeArgs);
  uint32_t begin = reader_.take().begin;
  size_t mark = store_.mark();
  do store_.push(type_arg());
  while (reader_.take_if(COMMA));
  reader_.take();
  reader_.exit();
  return close(NodeKind::TypeArgs, begin, mark);
}

NodeId TreeBuilder::type_arg() {
  reader_.enter(Rule::TypeArg);
  uint32_t begin = reader_.begin();
  NodeId result;
  if (reader_.at(Rule::Type)) {
    result = type();
  } else {
    bool negative = reader_.take_if(MINUS);
    NodeId low = reader_.at(PERCENT) ? leaf(NodeKind::Percent, reader_.take()) : number();
    if (negative) low = with_op(add(NodeKind::Unary, begin, {low}), Op::negate);
    Op op = reader_.take().type == RANGE ? Op::range : Op::range_exclusive;
    NodeId high = reader_.at_exit() ? kNoNode : expr();
    result = with_op(add(NodeKind::TypeRange, begin, {low, high}), op);
  }
  reader_.exit();
  return result;
}

NodeId TreeBuilder::dims() {
  reader_.enter(Rule::Dims);
  uint32_t begin = reader_.take().begin;
  size_t mark = store_.mark();
  while (!reader_.take_if(RBRACK)) {
    if (reader_.at_token())
      reader_.take();
    else
      store_.push(expr());
  }
  reader_.exit();
  return close(NodeKind::Dims, begin, mark);
}

}  // namespace dtp::syntax
