// Records, plans, maps and types: what stands in braces and is a list of fields.
#include "syntax/tree_builder.h"

namespace dtp::syntax {

using enum TokenType;

NodeId TreeBuilder::body() {
  reader_.enter(Rule::Body);
  uint32_t begin = reader_.take().begin;
  size_t mark = store_.mark();
  while (!reader_.take_if(RBRACE)) {
    if (reader_.at(Rule::Item)) {
      store_.push(item());
    } else {
      reader_.enter(Rule::Separator);
      reader_.take();
      reader_.exit();
    }
  }
  reader_.exit();
  return close(NodeKind::Body, begin, mark);
}

NodeId TreeBuilder::item() {
  reader_.enter(Rule::Item);
  NodeId result;
  if (reader_.at(Rule::Field))
    result = field();
  else if (reader_.at(Rule::LetDecl))
    result = let();
  else if (reader_.at(Rule::FnDecl))
    result = fn();
  else if (reader_.at(Rule::Require))
    result = require();
  else if (reader_.at(Rule::Goal))
    result = goal();
  else if (reader_.at(Rule::Allow))
    result = allow();
  else
    result = skipped(NodeKind::Path);
  reader_.exit();
  return result;
}

NodeId TreeBuilder::field() {
  reader_.enter(Rule::Field);
  uint32_t begin = reader_.begin();
  NodeId what = key();
  NodeId result;
  if (reader_.take_if(ASSIGN)) {
    NodeId value = expr();
    result = add(NodeKind::Set, begin, {what, value});
  } else if (reader_.take_if(COLON)) {
    NodeId value = expr();
    result = add(NodeKind::Entry, begin, {what, value});
  } else {
    NodeId fields = body();
    result = add(NodeKind::Amend, begin, {what, fields});
  }
  reader_.exit();
  return result;
}

NodeId TreeBuilder::key() {
  reader_.enter(Rule::Key);
  NodeId result = reader_.at(Rule::Path) ? path()
                  : reader_.at(NUMBER)   ? leaf(NodeKind::Number, reader_.take())
                                         : string();
  reader_.exit();
  return result;
}

NodeId TreeBuilder::type_body() {
  reader_.enter(Rule::TypeBody);
  uint32_t begin = reader_.take().begin;
  size_t mark = store_.mark();
  while (!reader_.take_if(RBRACE)) {
    if (reader_.at(Rule::TypeItem)) {
      store_.push(type_item());
    } else {
      reader_.enter(Rule::Separator);
      reader_.take();
      reader_.exit();
    }
  }
  reader_.exit();
  return close(NodeKind::TypeBody, begin, mark);
}

NodeId TreeBuilder::type_item() {
  reader_.enter(Rule::TypeItem);
  NodeId result;
  if (reader_.at(Rule::LetDecl)) {
    result = let();
  } else if (reader_.at(Rule::FnDecl)) {
    result = fn();
  } else if (reader_.at(Rule::Require)) {
    result = require();
  } else if (reader_.at(SKIPPED)) {
    result = skipped(NodeKind::Name);
  } else {
    reader_.enter(Rule::TypeField);
    uint32_t begin = reader_.begin();
    Op stage = reader_.take_if(DERIVED)     ? Op::derived
               : reader_.take_if(ESTIMATED) ? Op::estimated
                                            : Op::given;
    NodeId what = name();
    NodeId of = reader_.take_if(COLON) ? type() : kNoNode;
    NodeId value = reader_.take_if(ASSIGN) ? expr() : kNoNode;
    reader_.exit();
    result = with_op(add(NodeKind::TypeField, begin, {what, of, value}), stage);
  }
  reader_.exit();
  return result;
}

}  // namespace dtp::syntax
