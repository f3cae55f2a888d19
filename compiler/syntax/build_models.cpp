// Models and rules: their items, and the statements of methods.
#include "syntax/tree_builder.h"

namespace dtp::syntax {

using enum TokenType;

NodeId TreeBuilder::model() {
  uint32_t begin = reader_.take().begin;
  size_t mark = store_.mark();
  store_.push(name());
  store_.push(reader_.at(Rule::Params) ? params() : kNoNode);
  reader_.enter(Rule::ModelBody);
  reader_.take();
  while (!reader_.take_if(RBRACE)) {
    if (reader_.at(Rule::ModelItem)) {
      store_.push(model_item());
    } else {
      reader_.enter(Rule::Separator);
      reader_.take();
      reader_.exit();
    }
  }
  reader_.exit();
  return close(NodeKind::Model, begin, mark);
}

NodeId TreeBuilder::model_item() {
  reader_.enter(Rule::ModelItem);
  NodeId result;
  if (reader_.at(Rule::LetDecl)) {
    result = let();
  } else if (reader_.at(Rule::Require)) {
    result = require();
  } else if (reader_.at(Rule::Method)) {
    result = method();
  } else if (reader_.at(SKIPPED)) {
    result = skipped(NodeKind::Name);
  } else {
    uint32_t begin = reader_.take().begin;
    NodeId what = name();
    reader_.take();
    NodeId value = expr();
    result = add(NodeKind::Part, begin, {what, value});
  }
  reader_.exit();
  return result;
}

NodeId TreeBuilder::method() {
  reader_.enter(Rule::Method);
  uint32_t begin = reader_.begin();
  NodeId what = name();
  NodeId takes = params();
  reader_.take();
  NodeId gives = type();
  NodeId does = block();
  reader_.exit();
  return add(NodeKind::Method, begin, {what, takes, gives, does});
}

NodeId TreeBuilder::block() {
  reader_.enter(Rule::Block);
  uint32_t begin = reader_.take().begin;
  size_t mark = store_.mark();
  while (!reader_.take_if(RBRACE)) {
    if (reader_.at(Rule::Statement)) {
      store_.push(statement());
    } else {
      reader_.enter(Rule::EndOfStatement);
      reader_.take();
      reader_.exit();
    }
  }
  reader_.exit();
  return close(NodeKind::Block, begin, mark);
}

NodeId TreeBuilder::statement() {
  reader_.enter(Rule::Statement);
  NodeId result;
  uint32_t begin = reader_.begin();
  if (reader_.at(Rule::Names)) {
    NodeId what = names();
    reader_.take();
    NodeId value = expr();
    result = add(NodeKind::Assign, begin, {what, value});
  } else if (reader_.at(Rule::IfStatement)) {
    result = if_statement(Rule::IfStatement, Rule::Block);
  } else if (reader_.at(Rule::Require)) {
    result = require();
  } else if (reader_.at(REPEAT)) {
    result = repeat();
  } else if (reader_.at(FOR)) {
    result = loop(Rule::Block);
  } else if (reader_.take_if(RETURN)) {
    size_t mark = store_.mark();
    do store_.push(expr());
    while (reader_.take_if(COMMA));
    result = close(NodeKind::Return, begin, mark);
  } else {
    result = skipped(NodeKind::Name);
  }
  reader_.exit();
  return result;
}

NodeId TreeBuilder::repeat() {
  uint32_t begin = reader_.take().begin;
  NodeId times = expr();
  NodeId as = loop_name();
  bool checkpointed = reader_.take_if(CHECKPOINTED);
  NodeId does = block();
  NodeId result = add(NodeKind::Repeat, begin, {times, as, does});
  return checkpointed ? with_flag(result, kCheckpointed) : result;
}

NodeId TreeBuilder::loop(Rule block_rule) {
  uint32_t begin = reader_.take().begin;
  NodeId what = names();
  reader_.take();
  NodeId over = expr();
  NodeId as = loop_name();
  bool checkpointed = reader_.take_if(CHECKPOINTED);
  NodeId does = inner_block(block_rule);
  NodeId result = add(NodeKind::For, begin, {what, over, as, does});
  return checkpointed ? with_flag(result, kCheckpointed) : result;
}

NodeId TreeBuilder::loop_name() {
  if (!reader_.at(Rule::LoopName)) return kNoNode;
  reader_.enter(Rule::LoopName);
  reader_.take();
  NodeId result = reader_.at(NAME) ? name() : string();
  reader_.exit();
  return result;
}

NodeId TreeBuilder::inner_block(Rule rule) { return rule == Rule::Block ? block() : rule_block(); }

NodeId TreeBuilder::if_statement(Rule rule, Rule block_rule) {
  reader_.enter(rule);
  uint32_t begin = reader_.take().begin;
  NodeId condition = expr();
  NodeId then = inner_block(block_rule);
  NodeId otherwise = kNoNode;
  if (reader_.take_if(ELSE))
    otherwise = reader_.at(rule) ? if_statement(rule, block_rule) : inner_block(block_rule);
  reader_.exit();
  return add(NodeKind::IfStmt, begin, {condition, then, otherwise});
}

NodeId TreeBuilder::rule_block() {
  reader_.enter(Rule::RuleBlock);
  uint32_t begin = reader_.take().begin;
  size_t mark = store_.mark();
  while (!reader_.take_if(RBRACE)) {
    if (reader_.at(Rule::RuleItem)) {
      store_.push(rule_item());
    } else {
      reader_.enter(Rule::EndOfStatement);
      reader_.take();
      reader_.exit();
    }
  }
  reader_.exit();
  return close(NodeKind::RuleBlock, begin, mark);
}

NodeId TreeBuilder::rule_item() {
  reader_.enter(Rule::RuleItem);
  NodeId result;
  uint32_t begin = reader_.begin();
  if (reader_.at(Rule::LetDecl)) {
    result = let();
  } else if (reader_.at(Rule::Require)) {
    result = require();
  } else if (reader_.at(Rule::RuleIf)) {
    result = if_statement(Rule::RuleIf, Rule::RuleBlock);
  } else if (reader_.at(FOR)) {
    result = loop(Rule::RuleBlock);
  } else if (reader_.at(SKIPPED)) {
    result = skipped(NodeKind::Name);
  } else {
    size_t mark = store_.mark();
    store_.push(name());
    NodeId what = close(NodeKind::Names, begin, mark);
    reader_.take();
    NodeId value = expr();
    result = add(NodeKind::Assign, begin, {what, value});
  }
  reader_.exit();
  return result;
}

}  // namespace dtp::syntax
